//! `$mod`: the remainder of a division.
//!
//! Follows the manual's "$mod" page: divisor, remainder and the field's value are truncated to 64-bit integers; a
//! value that does not fit does not match.

use crate::bson::document::RawElement;
use crate::bson::{ArrayBuilder, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, bad_value};
use crate::query::integer::truncated;
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;

/// `path $mod [divisor, remainder]`.
#[derive(Debug, Clone)]
pub struct ModTest {
    pub path: QueryPath,
    /// Not zero.
    pub divisor: i64,
    pub remainder: i64,
}

impl ModTest {
    /// Whether one value (or `MISSING`) satisfies the predicate.
    pub fn matches(&self, element: &RawElement<'_>) -> bool {
        element
            .value()
            .as_number()
            .and_then(truncated)
            .is_some_and(|dividend| dividend.wrapping_rem(self.divisor) == self.remainder)
    }

    /// Writes `{$mod: [4, 0]}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        let mut items = ArrayBuilder::new();
        items.push(self.divisor).push(self.remainder);
        builder.append("$mod", &items.finish());
    }
}

pub(super) fn parse(
    _: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let Some(items) = operand.value.as_array() else {
        return Err(bad_value("malformed mod, needs to be an array"));
    };
    let mut items = items.iter();
    let divisor = part("divisor", items.next())?;
    let remainder = part("remainder", items.next())?;
    if items.next().is_some() {
        return Err(bad_value("malformed mod, too many elements"));
    }
    if divisor == 0 {
        return Err(bad_value("divisor cannot be 0"));
    }
    Ok(Some(MatchNode::Mod(ModTest {
        path: operand.path.clone(),
        divisor,
        remainder,
    })))
}

fn part(role: &str, value: Option<ValueRef<'_>>) -> Result<i64, CommandError> {
    let Some(value) = value else {
        return Err(bad_value("malformed mod, not enough elements"));
    };
    let Some(number) = value.as_number() else {
        return Err(bad_value(format!("malformed mod, {role} not a number")));
    };
    truncated(number).ok_or_else(|| {
        let reason = if number.to_f64().is_finite() {
            "Out of bounds coercing to integral value"
        } else {
            "Unable to coerce NaN/Inf to integral type"
        };
        bad_value(format!(
            "malformed mod, {role} value is invalid :: caused by :: {reason}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn compares_remainders() {
        assert!(matches("{a: {$mod: [4, 0]}}", "{a: 8}"));
        assert!(!matches("{a: {$mod: [4, 0]}}", "{a: 9}"));
        assert!(matches("{a: {$mod: [4, 1]}}", "{a: 9.9}"));
        assert!(matches("{a: {$mod: [4.7, 1.2]}}", "{a: 9}"));
        assert!(matches("{a: {$mod: [4, -1]}}", "{a: -5}"));
        assert!(matches("{a: {$mod: [4, 0]}}", "{a: [1, 8]}"));
        assert!(!matches("{a: {$mod: [4, 0]}}", "{a: \"8\"}"));
        assert!(!matches("{a: {$mod: [4, 0]}}", "{a: NaN}"));
        assert!(matches(
            "{a: {$mod: [-1, 0]}}",
            "{a: long(-9223372036854775808)}"
        ));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(
            refusal("{a: {$mod: 5}}"),
            "2: malformed mod, needs to be an array"
        );
        assert_eq!(
            refusal("{a: {$mod: [5]}}"),
            "2: malformed mod, not enough elements"
        );
        assert_eq!(
            refusal("{a: {$mod: [5, 1, 2]}}"),
            "2: malformed mod, too many elements"
        );
        assert_eq!(
            refusal("{a: {$mod: [\"x\", 1]}}"),
            "2: malformed mod, divisor not a number"
        );
        assert_eq!(
            refusal("{a: {$mod: [5, \"x\"]}}"),
            "2: malformed mod, remainder not a number"
        );
        assert_eq!(refusal("{a: {$mod: [0, 1]}}"), "2: divisor cannot be 0");
        assert!(refusal("{a: {$mod: [NaN, 1]}}").contains("Unable to coerce NaN/Inf"));
    }
}
