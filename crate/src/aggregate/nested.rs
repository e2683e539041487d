//! The pipelines within a stage, as they are written: those of a `$facet`, and the one of a `$lookup` or `$unionWith`.
//!
//! Invariant: only names and types are looked at. A stage that its own parser will refuse may have pipelines here.

use crate::bson::{Array, Element, ValueRef};

/// A stage's name and specification; none of an element that is no stage.
pub fn stage(element: ValueRef<'_>) -> Option<Element<'_>> {
    element.as_document()?.iter().next()
}

/// The pipelines within a stage.
pub fn pipelines<'s>(stage: &Element<'s>) -> impl Iterator<Item = Array<'s>> {
    let is_facet = stage.name == "$facet";
    let fields = match stage.name {
        "$facet" | "$lookup" | "$unionWith" => stage.value.as_document(),
        _ => None,
    };
    fields
        .unwrap_or_default()
        .iter()
        .filter(move |field| is_facet || field.name == "pipeline")
        .filter_map(|field| field.value.as_array())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::testing::document;

    #[test]
    fn pipelines_are_those_of_facets_joins_and_unions() {
        for (given, count) in [
            ("{$facet: {a: [], b: [{$match: {}}], c: 1}}", 2),
            ("{$lookup: {from: 'c', pipeline: [], as: 'a'}}", 1),
            ("{$lookup: {from: 'c', let: [], as: 'a'}}", 0),
            ("{$unionWith: {coll: 'c', pipeline: []}}", 1),
            ("{$unionWith: 'c'}", 0),
            ("{$set: {pipeline: []}}", 0),
        ] {
            let given = document(given);
            let found = stage(ValueRef::Document(given.as_document())).expect("a stage has a name");
            assert_eq!(pipelines(&found).count(), count, "{}", found.name);
        }
        let empty = document("{}");
        assert!(stage(ValueRef::Document(empty.as_document())).is_none());
        assert!(stage(ValueRef::Int32(1)).is_none());
    }
}
