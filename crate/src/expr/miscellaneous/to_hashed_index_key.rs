//! `$toHashedIndexKey`: the hash of a value, as it is the key in a hashed index.
//!
//! Follows the manual's "$toHashedIndexKey" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;
use crate::catalog::index::hashed::element_hash::element_hash;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    Ok(Value::from(element_hash(arguments[0].as_ref())))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn hashes_as_the_server_does() {
        evaluates(
            "{$toHashedIndexKey: 42}",
            "{}",
            "NumberLong(-944302157085130861)",
        );
        evaluates(
            "{$toHashedIndexKey: '$q'}",
            "{}",
            "NumberLong(2338878944348059895)",
        );
    }
}
