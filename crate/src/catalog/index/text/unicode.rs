//! Characters as text indexes of version 3 see them: delimiters, letters without case, letters without diacritics.
//!
//! The server's tables are those of Unicode 8. Delimiters are its spaces, dashes, quotation marks and punctuation. A
//! letter loses its diacritics by canonical decomposition; the rest is composed again. Ideographs of the
//! compatibility blocks stay as they are. Keys of an index depend on the tables, so they are the same on every host:
//! `unicode.bin` has them as pairs of numbers, each the difference to the one before (`a_table`).

use crate::pattern::fold::fold;
use std::sync::LazyLock;

type Pairs = Vec<(u32, u32)>;

struct Tables {
    /// First and last character of each run.
    delimiters: Pairs,
    marks: Pairs,
    /// A letter and that letter without its diacritics.
    bases: Pairs,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut bytes = include_bytes!("unicode.bin").iter();
    let mut number = || {
        let (mut number, mut shift) = (0, 0);
        for byte in bytes.by_ref() {
            number |= u32::from(byte & 127) << shift;
            shift += 7;
            if *byte < 128 {
                break;
            }
        }
        number
    };
    let mut a_table = || {
        let (mut first, mut second) = (0_u32, 0_u32);
        let mut pairs = Pairs::new();
        for _ in 0..number() {
            first = first.wrapping_add(number());
            let step = number();
            // The lowest bit is the sign.
            second = second.wrapping_add(step >> 1 ^ (step & 1).wrapping_neg());
            pairs.push((first, second));
        }
        pairs
    };
    Tables {
        delimiters: a_table(),
        marks: a_table(),
        bases: a_table(),
    }
});

fn is_in(runs: &Pairs, character: u32) -> bool {
    let behind = runs.partition_point(|(first, _)| *first <= character);
    { runs[..behind].last() }.is_some_and(|(_, last)| character <= *last)
}

/// Whether a character is between two words; an apostrophe is part of English ones.
pub(super) fn is_delimiter(character: char, is_english: bool) -> bool {
    match character {
        '\'' => !is_english,
        'a'..='z' | 'A'..='Z' | '0'..='9' => false,
        other => is_in(&TABLES.delimiters, other.into()),
    }
}

/// Whether a character of an ASCII table is between two words, as in versions 1 and 2.
pub(super) fn is_basic_delimiter(character: char, is_english: bool) -> bool {
    match character {
        '\'' => !is_english,
        '_' => false,
        other => other.is_ascii_punctuation() || other == '\u{b}' || other.is_ascii_whitespace(),
    }
}

/// The character in lower case.
pub(super) fn lower(character: char, is_turkish: bool) -> char {
    match character {
        'I' if is_turkish => 'ı',
        'İ' if is_turkish => 'i',
        other => fold(other),
    }
}

