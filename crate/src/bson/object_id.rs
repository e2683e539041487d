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

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::env::native::NativeEnv;

    #[test]
    fn ids_carry_their_second_and_count() {
        let mut generator = ObjectIdGenerator::new(&NativeEnv::fixed(0, 1));
        let (first, second) = (generator.next(5_000), generator.next(5_999));
        assert_eq!(first[..4], [0, 0, 0, 5]);
        assert_eq!(first[..9], second[..9]);
        assert!(first < second);
    }
}
