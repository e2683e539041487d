//! Equality as schemas mean it: the order of a document's fields does not count.

use crate::algorithms::sorting;
use crate::bson::{
    ArrayBuilder, Document, DocumentBuilder, Element, Value, ValueRef, values_equal,
};

/// Whether two values are equal, where the order of fields in documents does not count.
pub fn equal(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    match (left, right) {
        (ValueRef::Document(left), ValueRef::Document(right)) => equal_documents(left, right),
        (ValueRef::Array(left), ValueRef::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right.iter())
                    .all(|(left, right)| equal(left, right))
        }
        _ => values_equal(left, right),
    }
}

fn equal_documents(left: Document<'_>, right: Document<'_>) -> bool {
    left.len() == right.len()
        && left.iter().all(|element| {
            let other = right.get(element.name);
            !other.is_missing() && equal(element.value, other)
        })
}

/// A value whose documents have their fields in the order of their names, on every level: two such
/// values are equal by `compare` where the values that they were made of are equal by `equal`.
pub fn with_sorted_fields(value: ValueRef<'_>) -> Value<'_> {
    match value {
        ValueRef::Document(document) => {
            let mut fields: Vec<Element<'_>> = document.iter().collect();
            sorting::sort_by(&mut fields, &mut |a, b| a.name.cmp(b.name));
            let mut sorted = DocumentBuilder::new();
            for field in fields {
                sorted.append(field.name, with_sorted_fields(field.value).as_ref());
            }
            sorted.finish().into()
        }
        ValueRef::Array(array) => {
            let mut sorted = ArrayBuilder::new();
            for item in array.iter() {
                sorted.push(with_sorted_fields(item).as_ref());
            }
            sorted.finish().into()
        }
        plain => plain.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::compare;
    use crate::query::testing::document;

    #[test]
    fn the_order_of_fields_does_not_count() {
        let same =
            |left: &str, right: &str| equal((&document(left)).into(), (&document(right)).into());
        assert!(same("{a: 1, b: {c: 2, d: 3}}", "{b: {d: 3.0, c: 2}, a: 1}"));
        assert!(same("{a: [{b: 1, c: 2}]}", "{a: [{c: 2, b: 1}]}"));
        assert!(!same("{a: [1, 2]}", "{a: [2, 1]}"));
        assert!(!same("{a: 1}", "{a: 1, b: 2}"));
        assert!(!same("{a: 1, b: 2}", "{a: 1, c: 2}"));
    }

    #[test]
    fn sorted_fields_compare_as_equality_has_it() {
        let documents = [
            "{a: 1, b: {c: 2, d: 3}}",
            "{b: {d: 3.0, c: 2}, a: 1}",
            "{a: [{b: 1, c: 2}]}",
            "{a: [{c: 2, b: 1}]}",
            "{a: [1, 2]}",
            "{a: [2, 1]}",
            "{a: 1}",
            "{a: 1, b: 2}",
            "{b: 2, a: 1}",
            "{}",
        ]
        .map(document);
        for left in &documents {
            for right in &documents {
                let sorted = [left, right].map(|one| with_sorted_fields(one.into()));
                let is_equal = compare(sorted[0].as_ref(), sorted[1].as_ref()).is_eq();
                assert_eq!(is_equal, equal(left.into(), right.into()));
            }
        }
    }
}
