//! `$radiansToDegrees`: radians as degrees.
//!
//! Follows the manual's "$radiansToDegrees" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::{ALL, apply};
use crate::bson::{Decimal, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

/// The factor for decimals: 180 / pi.
const FACTOR: &str = "57.29577951308232087679815481410517";

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, ALL, f64::to_degrees, |x| {
        Decimal::parse(FACTOR).map(|factor| x * factor)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$radiansToDegrees: 0}", "{}", "0.0");
    }
}
