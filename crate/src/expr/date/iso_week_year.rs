//! `$isoWeekYear`: the ISO 8601 week year of a date, as a long.
//!
//! Follows the manual's "$isoWeekYear" page.

use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Result};
use super::calendar::iso_week;
use super::part;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| part::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    Ok(match part::local(call, scope)? {
        Some(local) => Value::from(iso_week(local).0),
        None => Value::NULL,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn is_a_long() {
        evaluates(
            "{$isoWeekYear: Date(1451606400000)}",
            "{}",
            "NumberLong(2015)",
        );
        evaluates("{$isoWeekYear: null}", "{}", "null");
    }
}
