//! The shape of a query: its fields and operators without its values, so that `{a: 5}` and `{a: 7}` have the same.
//! Cached plans and index filters go by it.
//!
//! Follows the manual's "Query Plans" page. Invariant: two queries have one shape when filter (without values), sort
//! and projection are the same; the lengths of lists of values make no difference.

use super::request::QueryRequest;
use crate::bson::{Array, Document, ValueRef};
use crate::catalog::Collection;
use crate::catalog::plan_cache::QueryShape;
use crate::plan::notation;
use crate::query::MatchNode;

/// The shape of a query over a collection.
pub fn of(request: &QueryRequest, collection: &Collection) -> QueryShape {
    let text = text(request);
    let mut key = text.clone();
    for index in &collection.indexes {
        if !index.definition.hidden && super::access::holds_all(index, &request.matcher) {
            key.push(' ');
            key.push_str(index.name());
        }
    }
    if request.count_only {
        key.push_str(" count");
    }
    QueryShape { text, key }
}

/// The shape as text.
pub fn text(request: &QueryRequest) -> String {
    let mut shape = String::new();
    append_node(request.matcher.root(), &mut shape);
    if let Some(sort) = &request.sort {
        shape.push_str(&notation::document(sort.spec()));
    }
    if let Some(projection) = &request.projection {
        shape.push_str(&notation::document(projection.to_bson().as_document()));
    }
    if let Some(collation) = request.matcher.collation().spec() {
        shape.push_str(&notation::document(collation.as_document()));
    }
    shape
}

fn append_node(node: &MatchNode, shape: &mut String) {
    let filter = node.to_bson();
    append_fields(filter.as_document(), shape);
}

/// Names of fields and operators; values only by being there.
fn append_fields(document: Document<'_>, shape: &mut String) {
    for element in document.iter() {
        shape.push_str(element.name);
        shape.push(':');
        match element.value {
            ValueRef::Array(filters) if matches!(element.name, "$and" | "$or" | "$nor") => {
                append_items(filters, shape);
            }
            ValueRef::Array(_) => shape.push_str("[]"),
            ValueRef::Document(inner) => append_fields(inner, shape),
            _ => shape.push('?'),
        }
        shape.push(',');
    }
    shape.push(';');
}

fn append_items(items: Array<'_>, shape: &mut String) {
    for item in items.iter() {
        append_fields(item.as_document().unwrap_or(Document::EMPTY), shape);
    }
    shape.push(']');
}
