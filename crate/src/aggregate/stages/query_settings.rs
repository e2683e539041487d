//! `$querySettings`: the settings of queries by their shapes.
//!
//! Follows the manual's "$querySettings (aggregation)" page. The documents come from the executor.

use super::super::stage::StagePlan;
use super::describe;
use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::expr::CompileContext;

/// The option that shows shapes too.
pub const SHOW_SHAPE: &str = "showDebugQueryShape";

/// Compiles the stage.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>, CommandError> {
    match specification {
        ValueRef::Document(fields) => describe::flagged(name, fields, &[SHOW_SHAPE]),
        _ => Err(CommandError::location(
            7_746_800,
            "$querySettings stage expects a document as argument",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification() {
        fails("[{$querySettings: []}]", 7_746_800);
        fails("[{$querySettings: {shape: true}}]", 40415);
        fails("[{$querySettings: {showDebugQueryShape: 1}}]", 14);
        fails("[{$limit: 1}, {$querySettings: {}}]", 40602);
    }
}
