//! A set of numbers close together: which entries a sweep takes out, by the last eight bytes of their keys.
//!
//! Invariant: asking for a number costs one look at one word, however many numbers the set holds.

/// A set of numbers, held as bits from the lowest to the highest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberSet {
    first: u64,
    bits: Vec<u64>,
    /// The upper half that all numbers have, as it lies in a key; `None` when they have not all the same.
    upper: Option<[u8; 4]>,
}

impl NumberSet {
    /// The set of these numbers; `None` when they lie too far apart for bits.
    pub fn of(numbers: impl Iterator<Item = u64> + Clone) -> Option<Self> {
        let first = numbers.clone().min().unwrap_or(0) & !63;
        let last = numbers.clone().max().unwrap_or(0);
        let words = (last - first) / 64 + 1;
        if words > 32 * (numbers.clone().count() as u64 + 32) {
            return None;
        }
        let mut bits = vec![0; words as usize];
        for number in numbers {
            let at = number - first;
            bits[(at / 64) as usize] |= 1 << (at % 64);
        }
        let [a, b, c, d, ..] = first.to_be_bytes();
        let upper = (first >> 32 == last >> 32).then_some([a, b, c, d]);
        Some(Self { first, bits, upper })
    }

    /// Whether the number is in the set.
    #[inline(always)]
    pub fn contains(&self, number: u64) -> bool {
        let at = number.wrapping_sub(self.first);
        at / 64 < self.bits.len() as u64 && self.bits[(at / 64) as usize] >> (at % 64) & 1 != 0
    }

    /// Whether a number that is given as a key ends with it, big-endian, is in the set. Its upper half is compared as
    /// it is: WebAssembly has no instruction to turn the bytes of a word.
    #[inline(always)]
    pub(crate) fn has(&self, [a, b, c, d, e, f, g, h]: [u8; 8]) -> bool {
        let lower = u32::from_be_bytes([e, f, g, h]);
        match self.upper {
            Some(upper) => {
                let at = lower.wrapping_sub(self.first as u32);
                // A lower number wraps to one that no set is large enough for, or that its bits say no to.
                let word = self.bits.get((at / 64) as usize).copied().unwrap_or(0);
                upper == [a, b, c, d] && word >> (at % 64) & 1 != 0
            }
            None => {
                let upper = u32::from_be_bytes([a, b, c, d]);
                self.contains(u64::from(upper) << 32 | u64::from(lower))
            }
        }
    }

    /// Whether a key ends with a number of the set, big-endian.
    pub(crate) fn ends(&self, key: &[u8]) -> bool {
        key.last_chunk()
            .is_some_and(|eight| self.contains(u64::from_be_bytes(*eight)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_exactly_their_numbers() {
        let numbers = [5, 64, 63, 700, 5, 128];
        let set = NumberSet::of(numbers.into_iter()).expect("close together");
        for number in (0..2000).chain([u64::MAX, u64::MAX - 5, 5 | 1 << 32]) {
            assert_eq!(set.contains(number), numbers.contains(&number), "{number}");
            assert_eq!(set.has(number.to_be_bytes()), set.contains(number));
        }
        let border = 7 << 32;
        let numbers = [border - 3, border, border + 700];
        let set = NumberSet::of(numbers.into_iter()).expect("close together");
        for number in (border - 1000..border + 1000).chain([0, 3, 700, 1 << 32]) {
            assert_eq!(set.contains(number), numbers.contains(&number), "{number}");
            assert_eq!(set.has(number.to_be_bytes()), set.contains(number));
        }
        let high = NumberSet::of([u64::MAX, u64::MAX - 3].into_iter()).expect("close together");
        assert!(high.contains(u64::MAX) && !high.contains(u64::MAX - 1) && !high.contains(0));
        assert!(NumberSet::of([1, u64::MAX].into_iter()).is_none());
        let none = NumberSet::of(std::iter::empty::<u64>()).expect("nothing lies apart");
        assert!(!none.contains(0));
        assert!(!high.ends(b"short"));
    }
}
