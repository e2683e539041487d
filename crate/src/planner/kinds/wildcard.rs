//! Wildcard indexes as the planner sees them: for each path of the filter an index over that path alone.
//!
//! Follows the manual's "Wildcard Indexes" pages. Invariants: one path bounds a scan; bounds that reach into the
//! documents of a path take in the paths below it, for documents have no keys of their own; a path with a number
//! below an array serves no filter, since keys do not tell positions.

use super::rules::{FieldFacts, FieldRules, LeafBounds, Tightness};
use super::value::{Plain, value_bounds};
use crate::bson::{Array, Document, DocumentBuilder, Text, Value, ValueRef, is_digits};
use crate::catalog::index::facts::has_position;
use crate::catalog::index::wildcard::Wildcard;
use crate::catalog::{FieldKind, Index};
use crate::plan::{FieldBounds, IndexFacts, Interval, Intervals};
use crate::query::MatchNode;
use crate::query::predicate::comparison::ComparisonKind;
use std::rc::Rc;

/// The field of a key that holds the path.
pub const PATH: &str = "$_path";

/// The rules of the component that names a path.
pub struct Path;

impl FieldRules for Path {
    fn bounds(&self, _node: &MatchNode, _facts: FieldFacts) -> Option<LeafBounds> {
        None
    }

    fn compared(&self, _: &str, _: ValueRef<'_>, _: FieldFacts) -> Option<Interval> {
        None
    }

    fn gives_order(&self) -> bool {
        Plain.gives_order()
    }
}

/// The rules of the values at a path: whole documents and arrays have none.
pub struct AtPath;

impl FieldRules for AtPath {
    fn bounds(&self, node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
        if !supports(node) {
            return None;
        }
        value_bounds(node, facts).map(widen)
    }

    fn compared(&self, _: &str, _: ValueRef<'_>, _: FieldFacts) -> Option<Interval> {
        None
    }

    fn gives_order(&self) -> bool {
        Plain.gives_order()
    }
}

/// The indexes over single paths that a wildcard index is for a filter.
pub fn expansions(
    position: usize,
    index: &Index,
    wildcard: &Wildcard,
    parts: &[MatchNode],
) -> Vec<Rc<IndexFacts>> {
    let mut paths: Vec<String> = Vec::new();
    for part in parts {
        collect_paths(part, "", &mut paths);
    }
    paths
        .into_iter()
        .filter(|path| wildcard.covers(path))
        .filter_map(|path| {
            let arrays = array_prefixes(&path, &index.array_paths)?;
            Some(expand(position, index, wildcard.position, &path, arrays))
        })
        .collect()
}

/// The index over the fields before the wildcard, if there are any: it holds every document.
pub fn over_prefix(position: usize, index: &Index, wildcard: &Wildcard) -> Option<Rc<IndexFacts>> {
    (wildcard.position > 0).then(|| expand(position, index, wildcard.position, PATH, Vec::new()))
}

fn collect_paths(part: &MatchNode, prefix: &str, paths: &mut Vec<String>) {
    let Some(path) = part.path() else { return };
    let path = format!("{prefix}{}", path.dotted());
    if let MatchNode::ElemMatchObject(test) = part {
        for child in test.filter.conjuncts() {
            collect_paths(child, &format!("{path}."), paths);
        }
    } else if !paths.contains(&path) {
        paths.push(path);
    }
}

/// The prefixes of a path that hold arrays; `None` when a number of it may name a position in one.
fn array_prefixes(path: &str, arrays: &[Box<str>]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let ends = path
        .match_indices('.')
        .map(|(at, _)| at)
        .chain([path.len()]);
    for end in ends {
        let prefix = &path[..end];
        if arrays
            .binary_search_by(|known| (**known).cmp(prefix))
            .is_err()
        {
            continue;
        }
        let next = path.get(end + 1..).and_then(|rest| rest.split('.').next());
        if next.is_some_and(is_digits) {
            return None;
        }
        found.push(prefix.to_owned());
    }
    Some(found)
}

fn expand(
    position: usize,
    index: &Index,
    at: usize,
    path: &str,
    arrays: Vec<String>,
) -> Rc<IndexFacts> {
    let definition = &index.definition;
    let mut fields = Vec::with_capacity(definition.fields.len() + 1);
    let mut kinds = Vec::with_capacity(fields.capacity());
    let mut key_pattern = DocumentBuilder::new();
    let mut multikey_paths = vec![Vec::new(); definition.fields.len() + 1];
    let is_multikey = !arrays.is_empty();
    multikey_paths[at + 1] = arrays;
    for (field, element) in definition
        .fields
        .iter()
        .zip(definition.key.as_document().iter())
    {
        let name = if field.kind.has_path() {
            key_pattern.append(PATH, 1);
            fields.push((PATH.to_owned(), false));
            kinds.push(FieldKind::Path);
            path
        } else {
            &*field.path
        };
        key_pattern.append(name, element.value);
        fields.push((name.to_owned(), field.descending));
        kinds.push(field.kind);
    }
    Rc::new(IndexFacts {
        position,
        name: definition.name.to_string(),
        key_pattern: key_pattern.finish(),
        fields,
        kinds,
        geo: None,
        needs_geometry: false,
        shows_array_paths: true,
        is_multikey,
        multikey_paths,
        version: definition.version,
        is_unique: false,
        is_sparse: true,
        is_partial: definition.partial.is_some(),
        reads_as_document: definition.collation.is_simple() && !has_position(path),
        collation: definition.collation.clone(),
        is_clustered: false,
    })
}

