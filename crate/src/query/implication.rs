//! Whether one filter implies another, as `{a: 5}` implies `{a: {$gt: 1}}`: so a partial index over the second answers
//! the first.
//!
//! Invariant: `true` is a proof; `false` only means that none was found. The rules are the server's: equality, ranges
//! within a type class, lists, existence, types and places over the same path, and the logical connectives.

use super::node::MatchNode;
use super::predicate::comparison::{Comparison, ComparisonKind, compares};
use crate::bson::ValueRef;
use std::cmp::Ordering;

impl MatchNode {
    /// Whether every document that matches `self` matches `wider` too.
    pub fn is_subset_of(&self, wider: &MatchNode) -> bool {
        if wider.is_trivially_true() || matches!(self, Self::AlwaysFalse) {
            return true;
        }
        match wider {
            Self::And(children) => {
                return children.iter().all(|child| self.is_subset_of(child));
            }
            Self::Or(children) if children.iter().any(|child| self.is_subset_of(child)) => {
                return true;
            }
            _ => {}
        }
        match self {
            Self::And(children) => children.iter().any(|child| child.is_subset_of(wider)),
            Self::Or(children) => children.iter().all(|child| child.is_subset_of(wider)),
            Self::In(list) if list.regexes.is_empty() => list.values.iter().all(|value| {
                let point = Comparison {
                    path: list.path.clone(),
                    kind: ComparisonKind::Equal,
                    operand: value.clone(),
                    collation: list.collation.clone(),
                };
                leaf_implies(&Self::Compare(point), wider)
            }),
            leaf => leaf_implies(leaf, wider),
        }
    }
}

fn leaf_implies(narrow: &MatchNode, wide: &MatchNode) -> bool {
    if let MatchNode::Or(children) = wide {
        return children.iter().any(|child| leaf_implies(narrow, child));
    }
    if let (MatchNode::Expr(narrow), MatchNode::Expr(wide)) = (narrow, wide) {
        return narrow.implies(wide);
    }
    if narrow.path() != wide.path() || narrow.path().is_none() {
        return false;
    }
    match (narrow, wide) {
        (MatchNode::Compare(narrow), MatchNode::Compare(wide)) => comparison_implies(narrow, wide),
        (MatchNode::Compare(narrow), MatchNode::In(wide)) => {
            narrow.kind == ComparisonKind::Equal
                && narrow.collation == wide.collation
                && wide.contains(narrow.operand.as_ref())
        }
        (MatchNode::Exists(_), MatchNode::Exists(_)) => true,
        (MatchNode::Compare(narrow), MatchNode::Exists(_)) => finds_only_present(narrow),
        (MatchNode::In(narrow), MatchNode::Exists(_)) => !narrow.has_null,
        (
            MatchNode::Regex(_)
            | MatchNode::Type(_)
            | MatchNode::Mod(_)
            | MatchNode::Size(_)
            | MatchNode::Bits(_)
            | MatchNode::Geo(_)
            | MatchNode::Near(_)
            | MatchNode::ElemMatchObject(_)
            | MatchNode::ElemMatchValue(_),
            MatchNode::Exists(_),
        ) => true,
        (MatchNode::Not(narrow), MatchNode::Exists(_)) => {
            // `{$ne: null}` leaves no absent field.
            matches!(&**narrow, MatchNode::Compare(test)
                if test.kind == ComparisonKind::Equal
                    && matches!(test.operand.as_ref(), ValueRef::Null))
        }
        (MatchNode::Not(narrow), MatchNode::Not(wide)) => wide.is_subset_of(narrow),
        (MatchNode::Type(narrow), MatchNode::Type(wide)) => {
            (!narrow.types.all_numbers || wide.types.all_numbers)
                && narrow
                    .types
                    .types
                    .iter()
                    .all(|kind| wide.types.contains(*kind))
        }
        (MatchNode::Regex(narrow), MatchNode::Regex(wide)) => narrow.is_same(wide),
        (MatchNode::Size(narrow), MatchNode::Size(wide)) => narrow.size == wide.size,
        (MatchNode::Geo(narrow), MatchNode::Geo(wide)) => narrow.implies(wide),
        (MatchNode::Mod(narrow), MatchNode::Mod(wide)) => {
            narrow.divisor == wide.divisor && narrow.remainder == wide.remainder
        }
        _ => false,
    }
}

fn finds_only_present(test: &Comparison) -> bool {
    match test.operand.as_ref() {
        ValueRef::Null => !test.kind.accepts_equal(),
        // Everything, absent fields included, is above MinKey and below MaxKey.
        ValueRef::MinKey | ValueRef::MaxKey => test.kind == ComparisonKind::Equal,
        _ => true,
    }
}

fn comparison_implies(narrow: &Comparison, wide: &Comparison) -> bool {
    use ComparisonKind::{Equal, Greater, Less, LessOrEqual};
    if narrow.collation != wide.collation {
        return false;
    }
    let (inner, outer) = (narrow.operand.as_ref(), wide.operand.as_ref());
    if narrow.kind == Equal {
        // An array may equal the operand as a whole, or hold it as an item.
        return compares(inner, wide.kind, outer, &wide.collation);
    }
    if inner.bson_type().canonical_class() != outer.bson_type().canonical_class() {
        return false;
    }
    let is_nan = |value: ValueRef<'_>| value.as_number().is_some_and(|number| number.is_nan());
    if is_nan(inner) || is_nan(outer) {
        // `{$gte: NaN}` finds NaN alone.
        return is_nan(inner) && is_nan(outer) && wide.kind.accepts_equal();
    }
    let below = matches!(narrow.kind, Less | LessOrEqual);
    if below != matches!(wide.kind, Less | LessOrEqual) || wide.kind == Equal {
        return false;
    }
    match narrow.collation.compare(inner, outer) {
        Ordering::Less => below,
        Ordering::Greater => !below,
        Ordering::Equal => wide.kind.accepts_equal() || matches!(narrow.kind, Less | Greater),
    }
}

