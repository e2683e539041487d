//! The bounds of `$expr`: comparisons of a field with a constant, at its top or under its `$and`.
//!
//! Follows the manual's "$expr" page. These comparisons know no type brackets, and an absent field is less than null.
//! Invariant: the expression stays a filter; on fields with arrays it bounds nothing, for there it compares whole ones.

use super::kinds::rules::{self, FieldFacts, LeafBounds, Tightness};
use crate::bson::{Value, ValueRef};
use crate::expr::Node;
use crate::plan::{Interval, Intervals};

/// The bounds on one indexed path, or `None` when the expression says nothing of it.
pub fn bounds(node: &Node, path: &str, facts: FieldFacts) -> Option<LeafBounds> {
    if facts.is_array || facts.has_position {
        return None;
    }
    let mut intervals: Option<Intervals> = None;
    collect(node, path, facts, &mut intervals);
    intervals.map(|intervals| LeafBounds {
        intervals,
        tightness: Tightness::Fetch,
    })
}

fn collect(node: &Node, path: &str, facts: FieldFacts, found: &mut Option<Intervals>) {
    let Node::Call(call) = node else { return };
    if call.name == "$and" {
        for argument in &call.arguments {
            collect(argument, path, facts, found);
        }
        return;
    }
    let (field, constant, name) = match call.arguments.as_slice() {
        [Node::Field(field), Node::Constant(constant)] => (field, constant, call.name),
        [Node::Constant(constant), Node::Field(field)] => (field, constant, mirrored(call.name)),
        _ => return,
    };
    if field.dotted() != path {
        return;
    }
    if let Some(interval) = comparison(name, constant, facts) {
        let one = Intervals::one(interval);
        *found = Some(match found.take() {
            None => one,
            Some(before) => before.intersect(&one),
        });
    }
}

/// The comparison with its sides changed over.
fn mirrored(name: &'static str) -> &'static str {
    match name {
        "$gt" => "$lt",
        "$gte" => "$lte",
        "$lt" => "$gt",
        "$lte" => "$gte",
        other => other,
    }
}

fn comparison(name: &str, constant: &Value<'static>, facts: FieldFacts) -> Option<Interval> {
    let value = constant.as_ref();
    if matches!(
        value,
        ValueRef::Missing | ValueRef::Undefined | ValueRef::Array(_)
    ) {
        return None;
    }
    rules::of(facts.kind).compared(name, value, facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::FieldKind;
    use crate::plan::notation;
    use crate::query::testing::document;
    use crate::query::{MatchNode, Matcher};

    /// The bounds on `a`, printed.
    fn bounds_of(expression: &str, is_sparse: bool) -> Vec<String> {
        let filter = document(&format!("{{$expr: {expression}}}"));
        let matcher = Matcher::compile(
            filter.as_document(),
            &crate::expr::CompileContext::new(&crate::env::NoEnv, 0),
        )
        .expect("a filter");
        let MatchNode::Expr(test) = matcher.root() else {
            panic!("{expression} is no $expr");
        };
        let facts = FieldFacts {
            is_array: false,
            is_sparse,
            is_only_field: true,
            has_position: false,
            kind: FieldKind::Value,
            geo: None,
        };
        let found = bounds(test.expression().node(), "a", facts);
        let intervals = found.map(|found| found.intervals).unwrap_or_default();
        let all = intervals.as_slice().iter();
        all.map(|interval| notation::interval(interval, false, false))
            .collect()
    }

    #[test]
    fn comparisons_with_constants_bound() {
        assert_eq!(bounds_of(r#"{$eq: ["$a", 5]}"#, true), ["[5, 5]"]);
        assert_eq!(bounds_of(r#"{$gt: [5, "$a"]}"#, false), ["[MinKey, 5)"]);
        assert_eq!(
            bounds_of(r#"{$and: [{$gte: ["$a", 1]}, {$lt: ["$a", 3]}]}"#, false),
            ["[1, 3)"]
        );
        assert_eq!(
            bounds_of(r#"{$lt: ["$a", null]}"#, false),
            ["[MinKey, null]"]
        );
        assert!(bounds_of(r#"{$lt: ["$a", 5]}"#, true).is_empty());
        assert!(bounds_of(r#"{$eq: ["$a", "$b"]}"#, false).is_empty());
        assert!(bounds_of(r#"{$eq: ["$b", 5]}"#, false).is_empty());
    }
}
