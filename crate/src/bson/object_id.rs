//! Object ids: seconds since the epoch, five bytes of the process, a counter.
//!
//! Follows the driver specification of ObjectId. Invariant: ids of one generator never repeat
//! within a second as long as fewer than 2^24 are made in it.

use crate::env::Env;

/// Makes object ids; one per engine.
#[derive(Debug, Clone)]
pub struct ObjectIdGenerator {
    process: [u8; 5],
    counter: u32,
}

impl ObjectIdGenerator {
    /// Draws the process's five bytes and the counter's start from the host.
    pub fn new(env: &dyn Env) -> Self {
        let mut random = [0; 8];
        env.fill_random(&mut random);
        let [a, b, c, d, e, x, y, z] = random;
        Self {
            process: [a, b, c, d, e],
            counter: u32::from_be_bytes([0, x, y, z]),
        }
    }

    /// The next id at a time in milliseconds since the epoch.
    pub fn next(&mut self, now_millis: i64) -> [u8; 12] {
        let mut id = [0; 12];
        id[..4].copy_from_slice(&(now_millis.div_euclid(1000) as u32).to_be_bytes());
        id[4..9].copy_from_slice(&self.process);
        id[9..].copy_from_slice(&self.counter.to_be_bytes()[1..]);
        self.counter = (self.counter + 1) & 0x00FF_FFFF;
        id
    }
}

/// The instant an id carries, in milliseconds since the epoch.
pub fn timestamp_millis(id: [u8; 12]) -> i64 {
    let [a, b, c, d, ..] = id;
    i64::from(u32::from_be_bytes([a, b, c, d])) * 1000
}

/// Appends bytes as lower-case hexadecimal digits.
pub fn write_hex(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        for nibble in [byte >> 4, byte & 15] {
            out.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
        }
    }
}

/// The 24 hexadecimal digits of an id.
pub fn to_hex(id: [u8; 12]) -> String {
    let mut text = String::with_capacity(24);
    write_hex(&mut text, &id);
    text
}

/// Reads 24 hexadecimal digits of either case.
pub fn parse_hex(text: &str) -> Option<[u8; 12]> {
    let mut id = [0; 12];
    parse_hex_into(text, &mut id)?;
    Some(id)
}

/// Reads exactly as many bytes as `out` holds from hexadecimal digits.
pub fn parse_hex_into(text: &str, out: &mut [u8]) -> Option<()> {
    let digits = text.as_bytes();
    if digits.len() != out.len() * 2 {
        return None;
    }
    let nibble = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(())
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::env::native::NativeEnv;

    #[test]
    fn ids_carry_their_second_and_count() {
        let mut generator = ObjectIdGenerator::new(&NativeEnv::fixed(0, 1));
        let (first, second) = (generator.next(5_000), generator.next(5_999));
        assert_eq!(timestamp_millis(first), 5_000);
        assert_eq!(first[..9], second[..9]);
        assert!(first < second);
    }

    #[test]
    fn hexadecimal_text_goes_both_ways() {
        let id = [0, 1, 2, 0xAB, 0xCD, 0xEF, 6, 7, 8, 9, 10, 0xFF];
        assert_eq!(to_hex(id), "000102abcdef060708090aff");
        assert_eq!(parse_hex("000102ABCDEF060708090aff"), Some(id));
        assert_eq!(parse_hex("00"), None);
        assert_eq!(parse_hex("00010zabcdef060708090aff"), None);
    }
}
