//! Intervals of values and their algebra: index bounds are made of them.
//!
//! Invariant: an `Intervals` list is ascending, its members do not overlap and none is empty; so
//! unions, intersections and complements stay linear.

use crate::algorithms::sorting;
use crate::bson::{ArrayBuilder, BsonType, Document, Text, Value, ValueRef, compare};
use std::cmp::Ordering;

/// A range of values in the total order.
#[derive(Debug, Clone)]
pub struct Interval {
    pub low: Value<'static>,
    pub low_inclusive: bool,
    pub high: Value<'static>,
    pub high_inclusive: bool,
}

impl Interval {
    pub fn new(
        low: Value<'static>,
        low_inclusive: bool,
        high: Value<'static>,
        high_inclusive: bool,
    ) -> Self {
        Self {
            low,
            low_inclusive,
            high,
            high_inclusive,
        }
    }

    /// The single value.
    pub fn point(value: Value<'static>) -> Self {
        Self {
            low: value.clone(),
            low_inclusive: true,
            high: value,
            high_inclusive: true,
        }
    }

    /// Every value: `[MinKey, MaxKey]`.
    pub fn full() -> Self {
        Self::new(
            Value::Borrowed(ValueRef::MinKey),
            true,
            Value::Borrowed(ValueRef::MaxKey),
            true,
        )
    }

    pub fn is_full(&self) -> bool {
        self.low_inclusive
            && self.high_inclusive
            && matches!(self.low.as_ref(), ValueRef::MinKey)
            && matches!(self.high.as_ref(), ValueRef::MaxKey)
    }

    pub fn is_point(&self) -> bool {
        self.low_inclusive
            && self.high_inclusive
            && compare(self.low.as_ref(), self.high.as_ref()) == Ordering::Equal
    }

    fn is_empty(&self) -> bool {
        match compare(self.low.as_ref(), self.high.as_ref()) {
            Ordering::Less => false,
            Ordering::Equal => !(self.low_inclusive && self.high_inclusive),
            Ordering::Greater => true,
        }
    }

    fn compare_low(&self, other: &Self) -> Ordering {
        compare(self.low.as_ref(), other.low.as_ref())
            .then_with(|| other.low_inclusive.cmp(&self.low_inclusive))
    }

    fn compare_high(&self, other: &Self) -> Ordering {
        compare(self.high.as_ref(), other.high.as_ref())
            .then_with(|| self.high_inclusive.cmp(&other.high_inclusive))
    }

    /// Whether `next`, which starts no earlier, overlaps or continues this interval.
    fn touches(&self, next: &Self) -> bool {
        match compare(self.high.as_ref(), next.low.as_ref()) {
            Ordering::Greater => true,
            Ordering::Equal => self.high_inclusive || next.low_inclusive,
            Ordering::Less => false,
        }
    }
}

/// A sorted set of disjoint intervals.
#[derive(Debug, Clone, Default)]
pub struct Intervals(Vec<Interval>);

impl Intervals {
    /// Every value.
    pub fn full() -> Self {
        Self(vec![Interval::full()])
    }

    /// No value.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Sorts the intervals and joins those that overlap or continue one another.
    pub fn union_of(mut all: Vec<Interval>) -> Self {
        all.retain(|interval| !interval.is_empty());
        sorting::sort_by(&mut all, &mut Interval::compare_low);
        let mut merged: Vec<Interval> = Vec::with_capacity(all.len());
        for interval in all {
            match merged.last_mut() {
                Some(last) if last.touches(&interval) => {
                    if last.compare_high(&interval) == Ordering::Less {
                        last.high = interval.high;
                        last.high_inclusive = interval.high_inclusive;
                    }
                }
                _ => merged.push(interval),
            }
        }
        Self(merged)
    }

    pub fn one(interval: Interval) -> Self {
        Self::union_of(vec![interval])
    }

    pub fn point(value: Value<'static>) -> Self {
        Self(vec![Interval::point(value)])
    }

    pub fn as_slice(&self) -> &[Interval] {
        &self.0
    }

    pub fn is_full(&self) -> bool {
        matches!(self.0.as_slice(), [only] if only.is_full())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every interval is a single value.
    pub fn all_points(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(Interval::is_point)
    }

    /// Whether this is exactly one single value.
    pub fn is_single_point(&self) -> bool {
        matches!(self.0.as_slice(), [only] if only.is_point())
    }

    /// Whether a value may be inside that a collation has a say in: strings, documents and arrays.
    pub fn may_hold_strings(&self) -> bool {
        let class = |value: &Value<'_>| value.as_ref().bson_type().canonical_class();
        let (first, last) = (
            BsonType::String.canonical_class(),
            BsonType::Array.canonical_class(),
        );
        self.0
            .iter()
            .any(|one| class(&one.low) <= last && class(&one.high) >= first)
    }

    /// The values in either.
    pub fn union(self, other: Self) -> Self {
        let mut all = self.0;
        all.extend(other.0);
        Self::union_of(all)
    }

    /// The values in both.
    pub fn intersect(&self, other: &Self) -> Self {
        let mut result = Vec::new();
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let low = if a.compare_low(b) == Ordering::Less {
                b
            } else {
                a
            };
            let a_ends_first = a.compare_high(b) == Ordering::Less;
            let high = if a_ends_first { a } else { b };
            let both = Interval::new(
                low.low.clone(),
                low.low_inclusive,
                high.high.clone(),
                high.high_inclusive,
            );
            if !both.is_empty() {
                result.push(both);
            }
            if a_ends_first {
                left.next();
            } else {
                right.next();
            }
        }
        Self(result)
    }

