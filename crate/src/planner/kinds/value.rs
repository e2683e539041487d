//! The intervals of one predicate on one indexed field, whose values keys hold, and how much of it they decide.
//!
//! Invariant: every document that satisfies the predicate has a key inside the intervals; with
//! `Exact` the converse holds too.

use super::rules::{FieldFacts, FieldRules, LeafBounds, Tightness, bounds};
use crate::bson::{BsonType, Text, Value, ValueRef};
use crate::plan::interval::type_bracket;
use crate::plan::{Interval, Intervals};
use crate::query::MatchNode;
use crate::query::predicate::comparison::{Comparison, ComparisonKind};
use crate::query::predicate::membership::Membership;
use crate::query::predicate::regex::{RegexPrefix, RegexTest};

fn exact(intervals: Intervals) -> Option<LeafBounds> {
    Some(LeafBounds {
        intervals,
        tightness: Tightness::Exact,
    })
}

fn inexact(intervals: Intervals) -> Option<LeafBounds> {
    Some(LeafBounds {
        intervals,
        tightness: Tightness::Fetch,
    })
}

/// The rules of components that are values.
pub struct Plain;

impl FieldRules for Plain {
    fn bounds(&self, node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
        value_bounds(node, facts)
    }

    fn compared(&self, name: &str, value: ValueRef<'_>, facts: FieldFacts) -> Option<Interval> {
        compared(name, value, facts)
    }

    fn gives_order(&self) -> bool {
        true
    }
}

pub(super) fn value_bounds(node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
    match node {
        MatchNode::Compare(test) => comparison(test, facts),
        MatchNode::In(test) => membership(test, facts),
        MatchNode::Regex(test) => Some(regex(test)),
        // A sparse index over several fields also holds documents that lack this one; an array of scalars has the
        // key null below it although nothing is there.
        MatchNode::Exists(_)
            if facts.is_sparse && facts.is_only_field && !facts.is_array && !facts.has_position =>
        {
            exact(Intervals::full())
        }
        MatchNode::Exists(_) => inexact(Intervals::full()),
        MatchNode::Mod(_) => Some(LeafBounds {
            intervals: Intervals::one(Interval::new(
                f64::NAN.into(),
                true,
                f64::INFINITY.into(),
                true,
            )),
            tightness: Tightness::Covered,
        }),
        // An array is found by the keys of its items, of any type.
        MatchNode::Type(test) if test.types.types.contains(&BsonType::Array) => {
            inexact(Intervals::full())
        }
        MatchNode::Type(test) if test.types.all_numbers && test.types.types.is_empty() => {
            exact(Intervals::union_of(vec![Interval::new(
                f64::NAN.into(),
                true,
                f64::INFINITY.into(),
                true,
            )]))
        }
        MatchNode::Type(test) => {
            let mut all = Vec::new();
            if test.types.all_numbers {
                all.push(Interval::new(
                    f64::NAN.into(),
                    true,
                    f64::INFINITY.into(),
                    true,
                ));
            }
            for kind in &test.types.types {
                all.push(type_interval(*kind)?);
            }
            inexact(Intervals::union_of(all))
        }
        MatchNode::ElemMatchValue(test) => {
            let mut intervals = Intervals::full();
            let mut used = false;
            for child in &test.predicates {
                if let Some(found) = bounds(child, facts) {
                    intervals = intervals.intersect(&found.intervals);
                    used = true;
                }
            }
            if used { inexact(intervals) } else { None }
        }
        MatchNode::Not(child) => negation(child, facts),
        _ => None,
    }
}

/// The interval of a whole type; `None` for types that bounds cannot name.
fn type_interval(kind: BsonType) -> Option<Interval> {
    let example = match kind {
        BsonType::Double | BsonType::Int32 | BsonType::Int64 | BsonType::Decimal128 => {
            return Some(Interval::new(
                f64::NAN.into(),
                true,
                f64::INFINITY.into(),
                true,
            ));
        }
        BsonType::String | BsonType::Symbol => ValueRef::String(Text(b"")),
        BsonType::Document => ValueRef::Document(crate::bson::Document::EMPTY),
        BsonType::Binary => ValueRef::Binary {
            subtype: 0,
            bytes: &[],
        },
        BsonType::ObjectId => ValueRef::ObjectId([0; 12]),
        BsonType::Boolean => ValueRef::Boolean(false),
        BsonType::DateTime => ValueRef::DateTime(0),
        BsonType::Timestamp => ValueRef::Timestamp {
            time: 0,
            increment: 0,
        },
        BsonType::Null => ValueRef::Null,
        BsonType::Regex => ValueRef::Regex {
            pattern: Text(b""),
            options: Text(b""),
        },
        BsonType::MinKey => ValueRef::MinKey,
        BsonType::MaxKey => ValueRef::MaxKey,
        _ => return None,
    };
    let (low, high, high_inclusive) = type_bracket(example);
    Some(Interval::new(low, true, high, high_inclusive))
}

