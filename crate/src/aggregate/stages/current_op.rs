//! `$currentOp`: the operations in progress, and cursors that wait.
//!
//! Follows the manual's "$currentOp (aggregation)" page. The documents come from the executor.

use super::super::stage::StagePlan;
use super::describe;
use crate::bson::ValueRef;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

/// The options, all of them boolean.
const OPTIONS: &[&str] = &[
    "allUsers",
    "backtrace",
    "idleConnections",
    "idleCursors",
    "idleSessions",
    "localOps",
    "targetAllNodes",
    "truncateOps",
];

/// Compiles the stage.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>, CommandError> {
    let ValueRef::Document(fields) = specification else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "{name} options must be specified in an object, but found: {}",
                specification.type_name()
            ),
        ));
    };
    describe::flagged(name, fields, OPTIONS)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification() {
        fails("[{$currentOp: 1}]", 14);
        fails("[{$currentOp: {allUsers: 1}}]", 14);
        fails("[{$currentOp: {idleCursors: 1}}]", 14);
        fails("[{$currentOp: {foo: true}}]", 40415);
        fails("[{$limit: 1}, {$currentOp: {}}]", 40602);
    }
}
