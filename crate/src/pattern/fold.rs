//! Letters that differ in case only: Unicode's simple case folding.

/// The representative of a character and its other cases. A character whose other case is more than one character
/// stands for itself, and so do the Turkish dotted and dotless i, as in PCRE2.
pub fn fold(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    if matches!(character, '\u{130}' | '\u{131}') {
        return character;
    }
    let upper = single(character.to_uppercase()).unwrap_or(character);
    single(upper.to_lowercase()).unwrap_or(upper)
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

/// The last character that has another case.
pub const LAST_CASED: u32 = 0x1E943;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_meet() {
        for same in [
            "kK\u{212a}",
            "sS\u{17f}",
            "åÅ\u{212b}",
            "µμΜ",
            "σςΣ",
            "ßẞ",
            "ωΩ\u{2126}",
            "ǆǅǄ",
            "ᾳᾼ",
            "éÉ",
            "ꭰᎠ",
        ] {
            let mut characters = same.chars();
            let first = characters.next().map(fold);
            for other in characters {
                assert_eq!(Some(fold(other)), first, "{other} of {same}");
            }
        }
        assert_ne!(fold('ı'), fold('i'));
        assert_ne!(fold('İ'), fold('i'));
    }

    #[test]
    fn nothing_beyond_the_last_cased_character_folds() {
        for point in LAST_CASED + 1..=0x10FFFF {
            if let Some(character) = char::from_u32(point) {
                assert_eq!(fold(character), character);
            }
        }
    }
}
