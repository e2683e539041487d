//! The positional `$` of a find projection: the array item that the filter matched.
//!
//! Follows the manual's "$ (projection)" page.

use super::apply::Positions;
use crate::bson::{BsonType, Document, DocumentBuilder};
use crate::error::CommandError;
use crate::query::matcher::Matcher;
use crate::query::node::MatchNode;
use crate::query::path::{PathPart, QueryPath};
use std::rc::Rc;

/// `"a.b.$": 1`.
#[derive(Clone)]
pub struct Positional {
    /// The path before the `$`.
    pub path: QueryPath,
    /// The filter whose match tells the position.
    pub matcher: Rc<Matcher>,
}

/// The operator of a filter, if it has one, that no positional `$` may stand beside.
pub fn without_position(node: &MatchNode) -> Option<&'static str> {
    match node {
        MatchNode::Expr(_) => Some("$expr"),
        MatchNode::Where(_) => Some("$where"),
        _ => node.children().iter().find_map(without_position),
    }
}

impl Positional {
    /// Copies a projected document with the first array on the path cut down to one item. The item is that of any
    /// array that the filter matched; without an array on the path there is nothing to cut.
    ///
    /// # Errors
    /// 51246 when the filter matched no item, 51247 when the array has no such item.
    pub fn append(
        &self,
        projected: Document<'_>,
        index: Option<u32>,
        builder: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        append(projected, self.path.parts(), index, builder)
    }
}

fn append(
    document: Document<'_>,
    parts: &[PathPart],
    index: Option<u32>,
    builder: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let Some((part, rest)) = parts.split_first() else {
        builder.append_all(document);
        return Ok(());
    };
    for element in document.iter() {
        if element.name != &*part.name {
            builder.append_raw(element.raw);
            continue;
        }
        match element.value.bson_type() {
            BsonType::Array => {
                let index = index.ok_or_else(|| {
                    CommandError::location(
                        51246,
                        "positional operator '.$' couldn't find a matching element in the array",
                    )
                })?;
                let item = element
                    .value
                    .as_array()
                    .and_then(|array| array.iter().nth(index as usize));
                let Some(item) = item else {
                    return Err(CommandError::location(
                        51247,
                        "positional operator '.$' element mismatch",
                    ));
                };
                builder.begin_array(element.name);
                builder.append(Positions::default().next_name(), item);
                builder.end();
            }
            BsonType::Document if !rest.is_empty() => {
                builder.begin_document(element.name);
                let inner = element.value.as_document().unwrap_or(Document::EMPTY);
                append(inner, rest, index, builder)?;
                builder.end();
            }
            _ => {
                builder.append_raw(element.raw);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::query::testing::projected;

    #[test]
    fn keeps_the_item_that_matched() {
        assert_eq!(
            projected(
                "{\"a.$\": 1}",
                "{a: {$gt: 2}}",
                "{_id: 1, a: [1, 5, 7], b: 2}"
            ),
            "{ _id: 1, a: [ 5 ] }"
        );
        assert_eq!(
            projected(
                "{_id: 0, \"a.$\": 1, c: 1}",
                "{\"a.b\": 2}",
                "{a: [{b: 1}, {b: 2, x: 1}], c: 3}"
            ),
            "{ a: [ { b: 2, x: 1 } ], c: 3 }"
        );
        assert_eq!(
            projected(
                "{\"d.a.$\": 1}",
                "{\"d.a\": {$elemMatch: {b: 2}}}",
                "{_id: 1, d: {a: [{b: 1}, {b: 2}], e: 4}}"
            ),
            "{ _id: 1, d: { a: [ { b: 2 } ] } }"
        );
    }

    #[test]
    fn wrong_uses_are_refused() {
        let of = |projection, filter| projected(projection, filter, "{a: [1], b: [2, 1]}");
        assert!(of("{\"a.$\": 1}", "{_id: null}").starts_with("51246: "));
        assert!(of("{\"a.$\": 1}", "{b: 1}").starts_with("51247: "));
        assert!(of("{\"a.$\": 1}", "{$or: [{a: 1}, {b: 1}]}").starts_with("51246: "));
        assert!(of("{\"a.$\": 1}", "{a: 1, $expr: true}").starts_with("224: "));
        assert!(of("{\"a.$\": {b: 1}}", "{a: 1}").starts_with("31271: "));
        assert!(of("{\"a.$\": \"b\"}", "{a: 1}").starts_with("31308: "));
        assert!(of("{\"a.$\": 1, \"b.$\": 1}", "{a: 1, b: 1}").starts_with("31276: "));
        assert!(of("{\"a.$.b\": 1}", "{a: 1}").starts_with("31394: "));
        assert!(of("{\"a.$\": 0}", "{a: 1}").starts_with("31395: "));
    }

    #[test]
    fn the_item_is_that_of_any_array_and_needs_none() {
        assert_eq!(
            projected("{\"a.$\": 1}", "{b: {$gte: 2}}", "{a: [10, 20], b: [1, 2]}"),
            "{ a: [ 20 ] }"
        );
        assert_eq!(
            projected(
                "{\"a.b.$\": 1}",
                "{\"a.c\": 2}",
                "{a: {b: [10, 20], c: [1, 2]}}"
            ),
            "{ a: { b: [ 20 ] } }"
        );
        assert_eq!(
            projected("{\"a.$\": 1}", "{a: 1}", "{_id: 1, a: 1}"),
            "{ _id: 1, a: 1 }"
        );
        assert_eq!(
            projected("{\"a.$\": 1}", "{}", "{_id: 1, b: 1}"),
            "{ _id: 1 }"
        );
        assert_eq!(
            projected("{\"a.b.$\": 1}", "{}", "{_id: 1, a: {c: 1}}"),
            "{ _id: 1, a: {} }"
        );
    }
}
