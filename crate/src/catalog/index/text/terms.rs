//! The terms of a text: its words in lower case, without stop words, as stems, without diacritics.
//!
//! ```text
//! "The Café's dogs"  ─ words ─►  the café's dogs  ─ stems ─►  \rthe café dog  ─ no stop words, bases ─►  cafe dog
//! ```
//!
//! Invariant: the host is asked once for a text, for all of its words.

use super::language::Language;
use super::unicode::{base, is_basic_delimiter, is_delimiter, lower};
use crate::env::Words;
use crate::error::CommandError;

/// How the terms of a text are made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Manner {
    pub version: u8,
    /// Whether stop words are terms too.
    pub with_stop_words: bool,
    pub case_sensitive: bool,
    pub diacritic_sensitive: bool,
}

impl Manner {
    /// As an index has its terms.
    pub fn of_index(version: u8) -> Self {
        Self {
            version,
            ..Self::default()
        }
    }

    fn is_basic(self) -> bool {
        self.version < 3
    }
}

/// The text in the case, and with the diacritics, that phrases are compared in.
pub(super) fn folded(text: &str, language: Language, manner: Manner) -> String {
    if manner.is_basic() {
        return match manner.case_sensitive {
            true => text.to_owned(),
            false => text.to_ascii_lowercase(),
        };
    }
    let is_turkish = language == Language::TURKISH;
    // A Turkish i has no other case without its dot.
    let folds = is_turkish || !manner.case_sensitive;
    { text.chars() }
        .map(|one| if folds { lower(one, is_turkish) } else { one })
        .filter_map(|one| match manner.diacritic_sensitive {
            true => Some(one),
            false => base(one),
        })
        .collect()
}

/// Hands each term of a text to `each`, in the order of the text.
///
/// # Errors
/// Those of the host.
pub(super) fn each_term(
    words: &dyn Words,
    language: Language,
    manner: Manner,
    text: &str,
    each: &mut dyn FnMut(&str),
) -> Result<(), CommandError> {
    let is_english = language == Language::ENGLISH;
    let is_turkish = language == Language::TURKISH;
    let (mut lowered, mut raw) = (String::new(), String::new());
    let mut is_open = false;
    for character in text.chars().chain([' ']) {
        let is_between = match manner.is_basic() {
            true => is_basic_delimiter(character, is_english),
            false => is_delimiter(character, is_english),
        };
        if is_between {
            if std::mem::take(&mut is_open) {
                lowered.push('\n');
                raw.push('\n');
            }
            continue;
        }
        is_open = true;
        lowered.push(match manner.is_basic() {
            true => character.to_ascii_lowercase(),
            false => lower(character, is_turkish),
        });
        if manner.case_sensitive {
            raw.push(character);
        }
    }
    if lowered.is_empty() {
        return Ok(());
    }
    let mut answers = [lowered, raw];
    if language != Language::NONE {
        for answer in answers
            .iter_mut()
            .take(1 + usize::from(manner.case_sensitive))
        {
            *answer = words.stems(language.number(), answer)?;
        }
    }
    let [lowered, raw] = &answers;
    let mut raw = raw.split('\n');
    let mut term = String::new();
    // The line breaks end lines: behind the last one there is none. A stop word stands behind a carriage return.
    for stem in lowered.split_terminator('\n') {
        let sensitive = raw.next().unwrap_or_default();
        let unmarked = stem.strip_prefix('\r');
        if unmarked.is_some() && !manner.with_stop_words {
            continue;
        }
        let stem = match manner.case_sensitive {
            true => sensitive.strip_prefix('\r').unwrap_or(sensitive),
            false => unmarked.unwrap_or(stem),
        };
        if manner.diacritic_sensitive || manner.is_basic() {
            each(stem);
            continue;
        }
        term.clear();
        term.extend(stem.chars().filter_map(base));
        each(&term);
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::env::Env;
    use crate::env::native::NativeEnv;

    /// The terms of a text, one behind the other.
    pub fn terms(language: &str, manner: Manner, text: &str) -> String {
        let words = NativeEnv::fixed(0, 0).words();
        let language = Language::parse(language, manner.version).expect("a language");
        let mut found = Vec::new();
        each_term(&*words, language, manner, text, &mut |term| {
            found.push(term.to_owned())
        })
        .expect("a native host has all languages");
        found.join(" ")
    }

    #[test]
    fn words_become_terms() {
        let index = Manner::of_index(3);
        for (language, text, expected) in [
            ("english", "The Café's dogs aren't running.", "cafe dog run"),
            ("none", "The Café's dogs", "the cafe s dogs"),
            ("french", "Les chats n'étaient pas là", "chat la"),
            ("spanish", "cañón canción", "canon cancion"),
            ("russian", "Берёзы и палки", "берез палк"),
            ("turkish", "IĞDIR İzmir", "ık izmir"),
            ("none", "北京大学 校门", "北京大学 校门"),
            ("english", "", ""),
            ("english", " -- ", ""),
            ("english", "snake_case foo-bar", "snake_cas foo bar"),
        ] {
            assert_eq!(terms(language, index, text), expected, "{text}");
        }
    }

    #[test]
    fn the_manner_of_a_query_keeps_what_it_asks_for() {
        let sensitive = |case_sensitive, diacritic_sensitive| Manner {
            case_sensitive,
            diacritic_sensitive,
            ..Manner::of_index(3)
        };
        let text = "The Élan Dogs";
        assert_eq!(terms("english", sensitive(true, false), text), "Elan Dog");
        assert_eq!(terms("english", sensitive(false, true), text), "élan dog");
        assert_eq!(terms("english", sensitive(true, true), text), "Élan Dog");
        let all = Manner {
            with_stop_words: true,
            ..Manner::of_index(3)
        };
        assert_eq!(terms("english", all, text), "the elan dog");
        assert_eq!(
            terms("english", Manner::of_index(2), "CAFÉ—Dogs a-b"),
            "cafÉ—dog b"
        );
        let turkish = folded("ILIK é", Language::TURKISH, sensitive(true, false));
        assert_eq!(turkish, "ılık e");
        assert_eq!(
            folded("ÉLAN", Language::NONE, sensitive(false, true)),
            "élan"
        );
    }
}
