//! The specification of a text index in full: its key pattern as it is kept, and every option.
//!
//! Manual: reference/command/createIndexes, "Options for text Indexes". `{key: {a: "text"}}` becomes
//! `{key: {_fts: "text", _ftsx: 1}, weights: {a: 1}, default_language: "english", …}`. A specification that is complete
//! stays as it is.

use super::language::Language;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Text, ValueRef};
use crate::catalog::index::validation::{cannot_create, has_type_of_weights};
use crate::error::CommandError;

/// Weights are below this one.
const MOST_WEIGHT: i64 = 100_000;
/// The name for every field.
const ALL: &str = "$**";

fn refuse<T>(message: impl Into<String>) -> Result<T, CommandError> {
    Err(cannot_create(message))
}

fn is_text(value: ValueRef<'_>) -> bool {
    value.as_str() == Some("text")
}

/// The complete specification of a text index; `None` for any other index.
///
/// # Errors
/// 67 `CannotCreateIndex`.
#[inline(never)]
pub(in crate::catalog::index) fn completed(
    specification: Document<'_>,
) -> Result<Option<DocumentBuf>, CommandError> {
    let Some(key) = specification.get("key").as_document() else {
        return Ok(None);
    };
    // What else is wrong with a pattern is told of every kind alike.
    if !key.iter().any(|field| is_text(field.value)) || has_other_kind(key) {
        return Ok(None);
    }
    let own = |name: &str| specification.get(name);
    let text = |name: &str, default: &'static str| match own(name) {
        ValueRef::Missing => Some(Text(default.as_bytes())),
        value => value.as_text(),
    };
    let version = match own("textIndexVersion") {
        ValueRef::Missing => Some(3),
        value => value.as_number().map(|number| number.to_i64_saturating()),
    };
    let given = own("weights");
    // An option of a wrong type is refused later, as for an index of any other kind.
    let (Some(language), Some(language_override), Some(version), true) = (
        text("default_language", "english"),
        text("language_override", "language"),
        version,
        given.is_missing() || has_type_of_weights(given),
    ) else {
        return Ok(None);
    };
    let mut weights: Vec<(&str, i64)> = Vec::new();
    let pattern = pattern(key, &mut weights)?;
    own_weights(given, &mut weights)?;
    let (language, language_override) = (language.checked()?, language_override.checked()?);
    if language_override.is_empty()
        || language_override.starts_with('$')
        || language_override.contains('.')
    {
        return refuse("language_override is not valid");
    }
    if !(1..=3).contains(&version) {
        return refuse(format!("bad textIndexVersion: {version}"));
    }
    if Language::parse(language, version as u8).is_err() {
        return refuse("default_language is not valid");
    }
    let mut complete = DocumentBuilder::new();
    let mut is_written = [false; 3];
    let mut write = |place: usize, complete: &mut DocumentBuilder| {
        if std::mem::replace(&mut is_written[place], true) {
            return;
        }
        match place {
            0 => {
                complete.begin_document("weights");
                for (path, weight) in &weights {
                    complete.append(path, *weight as i32);
                }
                complete.end();
            }
            1 => {
                complete.append("default_language", language);
            }
            _ => {
                complete.append("language_override", language_override);
            }
        }
    };
    for element in specification.iter() {
        match element.name {
            "key" => {
                complete.append("key", &pattern);
            }
            "weights" => write(0, &mut complete),
            "default_language" => write(1, &mut complete),
            "language_override" => write(2, &mut complete),
            "textIndexVersion" => {}
            _ => {
                complete.append_raw(element.raw);
            }
        }
    }
    (0..3).for_each(|place| write(place, &mut complete));
    complete.append("textIndexVersion", version as i32);
    Ok(Some(complete.finish()))
}

fn has_other_kind(key: Document<'_>) -> bool {
    let mut strings = key.iter().filter(|field| field.value.as_str().is_some());
    strings.any(|field| !is_text(field.value))
}

