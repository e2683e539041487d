//! `$planCacheStats`: the cached plans of a collection.
//!
//! Follows the manual's "$planCacheStats" page. The documents come from the executor.

use super::super::stage::StagePlan;
use super::describe;
use crate::bson::ValueRef;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

/// Compiles the stage.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>, CommandError> {
    let fields = super::foreign::specification_fields(name, specification)?;
    if let Some(field) = fields.iter().next() {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "$planCacheStats parameters object may contain only 'allHosts' field. Found: {}",
                field.name
            ),
        ));
    }
    Ok(describe::plan(name, fields))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification() {
        fails("[{$planCacheStats: {a: 1}}]", 9);
        fails("[{$planCacheStats: 1}]", 9);
    }
}
