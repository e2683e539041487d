//! `$eq`, `$gt`, `$gte`, `$lt`, `$lte` and `$ne`: comparison within a type class.
//!
//! Follows the manual's "Comparison Query Operators". Invariants: values of different classes never
//! compare, except that null finds absent fields and that MinKey and MaxKey bound everything; NaN
//! equals NaN and is neither above nor below anything.

use crate::bson::document::RawElement;
use crate::bson::number::Number;
use crate::bson::{BsonType, DocumentBuilder, Value, ValueRef};
use crate::collation::{Collation, is_collatable};
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, bad_value};
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;
use std::cmp::Ordering;

/// Which comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonKind {
    Equal,
    LessOrEqual,
    Less,
    Greater,
    GreaterOrEqual,
}

impl ComparisonKind {
    /// The operator's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "$eq",
            Self::LessOrEqual => "$lte",
            Self::Less => "$lt",
            Self::Greater => "$gt",
            Self::GreaterOrEqual => "$gte",
        }
    }

    /// The kind of `$lt`, `$lte`, `$gt` or `$gte`; `None` for any other name.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "$lt" => Self::Less,
            "$lte" => Self::LessOrEqual,
            "$gt" => Self::Greater,
            "$gte" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    /// Whether equal values satisfy it.
    pub fn accepts_equal(self) -> bool {
        matches!(self, Self::Equal | Self::LessOrEqual | Self::GreaterOrEqual)
    }

    /// Whether a value that compares so with the operand satisfies it.
    #[inline]
    pub fn accepts(self, ordering: Ordering) -> bool {
        match self {
            Self::Equal => ordering == Ordering::Equal,
            Self::LessOrEqual => ordering != Ordering::Greater,
            Self::Less => ordering == Ordering::Less,
            Self::Greater => ordering == Ordering::Greater,
            Self::GreaterOrEqual => ordering != Ordering::Less,
        }
    }
}

/// `path kind operand`.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub path: QueryPath,
    pub kind: ComparisonKind,
    pub operand: Value<'static>,
    /// How strings in the operand compare; the simple one where there are none.
    pub collation: Collation,
}

impl Comparison {
    /// A predicate that compares; the operand may not be `undefined`, nor a regular expression other than for
    /// equality.
    pub fn compile(
        path: QueryPath,
        kind: ComparisonKind,
        operand: ValueRef<'_>,
        collation: &Collation,
    ) -> Result<MatchNode, CommandError> {
        match operand {
            ValueRef::Undefined => return Err(bad_value("cannot compare to undefined")),
            ValueRef::Regex { .. } if kind != ComparisonKind::Equal => {
                return Err(bad_value(format!(
                    "Can't have RegEx as arg to predicate over field '{}'.",
                    path.dotted()
                )));
            }
            _ => {}
        }
        Ok(MatchNode::Compare(Self {
            path,
            kind,
            operand: operand.to_value(),
            collation: match is_collatable(operand) {
                true => collation.clone(),
                false => Collation::SIMPLE,
            },
        }))
    }

    /// Whether one value (or `MISSING`) satisfies the predicate.
    #[inline]
    pub fn matches(&self, element: &RawElement<'_>) -> bool {
        if let Value::String(text) = &self.operand
            && element.kind == BsonType::String
            && self.collation.is_simple()
        {
            let bytes = element.value_bytes;
            let Some(found) = bytes.get(4..bytes.len().saturating_sub(1)) else {
                return false;
            };
            let wanted = &**text;
            return match self.kind {
                ComparisonKind::Equal => found == wanted,
                kind => kind.accepts(found.cmp(wanted)),
            };
        }
        self.holds(element.value())
    }

    /// Whether a value compares with the operand as the predicate asks.
    pub fn holds(&self, value: ValueRef<'_>) -> bool {
        compares(value, self.kind, self.operand.as_ref(), &self.collation)
    }

    /// Writes `{$eq: 5}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        builder.append(self.kind.name(), self.operand.as_ref());
    }
}

/// Whether a value compares with an operand as the kind asks, by the rules of query operators.
pub fn compares(
    value: ValueRef<'_>,
    kind: ComparisonKind,
    operand: ValueRef<'_>,
    collation: &Collation,
) -> bool {
    if let (Some(left), Some(right)) = (value.as_number(), operand.as_number()) {
        return compare_numbers(left, kind, right);
    }
    let class = value.bson_type().canonical_class();
    if class == operand.bson_type().canonical_class() {
        return kind.accepts(collation.compare(value, operand));
    }
    match operand {
        ValueRef::Null => value.is_missing() && kind.accepts_equal(),
        ValueRef::MaxKey => matches!(kind, ComparisonKind::Less | ComparisonKind::LessOrEqual),
        ValueRef::MinKey => {
            matches!(
                kind,
                ComparisonKind::Greater | ComparisonKind::GreaterOrEqual
            )
        }
        _ => false,
    }
}

