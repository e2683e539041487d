//! Simple-8b: as many small numbers in a word of 64 bits as fit.
//!
//! The low four bits select how the other 60 are cut. Selector 15 repeats the number before it 120 times or a multiple
//! of that; 7 and 8 have extensions, by which numbers are written without their trailing zeros. A number of ones alone
//! is a gap. Invariant: every word is full.

/// How many numbers a selector stands for.
const COUNTS: [u8; 15] = [0, 60, 30, 20, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1];
/// The bits of each of its numbers.
const BITS: [u8; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60];
/// The bits of a number of an extension of selector 7, after four bits that count its zeros.
const SEVEN: [u8; 10] = [0, 2, 3, 4, 5, 7, 10, 14, 24, 52];
/// The same of selector 8, where the count is one of four zeros each, and from the eighth on has five bits.
const EIGHT: [u8; 14] = [0, 4, 5, 7, 10, 14, 24, 52, 4, 6, 9, 13, 23, 51];
/// The selector of repeats.
const REPEAT: u64 = 15;
/// How many a repeat stands for at least.
pub const REPEATED: usize = 120;

/// A number: its digits, and how many zeros follow them. `None`: a gap.
pub type Slot = Option<(u64, u32)>;

/// Gives the numbers of a word; `last` is the one before it, and then the last of it. `None` for what is no word.
pub fn read(word: u64, last: &mut Slot, give: &mut dyn FnMut(Slot) -> Option<()>) -> Option<()> {
    let (selector, extension) = (word & 15, (word >> 4 & 15) as usize);
    if selector == REPEAT {
        for _ in 0..(extension + 1) * REPEATED {
            give(*last)?;
        }
        return Some(());
    }
    // Bits of a number, bits that count its zeros, zeros that one of that count stands for, and where the first is.
    let (bits, zeros, each, start) = match (selector, extension) {
        (7, 1..) => (*SEVEN.get(extension)?, 4, 1, 8),
        (8, 1..8) => (EIGHT[extension], 4, 4, 8),
        (8, 8..) => (*EIGHT.get(extension)?, 5, 4, 8),
        (7 | 8, _) => (BITS[selector as usize], 0, 0, 8),
        _ => (*BITS.get(selector as usize)?, 0, 0, 4),
    };
    let total = u32::from(bits) + zeros;
    let count = match start {
        _ if bits == 0 => return None,
        4 => u32::from(*COUNTS.get(selector as usize)?),
        _ => 56 / total,
    };
    let mut rest = word >> start;
    for _ in 0..count {
        let number = rest & (u64::MAX >> (64 - total));
        rest >>= total;
        let is_gap = number == u64::MAX >> (64 - total);
        let shift = (number & ((1 << zeros) - 1)) as u32 * each;
        *last = (!is_gap).then_some((number >> zeros, shift));
        give(*last)?;
    }
    Some(())
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
        let (count, bits) = (usize::from(COUNTS[selector]), BITS[selector]);
        let gap = (1_u64 << bits) - 1;
        let Some((taken, rest)) = numbers.split_at_checked(count) else {
            continue;
        };
        if taken
            .iter()
            .all(|number| number.is_none_or(|number| number < gap))
        {
            let mut word = selector as u64;
            let mut shift = if matches!(selector, 7 | 8) { 8 } else { 4 };
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
