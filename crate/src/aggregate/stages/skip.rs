//! `$skip`: all documents but the first.
//!
//! Follows the manual's "$skip" page.

use super::super::stage::{Flow, Part, StagePlan};
use super::limit::whole_count;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::Stage;
use crate::exec::skip::Skip;
use crate::expr::{CompileContext, Dependencies};

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$skip`.
pub struct SkipPlan {
    count: u64,
}

impl SkipPlan {
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
    let count = whole_count("$skip", 5_107_200, specification)?;
    Ok(vec![Box::new(SkipPlan { count })])
}

impl StagePlan for SkipPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(Skip::new(input, self.count))
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        let count = i64::try_from(self.count).unwrap_or(i64::MAX);
        builder.append("$skip", count);
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Skip(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn passes_over_the_count() {
        gives("[{$skip: 1}]", "[{a: 1}, {a: 2}]", "[{a: 2}]");
        gives("[{$skip: 5}]", "[{a: 1}]", "[]");
        fails("[{$skip: -1}]", 5_107_200);
        fails("[{$skip: 'x'}]", 5_107_200);
    }
}
