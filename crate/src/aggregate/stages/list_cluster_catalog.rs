//! `$listClusterCatalog`: the collections of a database, or of all databases, with their options.
//!
//! Follows the manual's "$listClusterCatalog (aggregation)" page. The documents come from the executor.

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
        ValueRef::Document(fields) => {
            let flags = ["shards", "balancingConfiguration", "tracked"];
            describe::flagged(name, fields, &flags)
        }
        other => Err(CommandError::location(
            9_621_302,
            format!("{name} must take an object but found: {name}: {other}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails;

    #[test]
    fn checks_its_specification() {
        fails("[{$listClusterCatalog: 1}]", 9_621_302);
        fails("[{$listClusterCatalog: {x: true}}]", 40415);
        fails("[{$listClusterCatalog: {shards: 1}}]", 14);
    }
}
