//! The text that a `$text` looks for: terms of which any will do, phrases that must all be there, and what must not be.
//!
//! Follows the manual's "$text" page. `coffee -"dark roast" "café au lait" -decaf` has the terms of `coffee` and `café
//! au lait`, one phrase, one negated phrase and one negated term. Invariant: a phrase's words are terms too, so each
//! document with the phrase has a key under one of them.

use super::definition::Text;
use super::keys::sort;
use super::language::Language;
use super::terms::{Manner, each_term, folded};
use crate::bson::{Document, DocumentBuilder};
use crate::error::CommandError;

/// A parsed search over an index.
#[derive(Debug, Clone)]
pub struct TextSearch {
    /// The terms that keys are read under, sorted.
    pub bounds: Vec<String>,
    /// The terms of which a document must have one, sorted. They differ from the bounds where case or diacritics count.
    terms: Vec<String>,
    negated_terms: Vec<String>,
    phrases: Vec<String>,
    negated_phrases: Vec<String>,
    /// The manner in which texts are compared with the terms.
    manner: Manner,
}

/// The options of a `$text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    pub case_sensitive: bool,
    pub diacritic_sensitive: bool,
}

/// A part of the text, and its place.
enum Token<'s> {
    Words(&'s str),
    Dash,
    Quote(usize),
}

/// Cuts the text; with each part, whether white space stands before it.
fn tokens(text: &str) -> Vec<(Token<'_>, bool)> {
    let is_space = |byte: u8| matches!(byte, b'\n' | 0xb | 0xc | b'\r' | b' ');
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut is_spaced) = (0, true);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        let token = match byte {
            byte if is_space(*byte) => {
                is_spaced = true;
                continue;
            }
            b'-' => Token::Dash,
            b'"' => Token::Quote(start),
            _ => {
                let is_word = |byte: &u8| !is_space(*byte) && !matches!(byte, b'-' | b'"');
                while bytes.get(at).is_some_and(is_word) {
                    at += 1;
                }
                Token::Words(&text[start..at])
            }
        };
        found.push((token, std::mem::take(&mut is_spaced)));
    }
    found
}

impl Text {
    /// Parses the text of a `$text` over this index.
    ///
    /// # Errors
    /// Those of the host.
    pub fn search(
        &self,
        text: &str,
        language: Language,
        options: TextOptions,
    ) -> Result<TextSearch, CommandError> {
        let mut search = TextSearch {
            bounds: Vec::new(),
            terms: Vec::new(),
            negated_terms: Vec::new(),
            phrases: Vec::new(),
            negated_phrases: Vec::new(),
            manner: Manner {
                case_sensitive: options.case_sensitive,
                diacritic_sensitive: options.diacritic_sensitive,
                ..Manner::of_index(self.version)
            },
        };
        let (mut wanted, mut unwanted) = (String::new(), String::new());
        let (mut is_negated, mut phrase) = (false, None);
        for (token, is_spaced) in tokens(text) {
            match token {
                Token::Words(_) if phrase.is_some() && is_negated => {}
                Token::Words(words) => {
                    // A negation reaches to the next white space.
                    is_negated &= !is_spaced;
                    let sentence = if is_negated {
                        &mut unwanted
                    } else {
                        &mut wanted
                    };
                    sentence.push_str(words);
                    sentence.push(' ');
                }
                Token::Dash => is_negated |= phrase.is_none() && is_spaced,
                Token::Quote(at) => match phrase.take() {
                    None => {
                        is_negated &= !is_spaced;
                        phrase = Some(at + 1);
                    }
                    Some(start) => {
                        let phrases = match is_negated {
                            true => &mut search.negated_phrases,
                            false => &mut search.phrases,
                        };
                        phrases.push(text[start..at].to_owned());
                    }
                },
            }
        }
        search.bounds = self.sorted_terms(&wanted, language, Manner::of_index(self.version))?;
        search.terms = match search.is_sensitive() {
            true => self.sorted_terms(&wanted, language, search.manner)?,
            false => search.bounds.clone(),
        };
        search.negated_terms = self.sorted_terms(&unwanted, language, search.manner)?;
        search.manner.with_stop_words = true;
        Ok(search)
    }

    fn sorted_terms(
        &self,
        text: &str,
        language: Language,
        manner: Manner,
    ) -> Result<Vec<String>, CommandError> {
        let mut terms = Vec::new();
        each_term(self.known_words(), language, manner, text, &mut |term| {
            terms.push(term.to_owned());
        })?;
        sort(&mut terms)?;
        terms.dedup();
        Ok(terms)
    }

