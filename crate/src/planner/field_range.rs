//! One field's value or range, read from a filter's bytes before anything is compiled: `{a: 5}`, `{a: {$gte: 3, $lt:
//! 9}}`.
//!
//! Invariant: a value that is recognised stands for itself in a filter, has one key in every index without a
//! collation, and is compared with values of its own class alone. So the plan of such a filter does not depend on the
//! value.

use crate::bson::{BsonType, Document, ValueRef, compare};
use crate::keycode;
use crate::query::MatchNode;
use crate::query::predicate::comparison::ComparisonKind;

/// The values that a filter asks of one field.
#[derive(Debug, Clone, Copy)]
pub struct FieldRange<'a> {
    pub path: &'a str,
    low: Option<Limit<'a>>,
    high: Option<Limit<'a>>,
    /// The type of the limits, outside whose class nothing is asked for.
    kind: BsonType,
    /// Whether it is one value.
    pub is_point: bool,
}

#[derive(Debug, Clone, Copy)]
struct Limit<'a> {
    value: ValueRef<'a>,
    inclusive: bool,
}

impl<'a> FieldRange<'a> {
    /// The range of a filter that is nothing but `{path: value}` or `{path: {$gte: low, $lt: high}}`, with one limit
    /// or with two of one type; `None` for all others.
    pub fn of(filter: Document<'a>) -> Option<Self> {
        let mut elements = filter.raw_elements();
        let only = elements.next()?;
        if only.name.starts_with(b"$") || elements.next().is_some() {
            return None;
        }
        let path = std::str::from_utf8(only.name).ok()?;
        let operators = match only.value() {
            ValueRef::Document(operators) => operators,
            value => return Self::point(path, value),
        };
        let mut range = Self::unlimited(path);
        for operator in operators.iter() {
            range.add(ComparisonKind::of(operator.name)?, operator.value)?;
        }
        range.checked()
    }

    /// The range of a filter that was compiled.
    pub fn of_node(filter: &'a MatchNode) -> Option<Self> {
        let parts = filter.conjuncts();
        let [MatchNode::Compare(first), ..] = parts else {
            return None;
        };
        let path = first.path.dotted();
        if parts.len() == 1 && first.kind == ComparisonKind::Equal {
            return Self::point(path, first.operand.as_ref());
        }
        let mut range = Self::unlimited(path);
        for part in parts {
            match part {
                MatchNode::Compare(test) if test.path.dotted() == path => {
                    range.add(test.kind, test.operand.as_ref())?;
                }
                _ => return None,
            }
        }
        range.checked()
    }

    /// One value.
    pub fn point(path: &'a str, value: ValueRef<'a>) -> Option<Self> {
        let limit = Some(Limit::of(value, true)?);
        Some(Self {
            path,
            low: limit,
            high: limit,
            kind: value.bson_type(),
            is_point: true,
        })
    }

    fn unlimited(path: &'a str) -> Self {
        Self {
            path,
            low: None,
            high: None,
            kind: BsonType::Null,
            is_point: false,
        }
    }

    /// Adds a limit on a side that has none.
    fn add(&mut self, kind: ComparisonKind, value: ValueRef<'a>) -> Option<()> {
        let (side, inclusive) = match kind {
            ComparisonKind::GreaterOrEqual => (&mut self.low, true),
            ComparisonKind::Greater => (&mut self.low, false),
            ComparisonKind::LessOrEqual => (&mut self.high, true),
            ComparisonKind::Less => (&mut self.high, false),
            ComparisonKind::Equal => return None,
        };
        if side.is_some() || is_edge(value) {
            return None;
        }
        *side = Some(Limit::of(value, inclusive)?);
        self.kind = value.bson_type();
        Some(())
    }

    /// At most one lower and one upper limit of one class of values, and at least one of them.
    fn checked(self) -> Option<Self> {
        let class =
            |limit: Option<Limit<'_>>| limit.map(|limit| limit.value.bson_type().canonical_class());
        match (class(self.low), class(self.high)) {
            (None, None) => None,
            (Some(low), Some(high)) if low != high => None,
            // One value after all, whose order is another than a range's.
            (Some(_), Some(_)) if self.low.zip(self.high).is_some_and(Limit::are_equal) => None,
            _ => Some(self),
        }
    }

