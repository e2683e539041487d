//! The texts of a document that an index holds, each with its language and its weight.
//!
//! Follows the manual's "Specify the Default Language for a Text Index". A document names the language of its texts in
//! a field of its own, and a document inside that of its own; in version 1 the outermost alone does. Invariant: of an
//! index of all fields a text takes the weight of the first path at or behind its own, as on a server, and 1 where
//! there is none.

use super::definition::Text;
use super::language::Language;
use crate::bson::{Document, ValueRef};
use crate::error::CommandError;

/// Sees a text, its language and its weight; gives whether it wants more.
pub(super) type Visitor<'v> = dyn FnMut(&str, Language, f64) -> Result<bool, CommandError> + 'v;

struct Walk<'w, 'v> {
    index: &'w Text,
    path: String,
    visitor: &'w mut Visitor<'v>,
}

impl Text {
    /// Visits the texts of a document that the index holds; false where the visitor ended it.
    ///
    /// # Errors
    /// 17261 and 17262 for a language that is none; those of the visitor.
    pub(super) fn visit_texts(
        &self,
        document: Document<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let mut walk = Walk {
            index: self,
            path: String::new(),
            visitor,
        };
        walk.document(document, self.default_language, false)
    }

    fn language_of(
        &self,
        document: Document<'_>,
        otherwise: Language,
    ) -> Result<Language, CommandError> {
        match document.get(&self.language_override) {
            ValueRef::Missing => Ok(otherwise),
            ValueRef::String(name) => {
                let name = name.checked()?;
                Language::parse(name, self.version).map_err(|_| {
                    CommandError::location(17262, format!("language override unsupported: {name}"))
                })
            }
            _ if self.version == 1 => Ok(otherwise),
            _ => Err(CommandError::location(
                17261,
                "found language override field in document with non-string type",
            )),
        }
    }
}

impl Walk<'_, '_> {
    fn document(
        &mut self,
        document: Document<'_>,
        otherwise: Language,
        is_array: bool,
    ) -> Result<bool, CommandError> {
        let index = self.index;
        let is_outermost = self.path.is_empty();
        let language = match index.version == 1 && !is_outermost {
            true => otherwise,
            false => index.language_of(document, otherwise)?,
        };
        for element in document.iter() {
            if index.is_wildcard && *element.name == *index.language_override {
                continue;
            }
            let length = self.path.len();
            if is_outermost {
                self.path.push_str(element.name);
            } else if !is_array {
                self.path.push('.');
                self.path.push_str(element.name);
            }
            let goes_on = self.element(element.value, language, is_array)?;
            self.path.truncate(length);
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn element(
        &mut self,
        value: ValueRef<'_>,
        language: Language,
        is_in_array: bool,
    ) -> Result<bool, CommandError> {
        let index = self.index;
        let length = self.path.len();
        if matches!(value, ValueRef::Document(_)) {
            self.path.push('.');
        }
        // The first path that can be this one, or below it.
        let key = self.path.as_str();
        let at = index
            .weights
            .partition_point(|(weighted, _)| **weighted < *key);
        self.path.truncate(length);
        let path = self.path.as_str();
        let found = index.weights.get(at);
        let below = |weighted: &str| {
            { weighted.strip_prefix(path) }.is_some_and(|rest| rest.starts_with('.'))
        };
        let is_exact = found.is_some_and(|(weighted, _)| **weighted == *path);
        if !index.is_wildcard && !is_exact && !found.is_some_and(|(weighted, _)| below(weighted)) {
            return Ok(true);
        }
        match value {
            ValueRef::String(text) if is_exact || index.is_wildcard => {
                let weight = found.map_or(1.0, |(_, weight)| *weight);
                (self.visitor)(text.checked()?, language, weight)
            }
            ValueRef::Document(inner) if !is_exact || index.is_wildcard => {
                self.document(inner, language, false)
            }
            ValueRef::Array(items) if !is_in_array || index.is_wildcard => {
                self.document(Document::from_valid_bytes(items.as_bytes()), language, true)
            }
            _ => Ok(true),
        }
    }
}