    /// Whether a document that has a key under one of the search's bounds matches it.
    ///
    /// # Errors
    /// Those of the host.
    pub fn matches(
        &self,
        search: &TextSearch,
        document: Document<'_>,
    ) -> Result<bool, CommandError> {
        if search.is_sensitive() && !self.has_term(search, &search.terms, document)? {
            return Ok(false);
        }
        if self.has_term(search, &search.negated_terms, document)? {
            return Ok(false);
        }
        for phrase in &search.phrases {
            if !self.has_phrase(search, phrase, document)? {
                return Ok(false);
            }
        }
        for phrase in &search.negated_phrases {
            if self.has_phrase(search, phrase, document)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_term(
        &self,
        search: &TextSearch,
        terms: &[String],
        document: Document<'_>,
    ) -> Result<bool, CommandError> {
        if terms.is_empty() {
            return Ok(false);
        }
        let ended = self.visit_texts(document, &mut |text, language, _| {
            let mut is_there = false;
            each_term(
                self.known_words(),
                language,
                search.manner,
                text,
                &mut |term| {
                    is_there |= terms
                        .binary_search_by(|held| held.as_str().cmp(term))
                        .is_ok();
                },
            )?;
            Ok(!is_there)
        })?;
        Ok(!ended)
    }

    fn has_phrase(
        &self,
        search: &TextSearch,
        phrase: &str,
        document: Document<'_>,
    ) -> Result<bool, CommandError> {
        let ended = self.visit_texts(document, &mut |text, language, _| {
            let text = folded(text, language, search.manner);
            Ok(!text.contains(&folded(phrase, language, search.manner)))
        })?;
        Ok(!ended)
    }
}

impl TextSearch {
    fn is_sensitive(&self) -> bool {
        self.manner.case_sensitive || self.manner.diacritic_sensitive
    }

    /// Whether documents are tested, beside the keys they are found by.
    pub fn tests_terms(&self) -> bool {
        self.is_sensitive() || !self.negated_terms.is_empty()
    }

    /// Writes the parts as explain shows them.
    pub fn append_to(&self, name: &str, builder: &mut DocumentBuilder) {
        builder.begin_document(name);
        for (name, parts) in [
            ("terms", &self.terms),
            ("negatedTerms", &self.negated_terms),
            ("phrases", &self.phrases),
            ("negatedPhrases", &self.negated_phrases),
        ] {
            builder.begin_array(name);
            for (place, part) in parts.iter().enumerate() {
                builder.append(&place.to_string(), part.as_str());
            }
            builder.end();
        }
        builder.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;
    use crate::catalog::index::IndexKind;
    use crate::catalog::tests::definition;

    fn with_index(options: &str, check: impl FnOnce(&Text)) {
        let options = parse_document(options).expect("options");
        let key = parse_document(r#"{"a": "text"}"#).expect("a pattern");
        let definition = definition(|b| {
            b.append("key", &key).append("name", "n");
            b.append_all(options.as_document());
        });
        match &definition.kind {
            IndexKind::Text(text) => check(text),
            _ => panic!("it is a text index"),
        }
    }

    const PLAIN: TextOptions = TextOptions {
        case_sensitive: false,
        diacritic_sensitive: false,
    };

    fn parsed(search: &str, options: TextOptions) -> String {
        let mut shown = String::new();
        with_index("{}", |text| {
            let search = text
                .search(search, Language::ENGLISH, options)
                .expect("it parses");
            let mut builder = DocumentBuilder::new();
            search.append_to("q", &mut builder);
            shown = builder.finish().as_document().get("q").to_string();
        });
        shown
    }

    #[test]
    fn the_text_of_a_search_is_parsed() {
        let shown = |terms: &str, negated: &str, phrases: &str, negated_phrases: &str| {
            format!(
                "{{ terms: [{terms}], negatedTerms: [{negated}], phrases: [{phrases}], negatedPhrases: [{negated_phrases}] }}"
            )
        };
        for (search, expected) in [
            ("The running dogs", shown(" \"dog\", \"run\" ", "", "", "")),
            ("coffee -shop", shown(" \"coffe\" ", " \"shop\" ", "", "")),
            (
                "co-op - free",
                shown(" \"co\", \"free\", \"op\" ", "", "", ""),
            ),
            ("-co-op x", shown(" \"x\" ", " \"co\", \"op\" ", "", "")),
            (
                "\"dark roast\" tea",
                shown(" \"dark\", \"roast\", \"tea\" ", "", " \"dark roast\" ", ""),
            ),
            (
                "tea -\"dark roast\"",
                shown(" \"tea\" ", "", "", " \"dark roast\" "),
            ),
            (
                "\"a\" -b -\"c\"",
                shown("", " \"b\" ", " \"a\" ", " \"c\" "),
            ),
            ("\"open", shown(" \"open\" ", "", "", "")),
            ("", shown("", "", "", "")),
        ] {
            assert_eq!(parsed(search, PLAIN), expected, "{search}");
        }
        let sensitive = TextOptions {
            case_sensitive: true,
            diacritic_sensitive: true,
        };
        assert_eq!(
            parsed("Élan DOGS", sensitive),
            shown(" \"DOGS\", \"Élan\" ", "", "", "")
        );
    }

    #[test]
    fn documents_are_tested() {
        let document = |text: &str| {
            let mut builder = DocumentBuilder::new();
            builder.append("a", text);
            builder.finish()
        };
        with_index("{}", |index| {
            let matches = |search: &str, options: TextOptions, text: &str| {
                let search = index
                    .search(search, Language::ENGLISH, options)
                    .expect("it parses");
                index
                    .matches(&search, document(text).as_document())
                    .expect("it is tested")
            };
            assert!(matches("tea -coffee", PLAIN, "tea"));
            assert!(!matches("tea -coffee", PLAIN, "tea and Coffees"));
            assert!(matches("\"dark roast\"", PLAIN, "a DARK roasted bean"));
            assert!(!matches("\"dark roast\"", PLAIN, "dark and roast"));
            assert!(!matches("tea -\"dark roast\"", PLAIN, "tea, dark roast"));
            let sensitive = |case_sensitive, diacritic_sensitive| TextOptions {
                case_sensitive,
                diacritic_sensitive,
            };
            assert!(matches("Tea", sensitive(true, false), "Tea"));
            assert!(!matches("Tea", sensitive(true, false), "tea"));
            assert!(matches("cafe", PLAIN, "café"));
            assert!(!matches("cafe", sensitive(false, true), "café"));
            assert!(matches("\"cafe au\"", PLAIN, "CAFÉ AU LAIT"));
            assert!(!matches(
                "\"cafe au\"",
                sensitive(false, true),
                "café au lait"
            ));
        });
    }
}
