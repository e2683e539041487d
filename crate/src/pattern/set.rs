//! Sets of characters.
//!
//! Invariant: ASCII members are bits, all others sorted ranges that do not touch, so sets that mean the same are equal
//! unless they ignore case.

use super::fold::{LAST_CASED, fold, is_folded_to};

/// Code points from the first to the last.
pub type Range = (u32, u32);

const LAST: u32 = 0x10FFFF;

/// How many of all characters are members.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coverage {
    #[default]
    Some,
    /// All but this ASCII character.
    AllBut(u8),
    All,
}

/// A set of characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CharSet {
    ascii: [u32; 4],
    ranges: Vec<Range>,
    /// Folded characters beyond ASCII: every character that folds to one of them is a member.
    folded: Vec<Range>,
    /// Whether the members beyond ASCII are those of neither list.
    is_negated: bool,
    has_all_non_ascii: bool,
    coverage: Coverage,
}

/// The parts of a set as the pattern wrote them, before case is folded and the negation done.
#[derive(Debug, Clone, Default)]
pub struct SetBuilder {
    /// Characters and ranges as the pattern writes them, which are of both cases where case does not count.
    pub written: Vec<Range>,
    /// Members of named classes, for which case counts always.
    pub named: Vec<Range>,
    pub is_negated: bool,
}

impl SetBuilder {
    /// The set; with `ignore_case`, a written character stands for its other cases too.
    pub fn build(mut self, ignore_case: bool) -> CharSet {
        let mut folded = Vec::new();
        if ignore_case {
            for (first, last) in &self.written {
                let points = *first..=(*last).min(LAST_CASED);
                folded.extend(points.filter_map(char::from_u32).map(|character| {
                    let point = u32::from(fold(character));
                    (point, point)
                }));
            }
            normalise(&mut folded);
        }
        let mut ranges = self.named;
        ranges.append(&mut self.written);
        normalise(&mut ranges);
        let mut ascii = [0; 4];
        for point in 0..128u8 {
            let is_folded = contains(&folded, u32::from(fold(char::from(point))));
            if (contains(&ranges, u32::from(point)) || is_folded) != self.is_negated {
                ascii[usize::from(point >> 5)] |= 1 << (point & 31);
            }
        }
        // A character that folds only to itself is in the ranges already.
        folded.retain(|(first, last)| (*first..=*last).any(has_other_case));
        cut_ascii(&mut ranges);
        let has_all_non_ascii = if self.is_negated {
            ranges.is_empty() && folded.is_empty()
        } else {
            ranges == [(128, LAST)]
        };
        let missing: u32 = ascii.iter().map(|bits: &u32| bits.count_zeros()).sum();
        let mut set = CharSet {
            ascii,
            ranges,
            folded,
            is_negated: self.is_negated,
            has_all_non_ascii,
            coverage: Coverage::Some,
        };
        if has_all_non_ascii && missing < 2 {
            let missing = (0..128).find(|byte| !set.has_ascii(*byte));
            set.coverage = missing.map_or(Coverage::All, Coverage::AllBut);
        }
        set
    }
}

/// Whether a folded character is the other case of some other one beyond ASCII.
fn has_other_case(point: u32) -> bool {
    char::from_u32(point).is_some_and(is_folded_to)
}

fn cut_ascii(ranges: &mut Vec<Range>) {
    ranges.retain_mut(|(first, last)| {
        *first = (*first).max(128);
        first <= last
    });
}

/// Sorts ranges and joins those that touch.
pub fn normalise(ranges: &mut Vec<Range>) {
    ranges.sort_unstable();
    let mut kept = 0;
    for at in 0..ranges.len() {
        let (first, last) = ranges[at];
        if kept > 0 && first <= ranges[kept - 1].1.saturating_add(1) {
            ranges[kept - 1].1 = ranges[kept - 1].1.max(last);
        } else {
            ranges[kept] = (first, last);
            kept += 1;
        }
    }
    ranges.truncate(kept);
}

/// All characters that are in none of the ranges.
pub fn complement(ranges: &[Range]) -> Vec<Range> {
    let mut sorted = ranges.to_vec();
    normalise(&mut sorted);
    let mut rest = Vec::with_capacity(sorted.len() + 1);
    let mut next = 0;
    for (first, last) in sorted {
        if first > next {
            rest.push((next, first - 1));
        }
        next = last + 1;
    }
    if next <= LAST {
        rest.push((next, LAST));
    }
    rest
}

/// Whether sorted ranges have a code point.
pub(super) fn contains(ranges: &[Range], point: u32) -> bool {
    let after = ranges.partition_point(|(first, _)| *first <= point);
    after > 0 && ranges[after - 1].1 >= point
}

impl CharSet {
    /// The set of some ranges, in which case counts.
    pub fn of(ranges: &[Range]) -> Self {
        SetBuilder {
            named: ranges.to_vec(),
            ..SetBuilder::default()
        }
        .build(false)
    }

    /// A character in all its cases.
    pub fn any_case(character: char) -> Self {
        let point = u32::from(character);
        SetBuilder {
            written: vec![(point, point)],
            ..SetBuilder::default()
        }
        .build(true)
    }

    #[inline(always)]
    pub fn has_ascii(&self, byte: u8) -> bool {
        self.ascii[usize::from(byte >> 5) & 3] >> (byte & 31) & 1 != 0
    }

    /// Whether a character beyond ASCII is a member.
    #[inline(never)]
    pub fn has_non_ascii(&self, point: u32) -> bool {
        let is_member = contains(&self.ranges, point)
            || !self.folded.is_empty()
                && char::from_u32(point)
                    .is_some_and(|character| contains(&self.folded, u32::from(fold(character))));
        is_member != self.is_negated
    }

    /// Whether members beyond ASCII are possible.
    pub fn may_be_non_ascii(&self) -> bool {
        self.is_negated || !self.ranges.is_empty() || !self.folded.is_empty()
    }

    /// Whether all characters beyond ASCII are members.
    #[inline(always)]
    pub fn has_all_non_ascii(&self) -> bool {
        self.has_all_non_ascii
    }

    #[inline(always)]
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(set: &CharSet, character: char) -> bool {
        match u8::try_from(u32::from(character)) {
            Ok(byte) if byte < 128 => set.has_ascii(byte),
            _ => set.has_non_ascii(u32::from(character)),
        }
    }

    #[test]
    fn members_are_members_in_every_case_where_case_does_not_count() {
        let mut builder = SetBuilder {
            written: vec![(u32::from('a'), u32::from('z')), (0xE0, 0xE5)],
            ..SetBuilder::default()
        };
        let plain = builder.clone().build(false);
        assert!(has(&plain, 'k') && !has(&plain, 'K') && has(&plain, 'ã') && !has(&plain, 'Ã'));
        let both = builder.clone().build(true);
        for member in ['k', 'K', '\u{212a}', '\u{17f}', 'å', 'Å', '\u{212b}'] {
            assert!(has(&both, member), "{member}");
        }
        assert!(!has(&both, '1') && !has(&both, 'ı') && !has(&both, 'ö'));
        builder.is_negated = true;
        let others = builder.build(true);
        assert!(has(&others, '1') && has(&others, 'ö') && !has(&others, '\u{212a}'));
    }

    #[test]
    fn a_complement_is_all_the_rest() {
        assert_eq!(complement(&[]), [(0, LAST)]);
        assert_eq!(complement(&[(0, LAST)]), []);
        assert_eq!(
            complement(&[(20, 30), (5, 9), (10, 12)]),
            [(0, 4), (13, 19), (31, LAST)]
        );
    }
}
