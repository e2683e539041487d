//! Equality as schemas mean it: the order of a document's fields does not count.

use crate::bson::{Document, ValueRef, values_equal};

/// Whether two values are equal, in whatever order their documents have their fields.
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

#[cfg(test)]
mod tests {
    use super::*;
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
}
