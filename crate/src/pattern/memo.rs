//! Positions at which choices failed, so that none is tried twice: that makes matching linear.
//!
//! Invariant: a bit is set when a choice is tried at a position. A later try of the same choice there finds the same
//! state, so it would fail again, or is inside the first trial and would only go around.

/// The most bits that are kept: 32 MiB.
const MOST_BITS: usize = 1 << 28;
/// Larger memories are given back after the match.
const KEPT_WORDS: usize = 1 << 13;

#[derive(Debug, Default)]
pub struct Memo {
    bits: Vec<u64>,
    /// Bits a row; 0 while nothing is remembered.
    width: usize,
}

impl Memo {
    /// Starts to remember. `false` where that would take too much memory.
    pub fn begin(&mut self, rows: u32, width: usize) -> bool {
        let Some(bits) = width
            .checked_mul(rows as usize)
            .filter(|bits| *bits <= MOST_BITS)
        else {
            return false;
        };
        let words = bits / 64 + 1;
        self.bits.clear();
        if self.bits.try_reserve_exact(words).is_err() {
            return false;
        }
        self.bits.resize(words, 0);
        self.width = width;
        true
    }

    /// Stops to remember.
    pub fn end(&mut self) {
        self.width = 0;
        if self.bits.capacity() > KEPT_WORDS {
            self.bits = Vec::new();
        }
    }

    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.width != 0
    }

    /// Whether a choice was tried at a position; from now on it was.
    pub fn was_tried(&mut self, row: u32, at: usize) -> bool {
        let bit = row as usize * self.width + at;
        let Some(word) = self.bits.get_mut(bit / 64) else {
            return false;
        };
        let was = *word >> (bit % 64) & 1 != 0;
        *word |= 1 << (bit % 64);
        was
    }

    /// The first position of a range at which a choice was tried.
    pub fn first_tried(&self, row: u32, from: usize, to: usize) -> Option<usize> {
        let start = row as usize * self.width;
        let (mut bit, after) = (start + from, start + to);
        while bit < after {
            let word = self.bits.get(bit / 64)? >> (bit % 64);
            if word != 0 {
                let found = bit + word.trailing_zeros() as usize;
                return (found < after).then(|| found - start);
            }
            bit += 64 - bit % 64;
        }
        None
    }

    /// A choice counts as tried at all positions of a range.
    pub fn fill(&mut self, row: u32, from: usize, to: usize) {
        let first = row as usize * self.width + from;
        let after = row as usize * self.width + to;
        let mut bit = first;
        while bit < after {
            let length = (64 - bit % 64).min(after - bit);
            if let Some(word) = self.bits.get_mut(bit / 64) {
                *word |= (u64::MAX >> (64 - length)) << (bit % 64);
            }
            bit += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fill_is_each_of_its_positions() {
        for (from, to) in [(0, 0), (0, 1), (3, 64), (60, 70), (1, 199), (128, 192)] {
            let mut memo = Memo::default();
            assert!(memo.begin(2, 200));
            memo.fill(1, from, to);
            let first = (from < to).then_some(from);
            assert_eq!(memo.first_tried(1, 0, 200), first);
            assert_eq!(memo.first_tried(1, 0, from), None);
            for at in 0..200 {
                assert!(!memo.was_tried(0, at));
                assert_eq!(memo.was_tried(1, at), (from..to).contains(&at));
            }
        }
        assert!(!Memo::default().begin(1 << 20, 1 << 20));
    }
}