#[cfg(test)]
mod tests {
    use crate::query::testing::matcher;

    fn implies(narrow: &str, wide: &str) -> bool {
        let narrow = matcher(narrow).expect("a valid filter");
        let wide = matcher(wide).expect("a valid filter");
        narrow.root().is_subset_of(wide.root())
    }

    #[test]
    fn ranges_and_points() {
        assert!(implies("{a: 7}", "{a: {$gt: 5}}"));
        assert!(!implies("{a: 5}", "{a: {$gt: 5}}"));
        assert!(implies("{a: {$gt: 6}}", "{a: {$gt: 5}}"));
        assert!(implies("{a: {$gt: 5}}", "{a: {$gte: 5}}"));
        assert!(!implies("{a: {$gte: 5}}", "{a: {$gt: 5}}"));
        assert!(!implies("{a: {$gt: \"x\"}}", "{a: {$gt: 5}}"));
        assert!(!implies("{a: {$lt: 3}}", "{a: {$gt: 1}}"));
        assert!(implies("{a: {$in: [6, 7]}}", "{a: {$gt: 5}}"));
        assert!(!implies("{a: {$in: [5, 7]}}", "{a: {$gt: 5}}"));
        assert!(implies("{a: 6}", "{a: {$in: [6, 7]}}"));
        assert!(implies("{a: {$in: [6, 7]}}", "{a: {$in: [6, 7, 8]}}"));
    }

    #[test]
    fn comparisons_of_expressions() {
        let test = |call: &str, value: &str| format!("{{$expr: {{{call}: [\"$a\", {value}]}}}}");
        let holds = |narrow: (&str, &str), wide: (&str, &str)| {
            implies(&test(narrow.0, narrow.1), &test(wide.0, wide.1))
        };
        assert!(holds(("$gt", "6"), ("$gt", "5")) && holds(("$lt", "4"), ("$lte", "5")));
        assert!(holds(("$gt", "5"), ("$gte", "5")) && holds(("$gte", "5"), ("$gte", "5")));
        assert!(!holds(("$gte", "5"), ("$gt", "5")) && !holds(("$gt", "4"), ("$gt", "5")));
        assert!(!holds(("$lt", "4"), ("$gt", "5")) && !holds(("$lt", "6"), ("$lt", "5")));
        // Expressions compare values of all types.
        assert!(holds(("$gt", "\"x\""), ("$gt", "5")));
        assert!(!implies(&test("$gt", "6"), "{$expr: {$gt: [\"$b\", 5]}}"));
        assert!(!implies(
            &test("$gt", "6"),
            "{$expr: {$gt: [\"$a\", \"$b\"]}}"
        ));
    }

    #[test]
    fn existence() {
        assert!(implies("{a: 1}", "{a: {$exists: true}}"));
        assert!(!implies("{a: null}", "{a: {$exists: true}}"));
        assert!(implies("{a: {$ne: null}}", "{a: {$exists: true}}"));
        assert!(!implies("{a: {$ne: 1}}", "{a: {$exists: true}}"));
        assert!(!implies("{a: {$in: [1, null]}}", "{a: {$exists: true}}"));
        assert!(implies("{a: /x/}", "{a: {$exists: true}}"));
        assert!(!implies("{a: {$lt: maxKey}}", "{a: {$exists: true}}"));
    }

    #[test]
    fn places() {
        let square = |low: i32, high: i32| {
            format!(
                "{{a: {{$geoWithin: {{$geometry: {{type: \"Polygon\", coordinates: \
                 [[[{low}, {low}], [{high}, {low}], [{high}, {high}], [{low}, {high}], [{low}, {low}]]]}}}}}}}}"
            )
        };
        let (small, large) = (square(1, 2), square(0, 4));
        assert!(implies(&small, &large));
        assert!(implies(&small, &small));
        assert!(!implies(&large, &small));
        let (met, boxed) = (
            small.replace("Within", "Intersects"),
            "{a: {$geoWithin: {$box: [[0, 0], [2, 2]]}}}",
        );
        assert!(implies(&met, &met) && implies(boxed, boxed));
        assert!(!implies(&met, &large) && !implies(boxed, &large) && !implies(&small, boxed));
        assert!(!implies(&small, &large.replace("a:", "b:")));
        assert!(!implies(
            &small,
            "{a: {$geoWithin: {$centerSphere: [[1, 1], 2]}}}"
        ));
        assert!(implies(&small, "{a: {$exists: true}}"));
    }

    #[test]
    fn connectives() {
        assert!(implies("{a: 7, b: 1}", "{a: {$gt: 5}}"));
        assert!(!implies("{b: 1}", "{a: {$gt: 5}}"));
        assert!(implies("{a: 7, b: 2}", "{b: 2, a: {$gt: 5}}"));
        assert!(!implies("{a: 7}", "{b: 2, a: {$gt: 5}}"));
        assert!(implies("{$or: [{a: 7}, {a: {$gt: 8}}]}", "{a: {$gt: 5}}"));
        assert!(implies("{a: 7}", "{$or: [{a: {$gt: 5}}, {b: 1}]}"));
        assert!(implies("{a: 1}", "{}"));
        assert!(!implies("{}", "{a: 1}"));
        assert!(implies("{a: {$type: \"int\"}}", "{a: {$type: \"number\"}}"));
    }
}
