//! The `$sort` of `$push`: whole items, or fields of documents.

use super::super::errors::bad_value;
use crate::bson::ValueRef;
use crate::collation::Collation;
use crate::error::CommandError;
use std::cmp::Ordering;

/// How to order an array's items.
pub(super) enum PushSort {
    Whole {
        descending: bool,
    },
    /// Dotted paths, each with whether it sorts down.
    Fields(Vec<(Box<str>, bool)>),
}

const DIRECTION: &str = "The $sort element value must be either 1 or -1";

fn descending(value: ValueRef<'_>) -> Result<bool, CommandError> {
    match value.as_exact_i64() {
        Some(1) => Ok(false),
        Some(-1) => Ok(true),
        _ => Err(bad_value(DIRECTION)),
    }
}

impl PushSort {
    pub(super) fn compile(value: ValueRef<'_>) -> Result<Self, CommandError> {
        let pattern = match value {
            ValueRef::Document(pattern) => pattern,
            number if number.as_number().is_some() => {
                return Ok(Self::Whole {
                    descending: descending(number)?,
                });
            }
            _ => {
                return Err(bad_value(
                    "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort \
                     embedded fields",
                ));
            }
        };
        if pattern.is_empty() {
            return Err(bad_value(
                "The $sort pattern is empty when it should be a set of fields.",
            ));
        }
        let mut fields = Vec::new();
        for element in pattern.iter() {
            let descending = descending(element.value)?;
            if element.name.is_empty() {
                return Err(bad_value("The $sort field cannot be empty"));
            }
            if element.name.split('.').any(str::is_empty) {
                return Err(bad_value(format!(
                    "The $sort field is a dotted field but has an empty part: {}",
                    element.name
                )));
            }
            fields.push((element.name.into(), descending));
        }
        Ok(Self::Fields(fields))
    }

    pub(super) fn order(
        &self,
        left: ValueRef<'_>,
        right: ValueRef<'_>,
        collation: &Collation,
    ) -> Ordering {
        let directed = |ordering: Ordering, descending: bool| match descending {
            true => ordering.reverse(),
            false => ordering,
        };
        match self {
            Self::Whole { descending } => directed(collation.compare(left, right), *descending),
            Self::Fields(fields) => fields
                .iter()
                .map(|(path, descending)| {
                    directed(
                        collation.compare(at_path(left, path), at_path(right, path)),
                        *descending,
                    )
                })
                .find(|ordering| *ordering != Ordering::Equal)
                .unwrap_or(Ordering::Equal),
        }
    }
}

/// The value at a path through documents and array positions; null where there is none.
fn at_path<'v>(value: ValueRef<'v>, path: &str) -> ValueRef<'v> {
    let mut value = value;
    for part in path.split('.') {
        value = match value {
            ValueRef::Document(document) => document.get(part),
            ValueRef::Array(array) => part
                .parse()
                .map_or(ValueRef::Missing, |index| array.get(index)),
            _ => ValueRef::Missing,
        };
    }
    match value {
        ValueRef::Missing => ValueRef::Null,
        found => found,
    }
}
