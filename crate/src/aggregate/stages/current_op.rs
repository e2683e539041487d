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
    for field in fields.iter() {
        if OPTIONS.binary_search(&field.name).is_err() {
            return Err(CommandError::new(
                Code::FailedToParse,
                format!("Unrecognized option '{}' in {name} stage.", field.name),
            ));
        }
        if !matches!(field.value, ValueRef::Boolean(_)) {
            // Two are read by an earlier parser, which has another code.
            let code = match field.name {
                "allUsers" | "localOps" => Code::TypeMismatch,
                _ => Code::FailedToParse,
            };
            return Err(CommandError::new(
                code,
                format!(
                    "The '{}' parameter of the {name} stage must be a boolean value, but found: {}",
                    field.name,
                    field.value.type_name()
                ),
            ));
        }
    }
    Ok(describe::plan(name, fields))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification() {
        fails("[{$currentOp: 1}]", 14);
        fails("[{$currentOp: {allUsers: 1}}]", 14);
        fails("[{$currentOp: {idleCursors: 1}}]", 9);
        fails("[{$currentOp: {foo: true}}]", 9);
        fails("[{$limit: 1}, {$currentOp: {}}]", 40602);
    }
}