/// The key pattern as it is kept; adds the weights of its fields.
fn pattern<'k>(
    key: Document<'k>,
    weights: &mut Vec<(&'k str, i64)>,
) -> Result<DocumentBuf, CommandError> {
    let mut pattern = DocumentBuilder::new();
    // Before the texts, among them, behind them.
    let mut place = 0;
    let is_kept = key.iter().any(|field| field.name == "_fts");
    for field in key.iter() {
        let is_reserved = matches!(field.name, "_fts" | "_ftsx");
        if place == 1 && is_kept {
            if field.name != "_ftsx" {
                return refuse("expected _ftsx after _fts");
            }
            if field.value.as_exact_i64() != Some(1) {
                return refuse("expecting _ftsx:1");
            }
            place = 2;
        } else if is_reserved && !(is_kept && field.name == "_fts" && place == 0) {
            return refuse("text index with reserved fields _fts/_ftsx not allowed");
        } else if is_text(field.value) {
            match place {
                0 => {
                    pattern.append("_fts", "text");
                    pattern.append("_ftsx", 1);
                }
                1 => {}
                _ => return refuse("'text' fields in index must all be adjacent"),
            }
            place = 1;
            if !is_kept {
                weights.push((field.name, 1));
            }
        } else if is_reserved {
            return refuse("expecting _fts:\"text\"");
        } else {
            if !matches!(field.value.as_exact_i64(), Some(1 | -1)) {
                return refuse("expected value 1 or -1 for non-text key in compound index");
            }
            if place == 1 {
                place = 2;
            }
            pattern.append_raw(field.raw);
        }
    }
    match place == 1 && is_kept {
        true => refuse("expected _ftsx after _fts"),
        false => Ok(pattern.finish()),
    }
}