fn comparison(test: &Comparison, facts: FieldFacts) -> Option<LeafBounds> {
    let operand = test.operand.as_ref();
    if test.kind == ComparisonKind::Equal {
        return equality(operand, facts);
    }
    let or_equal = test.kind.accepts_equal();
    let upwards = matches!(
        test.kind,
        ComparisonKind::Greater | ComparisonKind::GreaterOrEqual
    );
    match operand {
        ValueRef::Array(_) | ValueRef::Undefined | ValueRef::Missing => None,
        ValueRef::Null if or_equal => equality(operand, facts),
        ValueRef::Null => exact(Intervals::none()),
        // Every value is compared with these: an absent field's null, and an array as a whole.
        ValueRef::MinKey | ValueRef::MaxKey if facts.is_sparse => None,
        ValueRef::MinKey | ValueRef::MaxKey if facts.is_array || facts.has_position => {
            inexact(Intervals::full())
        }
        ValueRef::MinKey | ValueRef::MaxKey => {
            let end = test.operand.clone();
            let interval = if upwards {
                Interval::new(end, or_equal, Value::Borrowed(ValueRef::MaxKey), true)
            } else {
                Interval::new(Value::Borrowed(ValueRef::MinKey), true, end, or_equal)
            };
            inexact(Intervals::one(interval))
        }
        _ if operand.as_number().is_some_and(|number| number.is_nan()) => exact(if or_equal {
            Intervals::point(test.operand.clone())
        } else {
            Intervals::none()
        }),
        _ => {
            let (low, high, high_inclusive) = type_bracket(operand);
            let end = test.operand.clone();
            let interval = if upwards {
                Interval::new(end, or_equal, high, high_inclusive)
            } else {
                Interval::new(low, true, end, or_equal)
            };
            exact(Intervals::one(interval))
        }
    }
}

fn equality(operand: ValueRef<'_>, facts: FieldFacts) -> Option<LeafBounds> {
    match operand {
        // A missing field has the key null, which a sparse index leaves out.
        ValueRef::Null if facts.is_sparse || facts.has_position => None,
        ValueRef::Null => inexact(Intervals::point(Value::NULL)),
        ValueRef::Array(array) => {
            let first = array
                .iter()
                .next()
                .map_or(Value::Borrowed(ValueRef::Undefined), ValueRef::to_value);
            inexact(Intervals::union_of(vec![
                Interval::point(first),
                Interval::point(operand.to_value()),
            ]))
        }
        _ => exact(Intervals::point(operand.to_value())),
    }
}

fn membership(test: &Membership, facts: FieldFacts) -> Option<LeafBounds> {
    let mut intervals = Vec::with_capacity(test.values.len());
    let mut tightness = Tightness::Exact;
    for value in &test.values {
        let one = equality(value.as_ref(), facts)?;
        tightness = tightness.max(one.tightness);
        intervals.extend_from_slice(one.intervals.as_slice());
    }
    for pattern in &test.regexes {
        let one = regex(pattern);
        tightness = tightness.max(one.tightness);
        intervals.extend_from_slice(one.intervals.as_slice());
    }
    Some(LeafBounds {
        intervals: Intervals::union_of(intervals),
        tightness,
    })
}

