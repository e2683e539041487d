//! `$in` and `$nin`: equality to one of a list of values, or a match of one of its regular expressions.
//!
//! Follows the manual's "$in" page. Invariant: values are sorted by the total order and distinct, so
//! that a lookup is a binary search and the planner gets its points in order.

use super::regex::RegexTest;
use crate::algorithms::sorting;
use crate::bson::document::RawElement;
use crate::bson::{ArrayBuilder, DocumentBuilder, Text, Value, ValueRef};
use crate::collation::{Collation, is_collatable};
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, bad_value, is_operators};
use crate::query::evaluate::MatchContext;
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;

/// `path $in [values…, regexes…]`.
#[derive(Clone)]
pub struct Membership {
    pub path: QueryPath,
    /// Sorted and distinct; no regular expressions.
    pub values: Vec<Value<'static>>,
    pub regexes: Vec<RegexTest>,
    /// Whether null is among the values: absent fields match.
    pub has_null: bool,
    /// How strings in the values compare; the simple one where there are none.
    pub collation: Collation,
}

impl Membership {
    pub fn new(
        path: QueryPath,
        values: Vec<Value<'static>>,
        regexes: Vec<RegexTest>,
        collation: &Collation,
    ) -> Self {
        let mut values = values;
        let collation = match values.iter().any(|value| is_collatable(value.as_ref())) {
            true => collation.clone(),
            false => Collation::SIMPLE,
        };
        sorting::sort_by(&mut values, &mut |a, b| {
            collation.compare(a.as_ref(), b.as_ref())
        });
        // Of equal values the first stays.
        values.dedup_by(|later, first| collation.equal(later.as_ref(), first.as_ref()));
        let has_null = values
            .iter()
            .any(|value| matches!(value.as_ref(), ValueRef::Null));
        Self {
            path,
            values,
            regexes,
            has_null,
            collation,
        }
    }

    /// Whether a value equals one of the listed ones.
    pub fn contains(&self, value: ValueRef<'_>) -> bool {
        self.values
            .binary_search_by(|listed| self.collation.compare(listed.as_ref(), value))
            .is_ok()
    }

    /// Whether one value (or `MISSING`) satisfies the predicate.
    pub fn matches(&self, element: &RawElement<'_>, context: &MatchContext<'_>) -> bool {
        let value = element.value();
        if value.is_missing() {
            return self.has_null;
        }
        self.contains(value)
            || self
                .regexes
                .iter()
                .any(|regex| regex.matches(element, context))
    }

    /// Writes `{$in: […]}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        let mut items = ArrayBuilder::new();
        for value in &self.values {
            items.push(value.as_ref());
        }
        for regex in &self.regexes {
            items.push(ValueRef::Regex {
                pattern: Text::from(&*regex.pattern),
                options: Text::from(&*regex.options),
            });
        }
        builder.append("$in", &items.finish());
    }
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let negated = operand.name == "$nin";
    let Some(items) = operand.value.as_array() else {
        return Err(bad_value(format!("{} needs an array", operand.name)));
    };
    let (mut values, mut regexes) = (Vec::new(), Vec::new());
    for item in items.iter() {
        match item {
            ValueRef::Regex { pattern, options } => {
                regexes.push(compiler.regex(operand.path.clone(), pattern, options)?);
            }
            ValueRef::Undefined => {
                return Err(bad_value("InMatchExpression equality cannot be undefined"));
            }
            _ if is_operators(item, false) => return Err(bad_value("cannot nest $ under $in")),
            value => values.push(value.to_value()),
        }
    }
    let node = MatchNode::In(Membership::new(
        operand.path.clone(),
        values,
        regexes,
        &compiler.context.collation,
    ));
    Ok(Some(if negated {
        MatchNode::Not(Box::new(node))
    } else {
        node
    }))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matcher, matches, refusal};

    #[test]
    fn values_and_regexes_match() {
        assert!(matches("{a: {$in: [1, 2]}}", "{a: 2.0}"));
        assert!(matches("{a: {$in: [1, 2]}}", "{a: [5, 1]}"));
        assert!(matches("{a: {$in: [null]}}", "{}"));
        assert!(!matches("{a: {$in: [1]}}", "{}"));
        assert!(!matches("{a: {$in: [null]}}", "{a: undefined}"));
        assert!(matches("{a: {$in: [/^x/, 5]}}", "{a: \"xy\"}"));
        assert!(matches("{a: {$in: [[1, 2], 3]}}", "{a: [1, 2]}"));
        assert!(!matches("{a: {$in: []}}", "{a: 1}"));
        assert!(matches("{a: {$nin: [1, 2]}}", "{a: 3}"));
        assert!(!matches("{a: {$nin: [1, 2]}}", "{a: [3, 2]}"));
        assert!(matches("{a: {$nin: [1]}}", "{}"));
        assert!(!matches("{a: {$nin: [null]}}", "{}"));
        assert!(!matches("{a: {$nin: [/^x/]}}", "{a: \"xa\"}"));
    }

    #[test]
    fn values_are_sorted_and_distinct() {
        let matcher = matcher("{a: {$in: [3, \"x\", 1, 3.0, null]}}").expect("a valid filter");
        assert_eq!(
            format!("{:?}", matcher.root()),
            "{ a: { $in: [ null, 1, 3, \"x\" ] } }"
        );
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(refusal("{a: {$in: 5}}"), "2: $in needs an array");
        assert_eq!(refusal("{a: {$nin: {}}}"), "2: $nin needs an array");
        assert_eq!(
            refusal("{a: {$in: [{$gt: 1}]}}"),
            "2: cannot nest $ under $in"
        );
    }
}
