//! The contract of accumulators.
//!
//! Invariant: an accumulator owns its state, and says how many bytes each value made it grow, so that
//! the stage that holds many of them keeps within its memory limit.

use crate::bson::{DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::growth::{MOST_BYTES, exceeds_memory};
use crate::expr::{CompileContext, Expression};

pub type Result<T> = std::result::Result<T, CommandError>;

/// Bytes that the server counts for a value in a list beside the value's own.
const VALUE_BYTES: usize = 16;

/// Refuses a list with more values or bytes than the named accumulator may hold.
///
/// # Errors
/// 146 `ExceededMemoryLimit`.
pub fn check_list(name: &str, values: usize, bytes: usize) -> Result<()> {
    let used = bytes + values * VALUE_BYTES;
    match used > MOST_BYTES {
        true => Err(exceeds_memory(name, used)),
        false => Ok(()),
    }
}

/// The state of one accumulator of one group.
pub trait Accumulator {
    /// Takes a value in; gives how many bytes the state grew by.
    ///
    /// # Errors
    /// Errors of the accumulator.
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize>;

    /// The result so far; more values may follow.
    ///
    /// # Errors
    /// Errors of the accumulator.
    fn value(&mut self) -> Result<Value<'static>>;

    /// Begins a group, with its `_id`; missing where there is no group.
    ///
    /// # Errors
    /// Errors of the accumulator.
    fn begin(&mut self, _group: ValueRef<'_>, _env: &dyn Env) -> Result<()> {
        Ok(())
    }

    /// `add`, for an accumulator that may need the host.
    ///
    /// # Errors
    /// Errors of the accumulator.
    fn add_in(&mut self, value: ValueRef<'_>, _env: &dyn Env) -> Result<usize> {
        self.add(value)
    }

    /// `value`, for an accumulator that may need the host.
    ///
    /// # Errors
    /// Errors of the accumulator.
    fn finish(&mut self, _env: &dyn Env) -> Result<Value<'static>> {
        self.value()
    }

    /// `finish`, of a window's rows where rows leave the window as others come.
    ///
    /// # Errors
    /// Errors of the accumulator.
    fn finish_moving(&mut self, env: &dyn Env) -> Result<Value<'static>> {
        self.finish(env)
    }

    /// About how many bytes a new state takes.
    fn bytes(&self) -> usize {
        96
    }
}

/// Makes a new state.
pub type Start = Box<dyn Fn() -> Box<dyn Accumulator>>;

/// A compiled accumulator.
pub struct AccumulatorPlan {
    pub name: &'static str,
    /// The expression evaluated for each document.
    pub argument: Expression,
    /// The specification that explain prints; missing where the argument itself is it.
    pub specification: Value<'static>,
    pub start: Start,
}

impl AccumulatorPlan {
    /// A new state.
    pub fn start(&self) -> Box<dyn Accumulator> {
        (self.start)()
    }

    /// Appends the accumulator as explain prints it.
    pub fn explain(&self, builder: &mut DocumentBuilder) {
        match self.specification.as_ref() {
            ValueRef::Missing => self.argument.to_bson(self.name, builder),
            specification => {
                builder.append(self.name, specification);
            }
        }
    }
}

/// How an accumulator takes its argument.
#[derive(Clone, Copy)]
pub enum Form {
    /// One expression.
    Single(fn(&Collation) -> Box<dyn Accumulator>),
    /// Anything else.
    Custom(fn(&'static str, ValueRef<'_>, &CompileContext<'_>) -> Result<AccumulatorPlan>),
}