    /// The values in none of them.
    pub fn complement(&self) -> Self {
        let mut result = Vec::new();
        let mut low = Value::Borrowed(ValueRef::MinKey);
        let mut low_inclusive = true;
        for interval in &self.0 {
            result.push(Interval::new(
                low,
                low_inclusive,
                interval.low.clone(),
                !interval.low_inclusive,
            ));
            low = interval.high.clone();
            low_inclusive = !interval.high_inclusive;
        }
        result.push(Interval::new(
            low,
            low_inclusive,
            Value::Borrowed(ValueRef::MaxKey),
            true,
        ));
        result.retain(|interval| !interval.is_empty());
        Self(result)
    }
}

/// The ends of a value's type bracket, as comparison operators see types (`{$gt: 5}` only meets
/// numbers), and whether the upper one is inside. NaN lies outside the bracket of numbers.
pub fn type_bracket(value: ValueRef<'_>) -> (Value<'static>, Value<'static>, bool) {
    let max_document = Value::Borrowed(ValueRef::Document(Document::EMPTY));
    let empty_array = || Value::Array(ArrayBuilder::new().finish());
    match value {
        ValueRef::Int32(_) | ValueRef::Int64(_) | ValueRef::Double(_) | ValueRef::Decimal128(_) => {
            (f64::NEG_INFINITY.into(), f64::INFINITY.into(), true)
        }
        ValueRef::String(_) | ValueRef::Symbol(_) => (
            Value::Borrowed(ValueRef::String(Text(b""))),
            max_document,
            false,
        ),
        ValueRef::Document(_) => (max_document, empty_array(), false),
        ValueRef::Array(_) => (
            empty_array(),
            Value::Borrowed(ValueRef::Binary {
                subtype: 0,
                bytes: &[],
            }),
            false,
        ),
        ValueRef::Binary { .. } => (
            Value::Borrowed(ValueRef::Binary {
                subtype: 0,
                bytes: &[],
            }),
            Value::Borrowed(ValueRef::ObjectId([0; 12])),
            false,
        ),
        ValueRef::ObjectId(_) => (
            Value::Borrowed(ValueRef::ObjectId([0; 12])),
            Value::Borrowed(ValueRef::ObjectId([0xFF; 12])),
            true,
        ),
        ValueRef::Boolean(_) => (false.into(), true.into(), true),
        ValueRef::DateTime(_) => (
            Value::Borrowed(ValueRef::DateTime(i64::MIN)),
            Value::Borrowed(ValueRef::DateTime(i64::MAX)),
            true,
        ),
        ValueRef::Timestamp { .. } => (
            Value::Borrowed(ValueRef::Timestamp {
                time: 0,
                increment: 0,
            }),
            Value::Borrowed(ValueRef::Timestamp {
                time: u32::MAX,
                increment: u32::MAX,
            }),
            true,
        ),
        ValueRef::Regex { .. } => (
            Value::Borrowed(ValueRef::Regex {
                pattern: Text(b""),
                options: Text(b""),
            }),
            Value::Borrowed(ValueRef::DbPointer {
                namespace: Text(b""),
                id: [0; 12],
            }),
            false,
        ),
        ValueRef::DbPointer { .. } => (
            Value::Borrowed(ValueRef::DbPointer {
                namespace: Text(b""),
                id: [0; 12],
            }),
            Value::Borrowed(ValueRef::JavaScript(Text(b""))),
            false,
        ),
        ValueRef::JavaScript(_) => (
            Value::Borrowed(ValueRef::JavaScript(Text(b""))),
            Value::Borrowed(ValueRef::JavaScriptWithScope {
                code: Text(b""),
                scope: Document::EMPTY,
            }),
            false,
        ),
        ValueRef::JavaScriptWithScope { .. } => (
            Value::Borrowed(ValueRef::JavaScriptWithScope {
                code: Text(b""),
                scope: Document::EMPTY,
            }),
            Value::Borrowed(ValueRef::MaxKey),
            false,
        ),
        ValueRef::Missing | ValueRef::Undefined | ValueRef::Null => {
            (Value::NULL, Value::NULL, true)
        }
        ValueRef::MinKey => (
            Value::Borrowed(ValueRef::MinKey),
            Value::Borrowed(ValueRef::MinKey),
            true,
        ),
        ValueRef::MaxKey => (
            Value::Borrowed(ValueRef::MaxKey),
            Value::Borrowed(ValueRef::MaxKey),
            true,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: i32, high: i32) -> Interval {
        Interval::new(low.into(), true, high.into(), true)
    }

    fn ends(all: &Intervals) -> Vec<(Option<i64>, Option<i64>)> {
        all.as_slice()
            .iter()
            .map(|one| {
                (
                    one.low.as_ref().as_exact_i64(),
                    one.high.as_ref().as_exact_i64(),
                )
            })
            .collect()
    }

    #[test]
    fn unions_join_and_intersections_cut() {
        let left = Intervals::union_of(vec![range(10, 20), range(1, 3), range(2, 5)]);
        assert_eq!(ends(&left), [(Some(1), Some(5)), (Some(10), Some(20))]);
        let right = Intervals::one(range(4, 12));
        assert_eq!(
            ends(&left.intersect(&right)),
            [(Some(4), Some(5)), (Some(10), Some(12))]
        );
        assert!(left.intersect(&Intervals::one(range(30, 40))).is_empty());
    }

    #[test]
    fn a_complement_leaves_the_gaps() {
        let points = Intervals::union_of(vec![range(1, 1), range(3, 3)]);
        let rest = points.complement();
        assert_eq!(rest.as_slice().len(), 3);
        assert!(points.intersect(&rest).is_empty());
        assert!(rest.complement().all_points());
        assert!(points.union(rest).is_full());
    }
}