/// Puts the weights of the option beside and above those of the pattern, in the order of their paths.
fn own_weights<'w>(
    option: ValueRef<'w>,
    weights: &mut Vec<(&'w str, i64)>,
) -> Result<(), CommandError> {
    let given = std::mem::take(weights);
    let mut add = |path: &'w str, weight: i64| {
        let at = weights.partition_point(|(held, _)| *held < path);
        match weights.get_mut(at) {
            Some(held) if held.0 == path => held.1 = weight,
            _ => weights.insert(at, (path, weight)),
        }
    };
    given
        .into_iter()
        .for_each(|(path, weight)| add(path, weight));
    match option {
        ValueRef::Missing => {}
        ValueRef::Document(given) => {
            for field in given.iter() {
                let Some(weight) = field.value.as_number() else {
                    return refuse("weight for text index needs numeric type");
                };
                let whole = weight.to_i64_saturating();
                add(field.name, whole.clamp(i32::MIN.into(), i32::MAX.into()));
            }
        }
        ValueRef::String(all) if all == *ALL => add(ALL, 1),
        _ => return refuse("text index option 'weights' must be an object"),
    }
    if weights.is_empty() {
        return refuse("text index option 'weights' must specify fields or the wildcard");
    }
    for (path, weight) in weights.iter() {
        if !(1..MOST_WEIGHT).contains(weight) {
            return refuse(format!(
                "text index weight must be in the exclusive interval (0,{MOST_WEIGHT}) but found: {weight}"
            ));
        }
        if *path == ALL {
            continue;
        }
        if path.is_empty() {
            return refuse("weight cannot be on an empty field");
        }
        for part in path.split('.') {
            if part.is_empty() {
                return refuse("weight cannot have empty path component");
            }
            if part.starts_with('$') {
                return refuse("weight cannot have path component with $ prefix");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;

    fn complete(specification: &str) -> String {
        let specification = parse_document(specification).expect("a specification");
        match completed(specification.as_document()) {
            Ok(Some(complete)) => complete.as_document().to_string(),
            Ok(None) => "another kind".to_owned(),
            Err(error) => format!("{}: {}", error.code, error.message),
        }
    }

    #[test]
    fn options_are_completed_in_their_order() {
        assert_eq!(
            complete(r#"{"key": {"b": "text", "a": "text"}, "name": "n"}"#),
            "{ key: { _fts: \"text\", _ftsx: 1 }, name: \"n\", weights: { a: 1, b: 1 }, default_language: \"english\", \
             language_override: \"language\", textIndexVersion: 3 }"
        );
        let kept = r#"{"key": {"k": 1, "_fts": "text", "_ftsx": 1, "z": -1}, "name": "n", "weights": {"a": 5},
            "default_language": "none", "language_override": "l", "textIndexVersion": 2}"#;
        let once = complete(kept);
        assert!(once.starts_with(
            "{ key: { k: 1, _fts: \"text\", _ftsx: 1, z: -1 }, name: \"n\", weights: { a: 5 }"
        ));
        assert!(
            once.ends_with("language_override: \"l\", textIndexVersion: 2 }"),
            "{once}"
        );
        assert_eq!(
            complete(r#"{"key": {"a": 1}, "weights": 5}"#),
            "another kind"
        );
        assert_eq!(
            complete(r#"{"key": {"a": "text", "b": "hashed"}}"#),
            "another kind"
        );
        // Options of a wrong type are refused of every kind alike.
        for option in ["default_language", "language_override", "weights"] {
            let specification = format!(r#"{{"key": {{"a": "text"}}, "{option}": 1}}"#);
            assert_eq!(complete(&specification), "another kind");
        }
    }

    #[test]
    fn wrong_specifications_are_refused() {
        for (specification, reason) in [
            (
                r#"{"key": {"a": "text", "b": 1, "c": "text"}}"#,
                "'text' fields in index must all be adjacent",
            ),
            (
                r#"{"key": {"a": "text", "b": 2}}"#,
                "expected value 1 or -1 for non-text key in compound index",
            ),
            (
                r#"{"key": {"a": "text", "_ftsx": 1}}"#,
                "text index with reserved fields _fts/_ftsx not allowed",
            ),
            (r#"{"key": {"_fts": "text"}}"#, "expected _ftsx after _fts"),
            (
                r#"{"key": {"_fts": "text", "_ftsx": 2}}"#,
                "expecting _ftsx:1",
            ),
            (
                r#"{"key": {"_fts": "text", "_ftsx": 1}}"#,
                "text index option 'weights' must specify fields or the wildcard",
            ),
            (
                r#"{"key": {"a": "text"}, "weights": {"a": "x"}}"#,
                "weight for text index needs numeric type",
            ),
            (
                r#"{"key": {"a": "text"}, "weights": []}"#,
                "text index option 'weights' must be an object",
            ),
            (
                r#"{"key": {"a": "text"}, "weights": {"b": 100000}}"#,
                "text index weight must be in the exclusive interval (0,100000) but found: 100000",
            ),
            (
                r#"{"key": {"a": "text"}, "weights": {"a": 0}}"#,
                "text index weight must be in the exclusive interval (0,100000) but found: 0",
            ),
            (
                r#"{"key": {"a": "text"}, "weights": {"": 1}}"#,
                "weight cannot be on an empty field",
            ),
            (
                r#"{"key": {"a": "text"}, "weights": {"b..c": 1}}"#,
                "weight cannot have empty path component",
            ),
            (
                r#"{"key": {"a": "text"}, "weights": {"b.$c": 1}}"#,
                "weight cannot have path component with $ prefix",
            ),
            (
                r#"{"key": {"a": "text"}, "default_language": "spanglish"}"#,
                "default_language is not valid",
            ),
            (
                r#"{"key": {"a": "text"}, "language_override": "a.b"}"#,
                "language_override is not valid",
            ),
            (
                r#"{"key": {"a": "text"}, "textIndexVersion": 4}"#,
                "bad textIndexVersion: 4",
            ),
        ] {
            assert_eq!(
                complete(specification),
                format!("67: {reason}"),
                "{specification}"
            );
        }
    }
}
