//! The least or the greatest values of a bucket's fields: of objects field by field, of arrays item by item.

use crate::bson::{DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use std::cmp::Ordering;

/// The least, or the greatest, of some values.
#[derive(Debug, Clone, Default)]
pub enum Bound {
    #[default]
    Nothing,
    Plain(Value<'static>),
    Fields(Vec<(Box<str>, Bound)>),
    Items(Vec<Bound>),
}

impl Bound {
    /// The bound that a bucket has written.
    pub fn read(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Missing => Self::Nothing,
            ValueRef::Document(fields) => Self::Fields(
                { fields.iter() }
                    .map(|field| (field.name.into(), Self::read(field.value)))
                    .collect(),
            ),
            ValueRef::Array(items) => Self::Items(items.iter().map(Self::read).collect()),
            plain => Self::Plain(plain.to_value()),
        }
    }

    /// Whether a value may stand with the others: objects, arrays and plain values do not mix.
    pub fn admits(&self, value: ValueRef<'_>) -> bool {
        match (self, value) {
            (Self::Nothing, _) => true,
            (Self::Fields(held), ValueRef::Document(fields)) => fields.iter().all(|field| {
                let held = held.iter().find(|(name, _)| **name == *field.name);
                held.is_none_or(|(_, bound)| bound.admits(field.value))
            }),
            (Self::Items(held), ValueRef::Array(items)) => held
                .iter()
                .zip(items.iter())
                .all(|(bound, item)| bound.admits(item)),
            (Self::Plain(_), ValueRef::Document(_) | ValueRef::Array(_)) => false,
            (plain, _) => matches!(plain, Self::Plain(_)),
        }
    }

    /// Takes a value that it admits: `beyond` says how a value compares that is to be kept instead.
    pub fn widen(&mut self, value: ValueRef<'_>, beyond: Ordering, collation: &Collation) {
        match (&mut *self, value) {
            (Self::Plain(held), value) => {
                if collation.compare(value, held.as_ref()) == beyond {
                    *held = value.to_value();
                }
            }
            (Self::Fields(held), ValueRef::Document(fields)) => {
                for field in fields.iter() {
                    let place = held.iter().position(|(name, _)| **name == *field.name);
                    let place = place.unwrap_or_else(|| {
                        held.push((field.name.into(), Self::Nothing));
                        held.len() - 1
                    });
                    held[place].1.widen(field.value, beyond, collation);
                }
            }
            (Self::Items(held), ValueRef::Array(items)) => {
                for (place, item) in items.iter().enumerate() {
                    if place == held.len() {
                        held.push(Self::Nothing);
                    }
                    held[place].widen(item, beyond, collation);
                }
            }
            _ => *self = Self::read(value),
        }
    }

    /// Appends the bound under a name.
    pub fn append(&self, name: &str, builder: &mut DocumentBuilder) {
        match self {
            Self::Nothing => {}
            Self::Plain(value) => {
                builder.append(name, value.as_ref());
            }
            Self::Fields(fields) => {
                builder.begin_document(name);
                for (name, bound) in fields {
                    bound.append(name, builder);
                }
                builder.end();
            }
            Self::Items(items) => {
                builder.begin_array(name);
                for (place, item) in items.iter().enumerate() {
                    item.append(&place.to_string(), builder);
                }
                builder.end();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;

    fn document(text: &str) -> crate::bson::DocumentBuf {
        parse_document(text).expect("a document")
    }

    #[test]
    fn bounds_go_into_objects_and_arrays() {
        let (mut least, mut greatest) = (Bound::Nothing, Bound::Nothing);
        for text in [
            r#"{"v": {"a": 1, "b": [5, 2]}}"#,
            r#"{"v": {"b": [1, 9, "x"], "c": true}}"#,
            r#"{"v": {"a": 0}}"#,
        ] {
            let held = document(text);
            let value = held.get("v");
            assert!(least.admits(value));
            least.widen(value, Ordering::Less, &Collation::SIMPLE);
            greatest.widen(value, Ordering::Greater, &Collation::SIMPLE);
        }
        let shown = |bound: &Bound| {
            let mut builder = DocumentBuilder::new();
            bound.append("v", &mut builder);
            builder.finish().as_document().to_string()
        };
        assert_eq!(
            shown(&least),
            "{ v: { a: 0, b: [ 1, 2, \"x\" ], c: true } }"
        );
        assert_eq!(
            shown(&greatest),
            "{ v: { a: 1, b: [ 5, 9, \"x\" ], c: true } }"
        );
        for text in [
            r#"{"v": 1}"#,
            r#"{"v": {"a": {"x": 1}}}"#,
            r#"{"v": {"b": 3}}"#,
            r#"{"v": {"b": [[1]]}}"#,
        ] {
            assert!(!least.admits(document(text).get("v")), "{text}");
        }
    }
}
