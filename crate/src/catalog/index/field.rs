//! The fields of a key pattern, each with the kind of component that it puts into a key.

use super::kind;
use crate::bson::Element;

/// The kind of a component of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// The value at the field's path.
    Value,
    /// The hash of that value.
    Hashed,
    /// The hash of a point on a plane.
    Flat,
    /// A cell of the sphere.
    Sphere,
    /// A path that a document has, before the value there.
    Path,
    /// The value at a path that the component before it names. In a key pattern the field stands for both.
    Wildcard,
    /// A term of a text.
    Term,
    /// The score of a document for the term before it.
    Score,
}

impl FieldKind {
    /// Whether the component is a value of the document.
    pub fn is_value(self) -> bool {
        matches!(self, Self::Value | Self::Wildcard)
    }

    /// Whether the component tells where something is.
    pub fn is_geo(self) -> bool {
        matches!(self, Self::Flat | Self::Sphere)
    }

    /// Whether the component is the path of the one behind it.
    pub fn is_path(self) -> bool {
        self == Self::Path
    }

    /// Whether the component before it is its path.
    pub fn has_path(self) -> bool {
        self == Self::Wildcard
    }
}

/// One field of a key pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyField {
    /// The dotted path.
    pub path: Box<str>,
    /// The path's parts, in order; never empty.
    pub components: Box<[Box<str>]>,
    pub descending: bool,
    pub kind: FieldKind,
}

impl KeyField {
    pub fn new(path: &str, descending: bool) -> Self {
        Self {
            path: path.into(),
            components: path.split('.').map(Box::from).collect(),
            descending,
            kind: FieldKind::Value,
        }
    }

    /// The field that an element of a valid key pattern stands for.
    pub(super) fn of_pattern(element: &Element<'_>) -> Self {
        let direction = element.value.as_number();
        Self {
            kind: match element.name {
                "_ftsx" => FieldKind::Score,
                _ => kind::named_by(element).map_or(FieldKind::Value, |row| row.field),
            },
            ..Self::new(
                element.name,
                direction.is_some_and(|number| number.to_f64() <= 0.0),
            )
        }
    }
}
