//! The keys of a document in a text index: one for each term of its texts, with the score of the document for it.
//!
//! A term's score in one text is its weight times three factors. The first grows with each time the term is there, by
//! half of the time before: 1, 1.5, 1.75. The second is a half, and half of the term's share of the text's terms. The
//! third is 1.1 where the term is the whole text. Scores of several texts add up.

use super::definition::Text;
use super::murmur;
use super::terms::{Manner, each_term};
use crate::algorithms::{md5, sorting};
use crate::bson::{Document, Text as Bytes, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::{FieldKind, KeyField};
use crate::catalog::index::hashed::plain_value;
use crate::catalog::index::keys::KeySet;
use crate::env::{NoEnv, Words};
use crate::error::{Code, CommandError};

/// A term, and its score in one text.
type Scored = (String, f64);

/// Generates a document's keys.
///
/// # Errors
/// 201 `CannotBuildIndexKeys` for an array in a field beside the texts; errors about languages.
pub(super) fn generate(
    definition: &IndexDefinition,
    text: &Text,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    let mut others = Vec::with_capacity(definition.fields.len());
    for field in &definition.fields {
        others.push(match field.kind {
            FieldKind::Value => other_value(document, field)?,
            _ => ValueRef::Null,
        });
    }
    let mut scored = Vec::new();
    text.score(document, &mut scored)?;
    // In one term the scores stay in the order of the texts, so that the sum is that of a server to the last bit.
    let at = |place: &usize| &scored[*place];
    let order = sorting::sorted_positions(&NoEnv, scored.len(), &mut |one, other| {
        at(&one).0 > at(&other).0
    })?;
    for group in order.chunk_by(|one, other| at(one).0 == at(other).0) {
        let mut score = 0.0;
        group.iter().for_each(|place| score += at(place).1);
        let start = keys.begin_key();
        for (field, other) in definition.fields.iter().zip(&others) {
            match field.kind {
                FieldKind::Term => {
                    let key = term_key(&at(&group[0]).0, text.version);
                    keys.component(ValueRef::String(Bytes(&key)), false);
                }
                FieldKind::Score => keys.component(ValueRef::Double(score), false),
                _ => keys.component(*other, field.descending),
            }
        }
        keys.end_key(start);
        if keys.is_too_large() {
            break;
        }
    }
    keys.check_size()?;
    keys.finish();
    Ok(())
}

fn other_value<'d>(document: Document<'d>, field: &KeyField) -> Result<ValueRef<'d>, CommandError> {
    match plain_value(document, field) {
        Ok(ValueRef::Missing) => Ok(ValueRef::Null),
        Ok(value) => Ok(value),
        Err(_) => Err(CommandError::new(
            Code::CannotBuildIndexKeys,
            format!(
                "Field '{}' of text index contains an array in document: {document}",
                field.path
            ),
        )),
    }
}

/// Sorts terms.
///
/// # Errors
/// None: this host never says no.
pub(super) fn sort(terms: &mut Vec<String>) -> Result<(), CommandError> {
    let follows = &mut |one: usize, other: usize| terms[one] > terms[other];
    let order = sorting::sorted_positions(&NoEnv, terms.len(), follows)?;
    let taken = order
        .into_iter()
        .map(|place| std::mem::take(&mut terms[place]));
    *terms = taken.collect();
    Ok(())
}

/// A term as it stands in a key: a long one is cut, and its hash stands behind.
pub fn term_key(term: &str, version: u8) -> Vec<u8> {
    let mut key = term.as_bytes().to_vec();
    let (kept, hash) = match version {
        2 if key.len() > 32 => (32, murmur::digits(&key)),
        3 if key.len() > 224 => {
            let mut hash = md5::Md5::default();
            hash.update(&key);
            (224, hash.text())
        }
        _ => return key,
    };
    key.truncate(kept);
    key.extend_from_slice(hash.as_bytes());
    key
}

impl Text {
    /// The host's stems and stop words.
    pub(super) fn known_words(&self) -> &dyn Words {
        &*self.words
    }