/// Whether the keys of single values can tell anything of a predicate: whole documents and arrays have none, but
/// for empty ones.
fn supports(node: &MatchNode) -> bool {
    match node {
        MatchNode::Compare(test) => match test.operand.as_ref() {
            ValueRef::Document(document) => {
                document.is_empty()
                    && matches!(
                        test.kind,
                        ComparisonKind::Equal | ComparisonKind::LessOrEqual
                    )
            }
            ValueRef::Array(array) => array.is_empty() && test.kind == ComparisonKind::Equal,
            _ => true,
        },
        MatchNode::In(test) => test.values.iter().all(|value| match value.as_ref() {
            ValueRef::Document(document) => document.is_empty(),
            ValueRef::Array(array) => array.is_empty(),
            _ => true,
        }),
        _ => true,
    }
}

/// Widens bounds that reach into the documents of the path to everything, which `$_path` then limits.
fn widen(found: LeafBounds) -> LeafBounds {
    let point = |value: ValueRef<'_>| {
        !found
            .intervals
            .intersect(&Intervals::point(value.to_value()))
            .is_empty()
    };
    if !reaches_documents(&found.intervals) {
        // A projection may have emptied a document.
        let tightness = if point(ValueRef::Document(Document::EMPTY)) {
            Tightness::Fetch
        } else {
            found.tightness
        };
        return LeafBounds { tightness, ..found };
    }
    LeafBounds {
        intervals: Intervals::full(),
        tightness: Tightness::Fetch,
    }
}

/// Whether values inside the bounds may be documents with fields.
fn reaches_documents(intervals: &Intervals) -> bool {
    let documents = Interval::new(
        Value::Borrowed(ValueRef::Document(Document::EMPTY)),
        false,
        Value::Borrowed(ValueRef::Array(Array::EMPTY)),
        false,
    );
    !intervals.intersect(&Intervals::one(documents)).is_empty()
}

/// The intervals of `$_path` for the path, and whether a document may have several keys inside.
fn path_intervals(path: &str, values: &Intervals) -> (Intervals, bool) {
    let text = |text: String| Value::from(text);
    if path == PATH {
        let none = Interval::point(Value::Borrowed(ValueRef::MinKey));
        let all = Interval::new(
            Value::Borrowed(ValueRef::String(Text(b""))),
            true,
            Value::Borrowed(ValueRef::Document(Document::EMPTY)),
            false,
        );
        return (Intervals::union_of(vec![none, all]), true);
    }
    let mut found = vec![Interval::point(text(path.to_owned()))];
    let below = reaches_documents(values);
    if below {
        found.push(Interval::new(
            text(format!("{path}.")),
            true,
            text(format!("{path}/")),
            false,
        ));
    }
    (Intervals::union_of(found), below)
}

/// Bounds the path of the value at `value` by that value's bounds; gives whether a document may have several keys
/// inside.
pub fn bound_path(fields: &mut [FieldBounds], value: usize) -> bool {
    let (paths, has_several) = path_intervals(&fields[value].name, &fields[value].intervals);
    fields[value - 1].intervals = paths;
    has_several
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_below_an_array_serves_no_filter() {
        let arrays: [Box<str>; 2] = ["a".into(), "b.c".into()];
        assert_eq!(array_prefixes("x.0", &arrays), Some(vec![]));
        assert_eq!(array_prefixes("a.b", &arrays), Some(vec!["a".to_owned()]));
        assert_eq!(array_prefixes("b.c", &arrays), Some(vec!["b.c".to_owned()]));
        assert_eq!(array_prefixes("a.0.b", &arrays), None);
    }

    #[test]
    fn whole_documents_take_in_the_paths_below() {
        let numbers = Intervals::one(Interval::new(1.into(), true, 5.into(), false));
        let (found, repeats) = path_intervals("a.b", &numbers);
        assert!(found.is_single_point() && !repeats);
        let (found, repeats) = path_intervals("a.b", &Intervals::full());
        assert_eq!((found.as_slice().len(), repeats), (2, true));
    }
}
