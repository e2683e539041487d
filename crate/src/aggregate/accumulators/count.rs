//! `$count`: how many documents there are.
//!
//! Follows the manual's "$count (accumulator)" page.

use super::accumulator::{AccumulatorPlan, Form, Result};
use super::sum::State;
use crate::bson::{DocumentBuf, Value, ValueRef};
use crate::error::CommandError;
use crate::expr::statistics::state::Sum;
use crate::expr::{CompileContext, Expression};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(compile);

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<AccumulatorPlan> {
    match argument {
        ValueRef::Document(empty) if empty.is_empty() => {}
        _ => {
            return Err(CommandError::new(
                crate::error::Code::TypeMismatch,
                "$count takes no arguments, i.e. $count:{}",
            ));
        }
    }
    Ok(AccumulatorPlan {
        name,
        argument: Expression::constant(Value::from(1)),
        specification: Value::Document(DocumentBuf::default()),
        start: Box::new(|| State::start(Sum::value)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn counts() {
        accumulates("{$count: {}}", "[{}, {}]", "2");
        refuses("{$count: 5}", "[]", 14);
    }
}
