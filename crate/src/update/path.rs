//! Paths of update operators: `a.b.0`, `a.$.b`, `a.$[].b`, `a.$[item].b`.
//!
//! Follows the manual's positional operator pages. Invariant: a compiled path has no empty part, at
//! most one `$`, and begins with a plain name.

use super::errors::{bad_value, fail};
use crate::bson::array_position;
use crate::error::{Code, CommandError};
use std::cmp::Ordering;

/// One part of an update path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A field's name, which is also an array position when it is digits without a leading zero.
    Name {
        name: Box<str>,
        index: Option<usize>,
    },
    /// `$`: the array item that the query matched.
    Matched,
    /// `$[]`: every array item.
    All,
    /// `$[identifier]`: the items an array filter accepts, by the filter's position.
    Filtered { identifier: Box<str>, filter: usize },
}

impl Part {
    pub(super) fn name(name: &str) -> Self {
        Self::Name {
            name: name.into(),
            index: array_index(name),
        }
    }

    /// Whether the part stands for some or all items of an array.
    pub(super) fn is_array_wide(&self) -> bool {
        matches!(self, Self::All | Self::Filtered { .. })
    }

    /// The part as it is written.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Name { name, .. } => name.to_string(),
            Self::Matched => "$".to_owned(),
            Self::All => "$[]".to_owned(),
            Self::Filtered { identifier, .. } => format!("$[{identifier}]"),
        }
    }

    /// The order in which new fields are created: names by bytes, but numbers by value.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Name { index: Some(a), .. }, Self::Name { index: Some(b), .. }) => a.cmp(b),
            (Self::Name { name: a, .. }, Self::Name { name: b, .. }) => {
                a.as_bytes().cmp(b.as_bytes())
            }
            (Self::Name { .. }, _) => Ordering::Less,
            (_, Self::Name { .. }) => Ordering::Greater,
            (a, b) => a.text().cmp(&b.text()),
        }
    }
}

/// The array position a name may mean.
pub(super) fn array_index(name: &str) -> Option<usize> {
    array_position(name).map(|position| position as usize)
}

/// Splits and checks a path. `filters` are the identifiers of the array filters.
pub(super) fn parse(
    path: &str,
    filters: &mut dyn FnMut(&str) -> Option<usize>,
) -> Result<Vec<Part>, CommandError> {
    if path.is_empty() {
        return fail(Code::EmptyFieldName, "An empty update path is not valid.");
    }
    let mut parts = Vec::new();
    let mut matched = 0;
    for (position, name) in path.split('.').enumerate() {
        if name.is_empty() {
            return fail(
                Code::EmptyFieldName,
                format!(
                    "The update path '{path}' contains an empty field name, which is not allowed."
                ),
            );
        }
        let part = match name
            .strip_prefix("$[")
            .and_then(|rest| rest.strip_suffix(']'))
        {
            Some("") => Part::All,
            Some(identifier) => match filters(identifier) {
                Some(filter) => Part::Filtered {
                    identifier: identifier.into(),
                    filter,
                },
                None => {
                    return Err(bad_value(format!(
                        "No array filter found for identifier '{identifier}' in path '{path}'"
                    )));
                }
            },
            None if name == "$" => Part::Matched,
            None => Part::name(name),
        };
        if position == 0 && part.is_array_wide() {
            return Err(bad_value(format!(
                "Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '{path}'"
            )));
        }
        if part == Part::Matched {
            matched += 1;
            if matched > 1 {
                return Err(bad_value(format!(
                    "Too many positional (i.e. '$') elements found in path '{path}'"
                )));
            }
            if position == 0 {
                return Err(bad_value(format!(
                    "Cannot have positional (i.e. '$') element in the first position in path '{path}'"
                )));
            }
        }
        parts.push(part);
    }
    Ok(parts)
}
