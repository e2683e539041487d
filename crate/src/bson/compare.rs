//! The total order across all BSON types.
//!
//! Follows the manual's "Comparison/Sort Order" page. Invariant: a total order in which numbers
//! compare by value across types, and which `keycode` encodes byte for byte.

use super::document::{Array, Document};
use super::value::ValueRef;
use std::cmp::Ordering;

/// Orders two values of any types.
pub fn compare(left: ValueRef<'_>, right: ValueRef<'_>) -> Ordering {
    use ValueRef::{
        Array, Binary, Boolean, DateTime, DbPointer, Document, JavaScript, JavaScriptWithScope,
        ObjectId, Regex, String, Symbol, Timestamp,
    };
    match (left, right) {
        (String(a) | Symbol(a), String(b) | Symbol(b)) => a.as_bytes().cmp(b.as_bytes()),
        (Document(a), Document(b)) => compare_documents(a, b),
        (Array(a), Array(b)) => compare_arrays(a, b),
        (ObjectId(a), ObjectId(b)) => a.cmp(&b),
        (Boolean(a), Boolean(b)) => a.cmp(&b),
        (DateTime(a), DateTime(b)) => a.cmp(&b),
        (
            Timestamp {
                time: a,
                increment: x,
            },
            Timestamp {
                time: b,
                increment: y,
            },
        ) => a.cmp(&b).then(x.cmp(&y)),
        (
            Binary {
                subtype: a,
                bytes: x,
            },
            Binary {
                subtype: b,
                bytes: y,
            },
        ) => x.len().cmp(&y.len()).then(a.cmp(&b)).then_with(|| x.cmp(y)),
        (
            Regex {
                pattern: a,
                options: x,
            },
            Regex {
                pattern: b,
                options: y,
            },
        ) => a
            .as_bytes()
            .cmp(b.as_bytes())
            .then_with(|| x.as_bytes().cmp(y.as_bytes())),
        (
            DbPointer {
                namespace: a,
                id: x,
            },
            DbPointer {
                namespace: b,
                id: y,
            },
        ) => a
            .len()
            .cmp(&b.len())
            .then_with(|| a.as_bytes().cmp(b.as_bytes()))
            .then(x.cmp(&y)),
        (JavaScript(a), JavaScript(b)) => a.as_bytes().cmp(b.as_bytes()),
        (JavaScriptWithScope { code: a, scope: x }, JavaScriptWithScope { code: b, scope: y }) => a
            .as_bytes()
            .cmp(b.as_bytes())
            .then_with(|| compare_documents(x, y)),
        _ => match (left.as_number(), right.as_number()) {
            (Some(a), Some(b)) => a.compare(b),
            _ => {
                let a = left.bson_type().canonical_class();
                a.cmp(&right.bson_type().canonical_class())
            }
        },
    }
}

/// Field by field: type class, then name, then value; a prefix is less.
pub fn compare_documents(left: Document<'_>, right: Document<'_>) -> Ordering {
    let mut others = right.raw_elements();
    for element in left.raw_elements() {
        let Some(other) = others.next() else {
            return Ordering::Greater;
        };
        let ordering = element
            .kind
            .canonical_class()
            .cmp(&other.kind.canonical_class())
            .then_with(|| element.name.cmp(other.name))
            .then_with(|| compare(element.value(), other.value()));
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    if others.next().is_some() {
        Ordering::Less
    } else {
        Ordering::Equal
    }
}

fn compare_arrays(left: Array<'_>, right: Array<'_>) -> Ordering {
    let mut others = right.iter();
    for item in left.iter() {
        let Some(other) = others.next() else {
            return Ordering::Greater;
        };
        let ordering = compare(item, other);
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    if others.next().is_some() {
        Ordering::Less
    } else {
        Ordering::Equal
    }
}

/// Whether two values are equal in the total order.
pub fn values_equal(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    compare(left, right) == Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::Text;

    #[test]
    fn orders_types_as_the_manual_lists_them() {
        let array = super::super::ArrayBuilder::new().finish();
        let ordered = [
            ValueRef::MinKey,
            ValueRef::Missing,
            ValueRef::Null,
            ValueRef::Int32(5),
            ValueRef::String(Text(b"a")),
            ValueRef::Document(Document::EMPTY),
            ValueRef::Array(array.as_array()),
            ValueRef::Binary {
                subtype: 0,
                bytes: &[],
            },
            ValueRef::ObjectId([0; 12]),
            ValueRef::Boolean(false),
            ValueRef::DateTime(0),
            ValueRef::Timestamp {
                time: 0,
                increment: 0,
            },
            ValueRef::Regex {
                pattern: Text(b""),
                options: Text(b""),
            },
            ValueRef::MaxKey,
        ];
        for (position, left) in ordered.iter().enumerate() {
            for (other, right) in ordered.iter().enumerate() {
                assert_eq!(compare(*left, *right), position.cmp(&other));
            }
        }
    }

    #[test]
    fn a_longer_binary_is_greater_whatever_its_bytes() {
        let short = ValueRef::Binary {
            subtype: 0,
            bytes: &[9],
        };
        let long = ValueRef::Binary {
            subtype: 0,
            bytes: &[0, 0],
        };
        assert_eq!(compare(short, long), Ordering::Less);
    }
}
