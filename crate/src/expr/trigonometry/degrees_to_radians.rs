//! `$degreesToRadians`: degrees as radians.
//!
//! Follows the manual's "$degreesToRadians" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::{ALL, apply};
use crate::bson::{Decimal, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

/// The factor for decimals: pi / 180.
const FACTOR: &str = "0.01745329251994329576923690768488613";

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, ALL, f64::to_radians, |x| {
        Decimal::parse(FACTOR).map(|factor| x * factor)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$degreesToRadians: 180}", "{}", "3.141592653589793");
    }
}