#[inline]
fn compare_numbers(left: Number, kind: ComparisonKind, right: Number) -> bool {
    // NaN sorts below all numbers, but no range contains it.
    if kind != ComparisonKind::Equal && left.is_nan() != right.is_nan() {
        return false;
    }
    kind.accepts(left.compare(right))
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let kind = ComparisonKind::of(operand.name).unwrap_or(ComparisonKind::Equal);
    let negated = operand.name == "$ne";
    if negated && matches!(operand.value, ValueRef::Regex { .. }) {
        return Err(bad_value("Can't have regex as arg to $ne."));
    }
    let node = Comparison::compile(
        operand.path.clone(),
        kind,
        operand.value,
        &compiler.context.collation,
    )?;
    Ok(Some(if negated {
        MatchNode::Not(Box::new(node))
    } else {
        node
    }))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn null_finds_absent_fields_but_not_undefined() {
        assert!(matches("{a: null}", "{}"));
        assert!(matches("{a: null}", "{a: null}"));
        assert!(!matches("{a: null}", "{a: undefined}"));
        assert!(matches("{a: {$gte: null}}", "{}"));
        assert!(!matches("{a: {$gt: null}}", "{}"));
        assert!(matches("{\"a.b\": null}", "{a: [{b: 1}, {}]}"));
        assert!(!matches("{\"a.b\": null}", "{a: [1, 2]}"));
        assert!(!matches("{\"a.b\": null}", "{a: []}"));
        assert!(matches("{\"a.b\": null}", "{a: 5}"));
        assert!(!matches("{a: {$ne: null}}", "{}"));
    }

    #[test]
    fn types_bracket() {
        assert!(!matches("{a: {$gt: 5}}", "{a: \"x\"}"));
        assert!(!matches("{a: {$lt: \"x\"}}", "{a: 5}"));
        assert!(matches("{a: {$gt: 5}}", "{a: long(6)}"));
        assert!(matches("{a: 5}", "{a: 5.0}"));
        assert!(matches("{a: 0}", "{a: -0.0}"));
        assert!(matches("{a: {$lt: maxKey}}", "{a: \"x\"}"));
        assert!(matches("{a: {$gt: minKey}}", "{}"));
        assert!(!matches("{a: {$gt: maxKey}}", "{a: 1}"));
        assert!(matches("{a: {$gte: maxKey}}", "{a: maxKey}"));
        assert!(matches("{a: {$gt: false}}", "{a: true}"));
    }

    #[test]
    fn nan_equals_itself_and_is_in_no_range() {
        assert!(matches("{a: NaN}", "{a: NaN}"));
        assert!(matches("{a: {$lte: NaN}}", "{a: NaN}"));
        assert!(!matches("{a: {$lt: 5}}", "{a: NaN}"));
        assert!(!matches("{a: {$lt: NaN}}", "{a: 5}"));
        assert!(!matches("{a: {$gt: NaN}}", "{a: 5}"));
    }

    #[test]
    fn arrays_match_by_item_and_as_a_whole() {
        assert!(matches("{a: 2}", "{a: [1, 2]}"));
        assert!(matches("{a: [1, 2]}", "{a: [1, 2]}"));
        assert!(matches("{a: [1, 2]}", "{a: [[1, 2], 3]}"));
        assert!(!matches("{a: [1, 2]}", "{a: [2, 1]}"));
        assert!(matches("{a: {$gt: 1, $lt: 3}}", "{a: [0, 9]}"));
        assert!(!matches("{a: {$ne: 2}}", "{a: [1, 2]}"));
        assert!(matches("{a: {$gt: [1]}}", "{a: [1, 2]}"));
        assert!(matches("{a: []}", "{a: []}"));
        assert!(!matches("{a: {$eq: 5}}", "{a: [[5]]}"));
        assert!(matches("{a: \"x\"}", "{a: [\"y\", \"x\"]}"));
        assert!(matches("{a: {$lt: \"b\"}}", "{a: \"ab\"}"));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(refusal("{a: undefined}"), "2: cannot compare to undefined");
        assert_eq!(
            refusal("{a: {$ne: /x/}}"),
            "2: Can't have regex as arg to $ne."
        );
        assert_eq!(
            refusal("{\"a.b\": {$gt: /x/}}"),
            "2: Can't have RegEx as arg to predicate over field 'a.b'."
        );
    }
}
