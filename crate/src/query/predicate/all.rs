//! `$all`: every listed value is found, each as `$eq` finds it.
//!
//! Follows the manual's "$all" page. It compiles to the conjunction of its values, as the server prints and plans it.

use super::comparison::{Comparison, ComparisonKind};
use super::{Parse, elem_match, find};
use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, bad_value};
use crate::query::node::MatchNode;

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let Some(items) = operand.value.as_array() else {
        return Err(bad_value("$all needs an array"));
    };
    let starts_with_elem_match = elem_match_of(items.get(0)).is_some();
    let mut children = Vec::new();
    for item in items.iter() {
        if starts_with_elem_match {
            let Some(value) = elem_match_of(item) else {
                return Err(bad_value("$all/$elemMatch has to be consistent"));
            };
            let inner = Operand { value, ..*operand };
            children.extend(elem_match::parse(compiler, &inner)?);
            continue;
        }
        let path = operand.path.clone();
        children.push(match item {
            ValueRef::Regex { pattern, options } => {
                MatchNode::Regex(compiler.regex(path, pattern, options)?)
            }
            ValueRef::Document(_) if is_expression(item) => {
                return Err(bad_value("no $ expressions in $all"));
            }
            value => Comparison::compile(
                path,
                ComparisonKind::Equal,
                value,
                &compiler.context.collation,
            )?,
        });
    }
    Ok(Some(if children.is_empty() {
        MatchNode::AlwaysFalse
    } else {
        MatchNode::And(children)
    }))
}

fn elem_match_of(item: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let first = item.as_document()?.iter().next()?;
    (first.name == "$elemMatch").then_some(first.value)
}

fn is_expression(item: ValueRef<'_>) -> bool {
    let first = item
        .as_document()
        .and_then(|document| document.iter().next());
    first.is_some_and(|first| matches!(find(first.name), Some(Parse::Field(_))))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn finds_every_value() {
        assert!(matches("{a: {$all: [1, 2]}}", "{a: [2, 3, 1]}"));
        assert!(!matches("{a: {$all: [1, 2]}}", "{a: [1]}"));
        assert!(matches("{a: {$all: [1]}}", "{a: 1}"));
        assert!(!matches("{a: {$all: []}}", "{a: []}"));
        assert!(matches("{a: {$all: [[1, 2]]}}", "{a: [1, 2]}"));
        assert!(matches("{a: {$all: [null]}}", "{}"));
        assert!(matches(
            "{a: {$all: [/^x/, /y$/]}}",
            "{a: [\"xa\", \"by\"]}"
        ));
        assert!(matches(
            "{a: {$all: [{$elemMatch: {b: 1}}, {$elemMatch: {b: 2}}]}}",
            "{a: [{b: 1}, {b: 2}]}"
        ));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(refusal("{a: {$all: 5}}"), "2: $all needs an array");
        assert_eq!(
            refusal("{a: {$all: [{$elemMatch: {}}, 5]}}"),
            "2: $all/$elemMatch has to be consistent"
        );
        assert_eq!(
            refusal("{a: {$all: [{$gt: 5}]}}"),
            "2: no $ expressions in $all"
        );
    }
}
