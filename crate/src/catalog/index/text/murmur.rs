//! MurmurHash3 of 128 bits for processors of 64, with the seed 0: the tail of long terms of version 2.

use crate::algorithms::hexadecimal;

const FACTORS: [u64; 2] = [0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f];

fn word(bytes: &[u8]) -> u64 {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(whole)
}

fn finish(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// The hash of some bytes, in hexadecimal digits.
pub(super) fn digits(bytes: &[u8]) -> String {
    let [mut low, mut high] = [0_u64; 2];
    for block in bytes.chunks(16) {
        let (first, second) = block.split_at(block.len().min(8));
        let [a, b] = [word(first), word(second)];
        let is_whole = block.len() == 16;
        low ^= { a.wrapping_mul(FACTORS[0]).rotate_left(31) }.wrapping_mul(FACTORS[1]);
        if is_whole {
            low = low.rotate_left(27).wrapping_add(high);
            low = low.wrapping_mul(5).wrapping_add(0x52dc_e729);
        }
        high ^= { b.wrapping_mul(FACTORS[1]).rotate_left(33) }.wrapping_mul(FACTORS[0]);
        if is_whole {
            high = high.rotate_left(31).wrapping_add(low);
            high = high.wrapping_mul(5).wrapping_add(0x3849_5ab5);
        }
    }
    let length = bytes.len() as u64;
    low ^= length;
    high ^= length;
    low = low.wrapping_add(high);
    high = high.wrapping_add(low);
    low = finish(low);
    high = finish(high);
    low = low.wrapping_add(high);
    high = high.wrapping_add(low);
    hexadecimal::to_text(&[low.to_le_bytes(), high.to_le_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_as_the_reference_does() {
        assert_eq!(digits(b""), "00000000000000000000000000000000");
        assert_eq!(digits(b"hello"), "029bbd41b3a7d8cb191dae486a901e5b");
        assert_eq!(
            digits(b"The quick brown fox jumps over the lazy dog"),
            "6c1b07bc7bbc4be347939ac4a93c437a"
        );
    }
}