    /// Appends the terms of each text of a document, with their scores.
    fn score(&self, document: Document<'_>, scored: &mut Vec<Scored>) -> Result<(), CommandError> {
        self.visit_texts(document, &mut |text, language, weight| {
            let mut terms: Vec<String> = Vec::new();
            let manner = Manner::of_index(self.version);
            each_term(self.known_words(), language, manner, text, &mut |term| {
                terms.push(term.to_owned());
            })?;
            let all = terms.len() as f64;
            sort(&mut terms)?;
            for same in terms.chunk_by(|one, other| one == other) {
                let term = &same[0];
                let (mut frequency, mut share) = (0.0, 1.0);
                for _ in same {
                    frequency += share;
                    share /= 2.0;
                }
                let coefficient = (0.5 * same.len() as f64 / all) + 0.5;
                let is_whole = text.eq_ignore_ascii_case(term);
                let adjustment = if is_whole { 1.0 + 0.1 } else { 1.0 };
                let score = weight * frequency * coefficient * adjustment;
                scored.push((term.clone(), score));
            }
            Ok(true)
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;
    use crate::catalog::duplicate_key::key_value;
    use crate::catalog::index::keys as index_keys;
    use crate::catalog::tests::definition;

    /// The keys of a document, without their names.
    fn keys(pattern: &str, options: &str, document: &str) -> Result<Vec<String>, String> {
        let pattern = parse_document(pattern).expect("a pattern");
        let options = parse_document(options).expect("options");
        let definition = definition(|b| {
            b.append("key", &pattern).append("name", "n");
            b.append_all(options.as_document());
        });
        let document = parse_document(document).expect("a document");
        let mut keys = KeySet::default();
        index_keys::generate(&definition, document.as_document(), &mut keys)
            .map_err(|error| format!("{}: {}", error.code, error.message))?;
        let shown = keys.iter().map(|(key, bits)| {
            let key = key_value(&definition, key, bits).expect("it decodes");
            let values: Vec<String> = { key.as_document().iter() }
                .map(|field| field.value.to_string())
                .collect();
            values.join(" ").replace('"', "")
        });
        Ok(shown.collect())
    }

    #[test]
    fn scores_are_the_servers() {
        // One word alone: 1 × (½ + ½) × 1.1. Of four terms `tea` is there twice: 1.5 × (½ + ½ × 2 / 4).
        assert_eq!(
            keys(r#"{"a": "text"}"#, "{}", r#"{"a": "tea"}"#),
            Ok(vec!["tea 1.1".to_owned()])
        );
        assert_eq!(
            keys(
                r#"{"a": "text"}"#,
                "{}",
                r#"{"a": "Tea, green tea of Assam"}"#
            ),
            Ok(["assam 0.625", "green 0.625", "tea 1.125"]
                .map(str::to_owned)
                .to_vec())
        );
        // Weights multiply, and texts add up: 10 × 0.75 + 2 × 1.1.
        assert_eq!(
            keys(
                r#"{"a": "text", "b": "text"}"#,
                r#"{"weights": {"a": 10, "b": 2}}"#,
                r#"{"a": "mint tea", "b": "tea"}"#
            ),
            Ok(["mint 7.5", "tea 9.7"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn other_fields_stand_around_the_term() {
        let pattern = r#"{"k": 1, "a": "text", "z": -1}"#;
        assert_eq!(
            keys(
                pattern,
                "{}",
                r#"{"k": 5, "a": ["tea", {"a": 1}, ["x"]], "z": "y"}"#
            ),
            Ok(vec!["5 tea 1.1 y".to_owned()])
        );
        assert_eq!(
            keys(pattern, "{}", r#"{"a": "tea"}"#),
            Ok(vec!["null tea 1.1 null".to_owned()])
        );
        assert_eq!(keys(pattern, "{}", r#"{"k": 5}"#), Ok(Vec::new()));
        let refusal = keys(pattern, "{}", r#"{"k": [5], "a": "tea"}"#);
        assert!(
            refusal.is_err_and(
                |said| said.starts_with("201: Field 'k' of text index contains an array")
            )
        );
    }

    #[test]
    fn a_document_names_its_language() {
        let all = r#"{"$**": "text"}"#;
        assert_eq!(
            keys(
                all,
                "{}",
                r#"{"language": "spanish", "a": "los perros", "b": {"language": "none", "c": "los"}}"#
            ),
            Ok(["los 1.1", "perr 1.0"].map(str::to_owned).to_vec())
        );
        assert_eq!(
            keys(all, "{}", r#"{"language": "spanglish", "a": "x"}"#),
            Err("17262: language override unsupported: spanglish".to_owned())
        );
        assert_eq!(
            keys(all, "{}", r#"{"language": 5, "a": "x"}"#),
            Err("17261: found language override field in document with non-string type".to_owned())
        );
        assert_eq!(
            keys(
                all,
                r#"{"language_override": "l"}"#,
                r#"{"l": "none", "a": "the", "language": 5}"#
            ),
            Ok(vec!["the 1.1".to_owned()])
        );
        let first = r#"{"default_language": "none", "textIndexVersion": 1}"#;
        assert_eq!(
            keys(
                all,
                first,
                r#"{"a": "the", "b": {"language": "english", "c": "the"}}"#
            ),
            Ok(vec!["the 2.2".to_owned()])
        );
    }

    #[test]
    fn texts_lie_at_the_weighted_paths() {
        assert_eq!(
            keys(
                r#"{"a.b": "text"}"#,
                r#"{"default_language": "none"}"#,
                r#"{"a": [{"b": "x", "c": "no"}, {"b": ["y", 5]}], "a-b": "no", "b": "no"}"#
            ),
            Ok(["x 1.1", "y 1.1"].map(str::to_owned).to_vec())
        );
        // Of all fields: the weight of the first path at or behind the text's own.
        assert_eq!(
            keys(
                r#"{"$**": "text"}"#,
                r#"{"weights": {"m": 3}}"#,
                r#"{"a": "x", "m": "y", "z": "u"}"#
            ),
            Ok(["u 1.1", "x 3.3000000000000003", "y 3.3000000000000003"]
                .map(str::to_owned)
                .to_vec())
        );
    }

    #[test]
    fn long_terms_are_cut() {
        let long = "ab".repeat(150);
        let key = term_key(&long, 3);
        assert_eq!((key.len(), &key[..224]), (256, &long.as_bytes()[..224]));
        assert_eq!(term_key(&long, 2).len(), 64);
        assert_eq!(term_key(&long, 1).len(), 300);
        assert_eq!(term_key(&long[..224], 3).len(), 224);
    }
}
