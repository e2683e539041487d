//! `$limit`: the first documents only.
//!
//! Follows the manual's "$limit" page.

use super::super::stage::{Flow, Part, StagePlan};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::Stage;
use crate::exec::limit::Limit;
use crate::expr::{CompileContext, Dependencies};

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$limit`.
pub struct LimitPlan {
    count: u64,
}

impl LimitPlan {
    pub fn new(count: u64) -> Self {
        Self { count }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn set(&mut self, count: u64) {
        self.count = count;
    }
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    match whole_count("$limit", 5_107_201, specification)? {
        0 => Err(CommandError::location(15958, "the limit must be positive")),
        count => Ok(vec![Box::new(LimitPlan { count })]),
    }
}

/// How many documents `$limit` or `$skip` is told: a whole number that is not negative.
///
/// # Errors
/// That code for any other value.
pub(super) fn whole_count(stage: &str, code: i32, specification: ValueRef<'_>) -> Result<u64> {
    let reason = match (specification.as_number(), specification.as_exact_i64()) {
        (None, _) => "Expected a number in",
        (_, None) => "Expected an integer",
        (_, Some(count)) => match u64::try_from(count) {
            Ok(count) => return Ok(count),
            Err(_) => "Expected a non-negative number in",
        },
    };
    Err(CommandError::location(
        code,
        format!("invalid argument to {stage} stage: {reason}: {stage}: {specification}"),
    ))
}

impl StagePlan for LimitPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(Limit::new(input, self.count))
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        let count = i64::try_from(self.count).unwrap_or(i64::MAX);
        builder.append("$limit", count);
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Limit(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn stops_after_the_count() {
        gives(
            "[{$limit: 2}]",
            "[{a: 1}, {a: 2}, {a: 3}]",
            "[{a: 1}, {a: 2}]",
        );
        gives("[{$limit: 9.0}]", "[{a: 1}]", "[{a: 1}]");
        fails("[{$limit: 0}]", 15958);
        fails("[{$limit: -1}]", 5_107_201);
        fails("[{$limit: 'x'}]", 5_107_201);
    }
}
