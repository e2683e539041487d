//! `$text`: a search in the texts that a collection's text index holds.
//!
//! Follows the manual's "$text" page. The planner reads the index for it, so there is nothing to test a document by.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::index::text::search::TextOptions;
use crate::error::{Code, CommandError};
use crate::expr::{MetaKind, Metadata};
use crate::query::compile::{Compiler, bad_value};
use crate::query::node::MatchNode;
use std::cell::RefCell;
use std::rc::Rc;

/// A search, before an index is known for it.
#[derive(Debug, Clone)]
pub struct TextTest {
    pub search: Rc<str>,
    /// The language's name; where none is given the planner puts that of the index here.
    pub language: Rc<RefCell<Box<str>>>,
    pub options: TextOptions,
}

impl TextTest {
    /// Writes `$text: {…}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        builder
            .begin_document("$text")
            .append("$search", &*self.search)
            .append("$language", &**self.language.borrow())
            .append("$caseSensitive", self.options.case_sensitive)
            .append("$diacriticSensitive", self.options.diacritic_sensitive)
            .end();
    }
}

/// The error of a search where no index can be read for it.
pub fn not_allowed() -> CommandError {
    bad_value("$text is not allowed in this context")
}

fn wrong_type(name: &str, expected: &str, value: ValueRef<'_>) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "\"{name}\" had the wrong type. Expected {expected}, found {}",
            value.type_name()
        ),
    )
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    _: &str,
    value: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    if compiler.nested {
        return Err(bad_value(
            "$text can only be applied to the top-level document",
        ));
    }
    if !compiler.texts {
        return Err(not_allowed());
    }
    let Some(given) = value.as_document() else {
        return Err(bad_value("$text expects an object"));
    };
    let text = |name: &str| match given.get(name) {
        ValueRef::Missing => Ok(None),
        ValueRef::String(text) => text.checked().map(Some),
        other => Err(wrong_type(name, "string", other)),
    };
    let flag = |name: &str| match given.get(name) {
        ValueRef::Missing => Ok(false),
        ValueRef::Boolean(flag) => Ok(flag),
        other => Err(wrong_type(name, "boolean", other)),
    };
    let search = text("$search")?
        .ok_or_else(|| CommandError::new(Code::NoSuchKey, "Missing expected field \"$search\""))?;
    let language = text("$language")?.unwrap_or_default();
    let options = TextOptions {
        case_sensitive: flag("$caseSensitive")?,
        diacritic_sensitive: flag("$diacriticSensitive")?,
    };
    let is_known = |name: &str| {
        matches!(
            name,
            "$search" | "$language" | "$caseSensitive" | "$diacriticSensitive"
        )
    };
    if !given.iter().all(|field| is_known(field.name)) {
        return Err(bad_value("extra fields in $text"));
    }
    Metadata::offer(&compiler.context.metadata, MetaKind::TEXT_SCORE);
    Ok(Some(MatchNode::Text(TextTest {
        search: search.into(),
        language: Rc::new(RefCell::new(language.into())),
        options,
    })))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matcher, refusal};

    #[test]
    fn the_operand_is_checked() {
        let parsed = matcher("{$text: {$search: \"tea\", $caseSensitive: true}}");
        assert_eq!(
            parsed
                .map(|matcher| format!("{:?}", matcher.root()))
                .as_deref(),
            Ok(
                "{ $text: { $search: \"tea\", $language: \"\", $caseSensitive: true, $diacriticSensitive: false } }"
            )
        );
        for (filter, expected) in [
            ("{$text: 5}", "2: $text expects an object"),
            ("{$text: {}}", "4: Missing expected field \"$search\""),
            (
                "{$text: {$search: 5}}",
                "14: \"$search\" had the wrong type. Expected string, found int",
            ),
            (
                "{$text: {$search: \"a\", $language: 5}}",
                "14: \"$language\" had the wrong type. Expected string, found int",
            ),
            (
                "{$text: {$search: \"a\", $caseSensitive: 1}}",
                "14: \"$caseSensitive\" had the wrong type. Expected boolean, found int",
            ),
            (
                "{$text: {$search: \"a\", $foo: 1}}",
                "2: extra fields in $text",
            ),
            (
                "{a: {$elemMatch: {$text: {$search: \"a\"}}}}",
                "2: $text can only be applied to the top-level document",
            ),
            (
                "{a: {$text: {$search: \"a\"}}}",
                "2: unknown operator: $text",
            ),
        ] {
            assert_eq!(refusal(filter), expected, "{filter}");
        }
    }
}
