//! Characters of a text: how long one is, and whether it, or as many as there are, are members of a set.

use super::search::find_byte;
use super::set::{CharSet, Coverage};
use super::syntax::UNBOUNDED;

/// How many bytes a character has, by its first.
#[inline(always)]
pub(super) fn width_of(first: u8) -> usize {
    match first {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// The end of the character at a position, if it is a member.
#[inline(always)]
pub(super) fn one_of(set: &CharSet, text: &[u8], at: usize) -> Option<usize> {
    let byte = *text.get(at)?;
    if byte < 128 {
        return set.has_ascii(byte).then_some(at + 1);
    }
    if set.has_all_non_ascii() {
        return Some(at + width_of(byte));
    }
    let (point, width) = decode(text, at);
    (set.has_non_ascii(point)).then_some(at + width)
}

/// The character at a position and its width; the text is UTF-8, and the character is not ASCII.
fn decode(text: &[u8], at: usize) -> (u32, usize) {
    let byte = |offset: usize| {
        text.get(at + offset)
            .map_or(0, |byte| u32::from(*byte & 0x3F))
    };
    let first = u32::from(text[at]);
    match first {
        0..0xE0 => ((first & 0x1F) << 6 | byte(1), 2),
        0xE0..0xF0 => ((first & 0xF) << 12 | byte(1) << 6 | byte(2), 3),
        _ => (
            (first & 7) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3),
            4,
        ),
    }
}

/// Takes as many members as there are, `most` at most: where they end. `None` where `all` of these are asked for and
/// are not there.
pub(super) fn take(set: &CharSet, text: &[u8], from: usize, most: u32, all: bool) -> Option<usize> {
    let mut at = from;
    if most == UNBOUNDED {
        match set.coverage() {
            Coverage::All => return Some(text.len()),
            Coverage::AllBut(byte) => {
                return Some(find_byte(text, at, byte).unwrap_or(text.len()));
            }
            Coverage::Some => {}
        }
    }
    for _ in 0..most {
        match one_of(set, text, at) {
            Some(end) => at = end,
            None if all => return None,
            None => break,
        }
    }
    Some(at)
}

/// The position `count` characters before another.
pub(super) fn back(text: &[u8], mut at: usize, count: u32) -> Option<usize> {
    for _ in 0..count {
        at = at.checked_sub(1)?;
        while text[at] & 0xC0 == 0x80 {
            at -= 1;
        }
    }
    Some(at)
}