    /// Whether the values are strings, which collations compare.
    pub fn is_text(&self) -> bool {
        self.kind == BsonType::String
    }

    /// The one value.
    pub fn value(&self) -> Option<ValueRef<'a>> {
        { self.low.filter(|_| self.is_point) }.map(|limit| limit.value)
    }

    /// The keys of the range: from the first at or after one to the last before another; `None` when there can be none.
    pub fn encode(&self, descending: bool) -> Option<(Vec<u8>, Vec<u8>)> {
        let (mut low, mut high) = (Vec::with_capacity(32), Vec::with_capacity(32));
        let mut type_bits = keycode::TypeBits::default();
        let mut encode = |value: ValueRef<'_>, key: &mut Vec<u8>| {
            keycode::encode(value, descending, key, &mut type_bits);
        };
        // No range has NaN inside, which lies below all numbers.
        let edge = |infinity: f64| match self.kind.is_number() {
            true => Limit::of(ValueRef::Double(infinity), true),
            false => None,
        };
        let (low_limit, high_limit) = (
            self.low.or_else(|| edge(f64::NEG_INFINITY)),
            self.high.or_else(|| edge(f64::INFINITY)),
        );
        for (limit, key) in [(low_limit, &mut low), (high_limit, &mut high)] {
            if let Some(limit) = limit {
                encode(limit.value, key);
            }
        }
        let is_inside = |limit: Option<Limit<'_>>| limit.is_none_or(|limit| limit.inclusive);
        let (low_inside, high_inside) = (is_inside(low_limit), is_inside(high_limit));
        let (mut start, start_inside, mut end, end_inside) = match descending {
            true => (high, high_inside, low, low_inside),
            false => (low, low_inside, high, high_inside),
        };
        if start.is_empty() {
            keycode::append_class_start(self.kind, descending, &mut start);
        } else if !start_inside {
            keycode::append_successor(&mut start);
        }
        if end.is_empty() {
            keycode::append_class_end(self.kind, descending, &mut end);
        } else if end_inside {
            keycode::append_successor(&mut end);
        }
        (start < end).then_some((start, end))
    }
}

impl<'a> Limit<'a> {
    fn of(value: ValueRef<'a>, inclusive: bool) -> Option<Self> {
        let is_nan = matches!(value, ValueRef::Double(number) if number.is_nan());
        (is_plain(value) && !is_nan).then_some(Self { value, inclusive })
    }

    fn are_equal((low, high): (Self, Self)) -> bool {
        compare(low.value, high.value).is_eq()
    }
}

/// Whether a value may be the least or greatest of its class: from there to the end there may be one value alone.
fn is_edge(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::String(text) => text.is_empty(),
        ValueRef::Double(number) => number.is_infinite(),
        ValueRef::Int32(_) | ValueRef::Int64(_) => false,
        ValueRef::DateTime(millis) => millis == i64::MIN || millis == i64::MAX,
        ValueRef::ObjectId(bytes) => {
            matches!(bytes.as_slice(), [0x00, .., 0x00] | [0xFF, .., 0xFF])
        }
        _ => true,
    }
}

