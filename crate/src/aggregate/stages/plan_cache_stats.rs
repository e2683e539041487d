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
    let refused = |message: String| CommandError::new(Code::FailedToParse, message);
    let mut given = fields.iter();
    if let Some(field) = given.next() {
        if field.name != "allHosts" {
            return Err(refused(format!(
                "$planCacheStats parameters object may contain only 'allHosts' field. Found: {}",
                field.name
            )));
        }
        let ValueRef::Boolean(all_hosts) = field.value else {
            let kind = field.value.type_name();
            return Err(CommandError::location(
                13111,
                format!("wrong type for field (allHosts) {kind} != bool"),
            ));
        };
        if given.next().is_some() {
            return Err(refused(
                "$planCacheStats parameters object may contain at most one field.".to_owned(),
            ));
        }
        if all_hosts {
            return Err(CommandError::location(
                4503200,
                "$planCacheStats stage supports allHosts parameter only for sharded clusters",
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
        fails("[{$planCacheStats: {a: 1}}]", 9);
        fails("[{$planCacheStats: {allHosts: 1}}]", 13111);
        fails("[{$planCacheStats: {allHosts: true}}]", 4503200);
        fails("[{$planCacheStats: {allHosts: false, a: 1}}]", 9);
        fails("[{$planCacheStats: 1}]", 9);
    }
}
