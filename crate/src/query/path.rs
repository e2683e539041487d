//! Field paths of the query language, and the walk from a document to the values a path names.
//!
//! Follows the manual's "Query on Embedded/Nested Documents" and "Query an Array" pages. Invariants: a
//! path is split once; walking allocates nothing; a path through documents alone is a plain search
//! for bytes, and only a path that meets an array costs more.

use crate::bson::document::RawElement;
use crate::bson::{BsonType, Document, array_position};
use std::fmt;
use std::rc::Rc;

/// The element that a path yields where there is no value.
pub const MISSING: RawElement<'static> = RawElement {
    kind: BsonType::Missing,
    name: &[],
    value_bytes: &[],
    raw: &[],
};

/// One component of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPart {
    /// The field's name.
    pub name: Box<str>,
    /// The array position this component may also mean: digits without a leading zero.
    pub index: Option<u32>,
}

/// A dotted path, split. Shared by its clones: planning copies predicates.
#[derive(Clone, PartialEq, Eq)]
pub struct QueryPath {
    dotted: Rc<str>,
    parts: Rc<[PathPart]>,
}

impl fmt::Debug for QueryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.dotted)
    }
}

/// The visits to an array at the very end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafArrays {
    /// The array's items are visited, then the array itself.
    Items,
    /// Only the array itself is visited (`$size`, `$elemMatch`).
    Whole,
}

/// Called with each value of a path and the position in the outermost array that was walked through
/// to reach it; answers whether to stop.
pub type Visitor<'x, 'a> = dyn FnMut(&RawElement<'a>, Option<u32>) -> bool + 'x;

/// Where the walk through nested documents alone ends.
pub enum Found<'p, 'a> {
    /// The value, or `MISSING`; no array was met.
    Value(RawElement<'a>),
    /// An array was met, with these components still to go.
    Array(RawElement<'a>, &'p [PathPart]),
}

impl QueryPath {
    pub fn new(dotted: &str) -> Self {
        let parts = dotted
            .split('.')
            .map(|name| PathPart {
                name: name.into(),
                index: array_position(name),
            })
            .collect();
        Self {
            dotted: dotted.into(),
            parts,
        }
    }

    /// The path as written: `a.b.0`.
    pub fn dotted(&self) -> &str {
        &self.dotted
    }

    /// The components; at least one.
    pub fn parts(&self) -> &[PathPart] {
        &self.parts
    }

    /// The first component's name.
    pub fn first(&self) -> &str {
        self.parts.first().map_or("", |part| &part.name)
    }

    /// Walks through nested documents up to the end or to the first array.
    #[inline]
    pub fn find<'a>(&self, document: Document<'a>) -> Found<'_, 'a> {
        find(document, &self.parts)
    }

    /// Visits every value the path names in the document, until the visitor stops the walk.
    ///
    /// A path with no value at all visits `MISSING`, except that items of an array that are neither documents nor
    /// at a position the path names visit nothing.
    pub fn visit<'a>(
        &self,
        document: Document<'a>,
        leaf: LeafArrays,
        visitor: &mut Visitor<'_, 'a>,
    ) -> bool {
        visit_found(self.find(document), leaf, visitor)
    }
}

/// Whether the bytes at a walk's end are visited: see [`QueryPath::visit`].
pub(super) fn visit_found<'a>(
    found: Found<'_, 'a>,
    leaf: LeafArrays,
    visitor: &mut Visitor<'_, 'a>,
) -> bool {
    match found {
        Found::Value(element) => visitor(&element, None),
        Found::Array(array, []) => {
            if leaf == LeafArrays::Items {
                let items = Document::from_valid_bytes(array.value_bytes).raw_elements();
                for (position, item) in items.enumerate() {
                    if visitor(&item, Some(position as u32)) {
                        return true;
                    }
                }
            }
            visitor(&array, None)
        }
        Found::Array(array, rest) => visit_items(&array, rest, leaf, visitor),
    }
}

