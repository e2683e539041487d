//! `$indexStats`: how often each index of a collection was used.
//!
//! Follows the manual's "$indexStats (aggregation)" page. The numbers come from the executor.

use super::super::stage::StagePlan;
use super::describe;
use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::expr::CompileContext;

/// Compiles the stage.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>, CommandError> {
    match specification {
        ValueRef::Document(fields) if fields.is_empty() => Ok(describe::plan(name, fields)),
        _ => Err(CommandError::location(
            28803,
            "The $indexStats stage specification must be an empty object",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification_and_place() {
        fails("[{$match: {}}, {$indexStats: {}}]", 40602);
        fails("[{$indexStats: {a: 1}}]", 28803);
        fails("[{$indexStats: 1}]", 28803);
    }
}
