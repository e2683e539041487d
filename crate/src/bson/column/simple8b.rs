//! Simple-8b: as many small numbers in a word of 64 bits as fit.
//!
//! The low four bits select how the other 60 are cut. Selector 15 repeats the number before it 120 times or a multiple
//! of that. A number of ones alone is a gap. Invariant: every word is full.

/// How many numbers a selector stands for.
const COUNTS: [u8; 15] = [0, 60, 30, 20, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1];
/// The bits of each of its numbers.
const BITS: [u8; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60];
/// The selector of repeats.
const REPEAT: u64 = 15;
/// How many a repeat stands for at least.
pub const REPEATED: usize = 120;

/// A number. `None`: a gap.
pub type Slot = Option<u64>;

/// Gives the numbers that a word packs. `last` comes in as the last number of the word before, and goes out as the last
/// number of this word. `None` where the bits are no valid word.
pub fn read(word: u64, last: &mut Slot, give: &mut dyn FnMut(Slot) -> Option<()>) -> Option<()> {
    let (selector, extension) = ((word & 15) as usize, (word >> 4 & 15) as usize);
    if selector == REPEAT as usize {
        for _ in 0..(extension + 1) * REPEATED {
            give(*last)?;
        }
        return Some(());
    }
    let (count, bits) = (COUNTS[selector], BITS[selector]);
    let shift = start_of(selector);
    if bits == 0 || (shift > 4 && extension > 0) {
        return None;
    }
    let gap = u64::MAX >> (64 - bits);
    let mut rest = word >> shift;
    for _ in 0..count {
        let number = rest & gap;
        rest >>= bits;
        *last = (number != gap).then_some(number);
        give(*last)?;
    }
    Some(())
}

/// Where the first number of a word lies: two selectors have four bits more.
fn start_of(selector: usize) -> u32 {
    if matches!(selector, 7 | 8) { 8 } else { 4 }
}

/// Whether a number fits into a word at all.
pub fn fits(number: u64) -> bool {
    number < (1 << 60) - 1
}

/// Takes as many numbers off the front as one word holds, and gives the word. `last` is the number before them.
pub fn write(numbers: &mut &[Option<u64>], last: Option<u64>) -> u64 {
    let repeats = numbers.iter().take_while(|number| **number == last).count();
    let repeats = (repeats / REPEATED).min(16);
    if repeats > 0 {
        *numbers = &numbers[repeats * REPEATED..];
        return REPEAT | (repeats as u64 - 1) << 4;
    }
    for selector in 1..COUNTS.len() {
        let (count, bits) = (usize::from(COUNTS[selector]), u32::from(BITS[selector]));
        let gap = (1_u64 << bits) - 1;
        let Some((taken, rest)) = numbers.split_at_checked(count) else {
            continue;
        };
        if taken
            .iter()
            .all(|number| number.is_none_or(|number| number < gap))
        {
            let mut word = selector as u64;
            let mut shift = start_of(selector);
            for number in taken {
                word |= number.unwrap_or(gap) << shift;
                shift += bits;
            }
            *numbers = rest;
            return word;
        }
    }
    // Every number fits into the last selector's word.
    *numbers = &[];
    0
}