fn visit_items<'a>(
    array: &RawElement<'a>,
    rest: &[PathPart],
    leaf: LeafArrays,
    visitor: &mut Visitor<'_, 'a>,
) -> bool {
    let Some((next, after)) = rest.split_first() else {
        return false;
    };
    let items = Document::from_valid_bytes(array.value_bytes).raw_elements();
    for (position, item) in items.enumerate() {
        let position = position as u32;
        let is_named = next.index == Some(position);
        if item.kind == BsonType::Document {
            let document = Document::from_valid_bytes(item.value_bytes);
            // The outermost array's position is the one that counts.
            let stop = visit_found(find(document, rest), leaf, &mut |element, _| {
                visitor(element, Some(position))
            });
            if stop {
                return true;
            }
            if is_named {
                let stop = if after.is_empty() {
                    visitor(&item, None)
                } else {
                    visit_found(find(document, after), leaf, visitor)
                };
                if stop {
                    return true;
                }
            }
        } else if is_named {
            let stop = if after.is_empty() {
                visitor(&item, None)
            } else {
                item.kind == BsonType::Array && visit_items(&item, after, leaf, visitor)
            };
            if stop {
                return true;
            }
        }
    }
    false
}

#[inline]
fn find<'p, 'a>(document: Document<'a>, parts: &'p [PathPart]) -> Found<'p, 'a> {
    let mut document = document;
    let mut parts = parts;
    while let Some((part, rest)) = parts.split_first() {
        let Some(element) = find_field(document, part.name.as_bytes()) else {
            return Found::Value(MISSING);
        };
        match element.kind {
            BsonType::Array => return Found::Array(element, rest),
            _ if rest.is_empty() => return Found::Value(element),
            BsonType::Document => {
                document = Document::from_valid_bytes(element.value_bytes);
                parts = rest;
            }
            _ => return Found::Value(MISSING),
        }
    }
    Found::Value(MISSING)
}

/// The first field of a name.
#[inline]
pub fn find_field<'a>(document: Document<'a>, name: &[u8]) -> Option<RawElement<'a>> {
    document.find_raw(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::document;

    fn visited(json: &str, path: &str) -> Vec<String> {
        let document = document(json);
        let mut seen = Vec::new();
        QueryPath::new(path).visit(
            document.as_document(),
            LeafArrays::Items,
            &mut |element, at| {
                let at = at.map_or(String::new(), |at| format!("@{at}"));
                seen.push(format!("{}{at}", element.value()));
                false
            },
        );
        seen
    }

    #[test]
    fn arrays_are_walked_item_by_item_then_whole() {
        assert_eq!(visited("{a: 5}", "a"), ["5"]);
        assert_eq!(visited("{a: [1, 2]}", "a"), ["1@0", "2@1", "[ 1, 2 ]"]);
        assert_eq!(visited("{a: []}", "a"), ["[]"]);
        assert_eq!(visited("{b: 1}", "a").len(), 1);
        assert_eq!(visited("{a: {b: 1}}", "a.b"), ["1"]);
        assert_eq!(visited("{a: [1, 2]}", "a.b"), Vec::<String>::new());
        assert_eq!(
            visited("{a: [{b: 1}, 4, {b: [2, 3]}]}", "a.b"),
            ["1@0", "2@2", "3@2", "[ 2, 3 ]@2"]
        );
    }

    #[test]
    fn a_number_is_a_position_and_a_name() {
        assert_eq!(visited("{a: [5, 7, 3]}", "a.1"), ["7"]);
        assert_eq!(visited("{a: [5, [2, 4], 3]}", "a.1"), ["[ 2, 4 ]"]);
        assert_eq!(
            visited("{a: [5, {\"1\": 4}, 3]}", "a.1"),
            ["4@1", "{ 1: 4 }"]
        );
        assert_eq!(visited("{a: {\"1\": 4}}", "a.1"), ["4"]);
        assert_eq!(visited("{a: [5]}", "a.01"), Vec::<String>::new());
        let nested = visited("{a: [0, {b: [8, 9]}]}", "a.1.b");
        assert_eq!(nested.last().map(String::as_str), Some("[ 8, 9 ]"));
        assert_eq!(visited("{a: [[{b: 3}]]}", "a.0.b"), ["3@0"]);
        assert_eq!(visited("{a: [[1, 2], [3]]}", "a.0.1"), ["2"]);
    }
}