/// The character without its diacritics; nothing of a character that is one.
pub(super) fn base(character: char) -> Option<char> {
    let point = u32::from(character);
    if point < 128 {
        return (!matches!(character, '^' | '`')).then_some(character);
    }
    let bases = &TABLES.bases;
    if let Ok(at) = bases.binary_search_by_key(&point, |(letter, _)| *letter) {
        return char::from_u32(bases[at].1);
    }
    (!is_in(&TABLES.marks, point)).then_some(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn class(pattern: &str) -> BTreeSet<u32> {
        let parsed = regex_syntax::parse(pattern).expect("a known property");
        let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) =
            parsed.into_kind()
        else {
            panic!("{pattern} is a class");
        };
        { class.ranges().iter() }
            .flat_map(|range| u32::from(range.start())..=u32::from(range.end()))
            .collect()
    }

    fn runs(points: &BTreeSet<u32>) -> Pairs {
        let mut runs = Pairs::new();
        for point in points {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == *point => *last = *point,
                _ => runs.push((*point, *point)),
            }
        }
        runs
    }

    fn push(mut number: u32, bytes: &mut Vec<u8>) {
        while number >= 128 {
            bytes.push((number & 127 | 128) as u8);
            number >>= 7;
        }
        bytes.push(number as u8);
    }

    /// Makes the tables of Unicode's properties, of the characters that Unicode 8 had.
    fn tables() -> Vec<u8> {
        let known = class(r"\p{age=8.0}");
        // It holds what Unicode has not given away yet.
        let syntax = class(r"\p{Pattern_Syntax}");
        let mut delimiters = syntax.clone();
        for property in [
            "White_Space",
            "Dash",
            "Quotation_Mark",
            "Terminal_Punctuation",
            "Sentence_Terminal",
        ] {
            delimiters.extend(class(&format!(r"\p{{{property}}}")));
        }
        // The hyphens that are no dashes.
        delimiters.extend([0xAD, 0x30FB, 0xFF65]);
        delimiters.retain(|point| known.contains(point) || syntax.contains(point));
        let mut marks = class(r"\p{Diacritic}");
        marks.retain(|point| known.contains(point));
        let decompose = icu_normalizer::DecomposingNormalizerBorrowed::new_nfd();
        let compose = icu_normalizer::ComposingNormalizerBorrowed::new_nfc();
        let mut bases = Pairs::new();
        for point in known {
            let Some(letter) = char::from_u32(point) else {
                continue;
            };
            let parts = decompose
                .normalize(letter.encode_utf8(&mut [0; 4]))
                .into_owned();
            let kept: String = { parts.chars() }
                .filter(|part| !marks.contains(&u32::from(*part)))
                .collect();
            let composed = compose.normalize(&kept).into_owned();
            let mut composed = composed.chars();
            let is_ideograph = (0xF900..=0xFAD9).contains(&point) || point >= 0x2F800;
            if let (Some(base), None) = (composed.next(), composed.next())
                && base != letter
                && !marks.contains(&point)
                && !is_ideograph
            {
                bases.push((point, base.into()));
            }
        }
        let mut bytes = Vec::new();
        for pairs in [runs(&delimiters), runs(&marks), bases] {
            push(pairs.len() as u32, &mut bytes);
            let (mut first, mut second) = (0, 0_u32);
            for pair in pairs {
                push(pair.0 - first, &mut bytes);
                let step = i64::from(pair.1) - i64::from(second);
                push((step << 1 ^ step >> 63) as u32, &mut bytes);
                (first, second) = pair;
            }
        }
        bytes
    }

    #[test]
    fn the_tables_are_those_of_unicode() {
        let tables = tables();
        if std::env::var_os("UPDATE_TEXT_TABLES").is_some() {
            let file = concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/crate/src/catalog/index/text/unicode.bin"
            );
            std::fs::write(file, &tables).expect("the file can be written");
        } else {
            assert!(
                tables == include_bytes!("unicode.bin"),
                "UPDATE_TEXT_TABLES=1 writes them"
            );
        }
    }

    #[test]
    fn delimiters_stand_between_words() {
        for (delimiters, is_delimited) in [
            (" \t\n!\"#-./:;@[\\]^`{|}~«»、。“„–—\u{ad}・؟\u{3000}", true),
            ("_aZ0éßд漢字かな๑", false),
        ] {
            for character in delimiters.chars() {
                let shown = character.escape_unicode();
                assert_eq!(is_delimiter(character, true), is_delimited, "{shown}");
            }
        }
        assert!(is_delimiter('\'', false) && !is_delimiter('\'', true));
        assert!(is_basic_delimiter('-', true) && !is_basic_delimiter('—', true));
        assert!(!is_basic_delimiter('_', true) && is_basic_delimiter('\u{b}', true));
    }

    #[test]
    fn letters_lose_case_and_diacritics() {
        let based = |text: &str| text.chars().filter_map(base).collect::<String>();
        assert_eq!(
            based("Crème brûlée, Ωμέγα й ё が ế Å ^`"),
            "Creme brulee, Ωμεγα и е か e A "
        );
        assert_eq!(based("e\u{301}\u{327}a"), "ea");
        assert_eq!(based("æøßł"), "æøßł");
        let lowered = |turkish| {
            "IİÇſΣς"
                .chars()
                .map(|one| lower(one, turkish))
                .collect::<String>()
        };
        assert_eq!(lowered(false), "iİçsσσ");
        assert_eq!(lowered(true), "ıiçsσσ");
    }
}