/// Whether a value stands for itself in a filter, is in no index under another key, and has but one type to be
/// compared with.
fn is_plain(value: ValueRef<'_>) -> bool {
    matches!(
        value,
        ValueRef::String(_)
            | ValueRef::ObjectId(_)
            | ValueRef::Int32(_)
            | ValueRef::Int64(_)
            | ValueRef::Double(_)
            | ValueRef::Boolean(_)
            | ValueRef::DateTime(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;
    use crate::bson::Text;

    /// Whether a range is one value, and its keys, if there can be any.
    type Found = Option<(bool, Option<(Vec<u8>, Vec<u8>)>)>;

    fn range(build: impl FnOnce(&mut DocumentBuilder)) -> Found {
        let mut builder = DocumentBuilder::new();
        build(&mut builder);
        let filter = builder.finish();
        let found = FieldRange::of(filter.as_document())?;
        assert_eq!(found.path, "a");
        Some((found.is_point, found.encode(false)))
    }

    fn between(low: (&str, ValueRef<'_>), high: (&str, ValueRef<'_>)) -> Found {
        range(|builder| {
            builder.begin_document("a").append(low.0, low.1);
            builder.append(high.0, high.1).end();
        })
    }

    #[test]
    fn a_value_is_a_point_and_two_limits_are_a_range() {
        let (is_point, keys) = range(|builder| {
            builder.append("a", 5);
        })
        .expect("a value");
        let keys = keys.expect("a point has keys");
        assert!(is_point && keys.0 < keys.1);
        for names in [["$gte", "$lt"], ["$lte", "$gt"]] {
            let [one, other] = [ValueRef::Int32(3), ValueRef::Double(5.5)];
            let (low, high) = match names[0] {
                "$gte" => ((names[0], one), (names[1], other)),
                _ => ((names[0], other), (names[1], one)),
            };
            let (is_point, keys) = between(low, high).expect("a range");
            assert!(!is_point && keys.is_some());
        }
    }

    #[test]
    fn limits_decide_whether_equal_values_are_inside() {
        let key = |value: i32| {
            let mut bytes = Vec::new();
            let mut type_bits = keycode::TypeBits::default();
            keycode::encode(ValueRef::Int32(value), false, &mut bytes, &mut type_bits);
            bytes.extend_from_slice(&[0; 8]);
            bytes
        };
        for (low, high, inside) in [
            ("$gte", "$lt", [true, true, false]),
            ("$gt", "$lte", [false, true, true]),
        ] {
            let found = between((low, ValueRef::Int32(1)), (high, ValueRef::Int32(3)));
            let keys = found.expect("a range").1.expect("it has keys");
            for (value, inside) in [1, 2, 3].into_iter().zip(inside) {
                let key = key(value);
                assert_eq!(key >= keys.0 && key < keys.1, inside, "{low} {value}");
            }
        }
        let nothing = between(("$gt", ValueRef::Int32(4)), ("$lt", ValueRef::Int32(3)));
        assert!(nothing.expect("a range").1.is_none());
        assert!(
            between(
                ("$gte", ValueRef::Int32(3)),
                ("$lte", ValueRef::Double(3.0))
            )
            .is_none()
        );
    }

    #[test]
    fn one_limit_is_bracketed_by_its_type() {
        let values = [
            ValueRef::Null,
            ValueRef::Double(f64::NAN),
            ValueRef::Double(f64::NEG_INFINITY),
            ValueRef::Int32(5),
            ValueRef::Double(f64::INFINITY),
            ValueRef::String(Text(b"")),
            ValueRef::String(Text(b"x")),
            ValueRef::Document(Document::EMPTY),
        ];
        for (operator, value, inside) in [
            ("$gte", ValueRef::Int32(5), 3..5),
            ("$lt", ValueRef::Int32(5), 2..3),
            ("$lte", ValueRef::String(Text(b"x")), 5..7),
            ("$gte", ValueRef::String(Text(b"x")), 6..7),
        ] {
            let mut builder = DocumentBuilder::new();
            builder.begin_document("a").append(operator, value).end();
            let filter = builder.finish();
            let found = FieldRange::of(filter.as_document()).expect("a range");
            for descending in [false, true] {
                let keys = found.encode(descending).expect("it has keys");
                for (position, value) in values.iter().enumerate() {
                    let mut key = Vec::new();
                    let mut type_bits = keycode::TypeBits::default();
                    keycode::encode(*value, descending, &mut key, &mut type_bits);
                    key.extend_from_slice(&[0; 8]);
                    let is_inside = key >= keys.0 && key < keys.1;
                    assert_eq!(
                        is_inside,
                        inside.contains(&position),
                        "{operator} {value:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn whatever_else_is_asked_is_not_recognised() {
        let (one, text) = (ValueRef::Int32(1), ValueRef::String(Text(b"x")));
        assert!(between(("$gte", one), ("$lt", text)).is_none());
        assert!(between(("$gte", one), ("$gt", one)).is_none());
        assert!(between(("$gte", one), ("$ne", one)).is_none());
        assert!(between(("$gte", ValueRef::Double(f64::NAN)), ("$lt", one)).is_none());
        assert!(between(("$gte", ValueRef::Null), ("$lte", ValueRef::Null)).is_none());
        let unlimited = range(|builder| {
            builder.begin_document("a").end();
        });
        assert!(unlimited.is_none());
        let two_fields = range(|builder| {
            builder.append("a", 1).append("b", 1);
        });
        assert!(two_fields.is_none());
        let document = range(|builder| {
            builder.begin_document("a").append("b", 1).end();
        });
        assert!(document.is_none());
    }
}
