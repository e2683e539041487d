//! `$slice` in a find projection: some items of an array.
//!
//! Follows the manual's "$slice (projection)" page. A value that is no array stays as it is.

use crate::bson::{Array, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::query::projection::apply::Positions;

/// Which items: so many from a position, which counts from the end when negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    skip: i64,
    limit: i64,
}

impl Slice {
    /// Reads `n` or `[skip, limit]`; `Err` says why it is neither.
    pub fn parse(value: ValueRef<'_>) -> Result<Self, &'static str> {
        let only = "Location31273: $slice only supports numbers and [skip, limit] arrays";
        let number = |value: ValueRef<'_>| {
            value
                .as_number()
                .map(|number| number.to_i64_saturating())
                .ok_or(only)
        };
        let ValueRef::Array(items) = value else {
            let count = number(value)?;
            return Ok(if count < 0 {
                Self {
                    skip: count,
                    limit: i64::MAX,
                }
            } else {
                Self {
                    skip: 0,
                    limit: count,
                }
            });
        };
        if items.len() != 2 {
            return Err("Location31272: $slice array argument should be of form [skip, limit]");
        }
        let (skip, limit) = (number(items.get(0))?, number(items.get(1))?);
        if limit <= 0 {
            return Err("Location31272: $slice limit must be positive");
        }
        Ok(Self { skip, limit })
    }

    /// Writes the items into an open array.
    pub fn append(&self, array: Array<'_>, builder: &mut DocumentBuilder) {
        let skip = if self.skip < 0 {
            (array.len() as i64).saturating_add(self.skip).max(0)
        } else {
            self.skip
        };
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        let mut positions = Positions::default();
        for item in array.iter().skip(skip).take(limit) {
            builder.append(positions.next_name(), item);
        }
    }
}

/// The error for an argument that fits neither this operator nor the expression of the same name.
pub fn refuse(value: ValueRef<'_>, reason: &str, expression: &CommandError) -> CommandError {
    CommandError::location(
        expression.code,
        format!(
            "Invalid $slice syntax. The given syntax {{ $slice: {value} }} did not match the find() syntax \
             because :: {reason} :: The given syntax did not match the expression $slice syntax. :: caused \
             by :: {}",
            expression.message
        ),
    )
}

#[cfg(test)]
mod tests {
    use crate::query::testing::projected;

    #[test]
    fn takes_items_from_either_end() {
        let subject = "{_id: 1, a: [1, 2, 3, 4], b: 5}";
        for (slice, expected) in [
            ("2", "[ 1, 2 ]"),
            ("-2", "[ 3, 4 ]"),
            ("0", "[]"),
            ("9", "[ 1, 2, 3, 4 ]"),
            ("-9", "[ 1, 2, 3, 4 ]"),
            ("[1, 2]", "[ 2, 3 ]"),
            ("[-3, 2]", "[ 2, 3 ]"),
            ("[-9, 1]", "[ 1 ]"),
            ("[7, 1]", "[]"),
        ] {
            assert_eq!(
                projected(&format!("{{a: {{$slice: {slice}}}}}"), "{}", subject),
                format!("{{ _id: 1, a: {expected}, b: 5 }}"),
                "{slice}"
            );
        }
    }

    #[test]
    fn other_fields_follow_the_projection_beside_it() {
        let subject = "{_id: 1, a: [1, 2], b: {c: [3, 4], d: 1}, e: 1}";
        assert_eq!(
            projected("{a: {$slice: 1}, e: 1}", "{}", subject),
            "{ _id: 1, a: [ 1 ], e: 1 }"
        );
        assert_eq!(
            projected("{a: {$slice: 1}, e: 0}", "{}", subject),
            "{ _id: 1, a: [ 1 ], b: { c: [ 3, 4 ], d: 1 } }"
        );
        assert_eq!(
            projected("{\"b.c\": {$slice: -1}}", "{}", subject),
            "{ _id: 1, a: [ 1, 2 ], b: { c: [ 4 ], d: 1 }, e: 1 }"
        );
        assert_eq!(
            projected("{e: {$slice: 1}, a: 0, b: 0}", "{}", subject),
            "{ _id: 1, e: 1 }"
        );
    }

    #[test]
    fn bad_arguments_are_refused() {
        let refusal = projected("{a: {$slice: \"x\"}}", "{}", "{}");
        assert!(refusal.contains("$slice only supports numbers and [skip, limit] arrays"));
        let refusal = projected("{a: {$slice: [1, 0]}}", "{}", "{}");
        // Arguments that `find` does not take are read as the expression `$slice`, which wants an array first.
        assert!(refusal.starts_with("28724: "), "{refusal}");
    }
}