/// Strings that start with the pattern's fixed prefix, and the pattern itself stored as a value.
fn regex(test: &RegexTest) -> LeafBounds {
    let itself = Interval::point(
        ValueRef::Regex {
            pattern: Text::from(&*test.pattern),
            options: Text::from(&*test.options),
        }
        .to_value(),
    );
    let text = |text: &str| ValueRef::from(text).to_value();
    let (strings, tightness) = match test.prefix() {
        Some(RegexPrefix {
            prefix,
            exact: is_whole,
        }) => {
            let mut next = prefix.clone();
            let high = loop {
                match next.pop() {
                    None => {
                        break Value::Borrowed(ValueRef::Document(crate::bson::Document::EMPTY));
                    }
                    Some(last) => {
                        if let Some(after) = next_char(last) {
                            next.push(after);
                            break text(&next);
                        }
                    }
                }
            };
            let tightness = if is_whole {
                Tightness::Exact
            } else {
                Tightness::Covered
            };
            (Interval::new(text(&prefix), true, high, false), tightness)
        }
        None => (
            Interval::new(
                text(""),
                true,
                Value::Borrowed(ValueRef::Document(crate::bson::Document::EMPTY)),
                false,
            ),
            Tightness::Covered,
        ),
    };
    LeafBounds {
        intervals: Intervals::union_of(vec![strings, itself]),
        tightness,
    }
}

fn next_char(character: char) -> Option<char> {
    match character {
        '\u{D7FF}' => Some('\u{E000}'),
        other => char::from_u32(u32::from(other) + 1),
    }
}

fn negation(child: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
    match child {
        // `$exists: false`: a missing field has the key null, unless the index leaves it out.
        MatchNode::Exists(_) if facts.is_sparse || facts.has_position => None,
        MatchNode::Exists(_) => inexact(Intervals::point(Value::NULL)),
        // An array of scalars has the key null below it although nothing there is null or absent.
        MatchNode::Compare(test)
            if (facts.is_array || facts.has_position)
                && matches!(test.operand.as_ref(), ValueRef::Null) =>
        {
            None
        }
        MatchNode::In(test) if (facts.is_array || facts.has_position) && test.has_null => None,
        // A key other than null tells that the value is not null; the key null may also stand for a missing field.
        MatchNode::Compare(test)
            if test.kind.accepts_equal() && matches!(test.operand.as_ref(), ValueRef::Null) =>
        {
            exact(Intervals::point(Value::NULL).complement())
        }
        MatchNode::In(test)
            if test.has_null
                && !facts.is_sparse
                && test.regexes.is_empty()
                && !{ test.values.iter() }
                    .any(|value| matches!(value.as_ref(), ValueRef::Array(_))) =>
        {
            exact(membership(test, facts)?.intervals.complement())
        }
        MatchNode::Compare(test) if matches!(test.operand.as_ref(), ValueRef::Array(_)) => None,
        MatchNode::In(test) if !test.regexes.is_empty() => None,
        MatchNode::Compare(_) | MatchNode::In(_) if facts.is_sparse => None,
        MatchNode::Compare(_) | MatchNode::In(_) => {
            let inner = bounds(child, facts)?;
            let tightness = match inner.tightness {
                Tightness::Exact if !facts.is_array => Tightness::Exact,
                _ => Tightness::Fetch,
            };
            // Inexact inner bounds hold documents that do not match, so their complement would lose matches.
            let points_only = inner.intervals.all_points();
            if inner.tightness != Tightness::Exact && !points_only {
                return None;
            }
            if inner.tightness != Tightness::Exact {
                return inexact(Intervals::full());
            }
            Some(LeafBounds {
                intervals: inner.intervals.complement(),
                tightness,
            })
        }
        _ => None,
    }
}

/// The interval of a comparison inside `$expr`, whose order takes in all types.
fn compared(name: &str, value: ValueRef<'_>, facts: FieldFacts) -> Option<Interval> {
    let (lowest, highest) = (
        Value::Borrowed(ValueRef::MinKey),
        Value::Borrowed(ValueRef::MaxKey),
    );
    let bound = value.to_value();
    match name {
        "$eq" => Some(Interval::point(bound)),
        // An absent field is above MinKey, and a sparse index leaves it out.
        "$gt" | "$gte" if facts.is_sparse && matches!(value, ValueRef::MinKey) => None,
        "$gt" => Some(Interval::new(bound, false, highest, true)),
        "$gte" => Some(Interval::new(bound, true, highest, true)),
        "$lt" | "$lte" if facts.is_sparse => None,
        // An absent field is below null, and has its key.
        "$lt" => {
            let with_null = matches!(value, ValueRef::Null);
            Some(Interval::new(lowest, true, bound, with_null))
        }
        "$lte" => Some(Interval::new(lowest, true, bound, true)),
        _ => None,
    }
}
