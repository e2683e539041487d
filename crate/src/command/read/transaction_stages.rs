//! The stages that a transaction's `aggregate` may have. Manual: core/transactions-operations.
//!
//! Invariant: a stage that may not stand in the pipeline may not stand in a pipeline within it either, nor in that of
//! the view that is read.

use super::views;
use crate::aggregate::{nested, stages::table};
use crate::bson::{Array, MAX_NESTING};
use crate::error::{Code, CommandError};

/// The stage that a server finds only when it has compiled the pipeline, and tells in other words.
const UNION: &str = "$unionWith";

fn refused(reason: String) -> CommandError {
    CommandError::new(Code::OperationNotSupportedInTransaction, reason)
}

/// Refuses a pipeline that a transaction cannot run.
///
/// # Errors
/// 263, with the first stage that is not allowed.
pub fn check(
    is_explained: bool,
    stages: Array<'_>,
    view: Option<&views::Resolved>,
) -> Result<(), CommandError> {
    let not_run = |what: &str| {
        refused(format!(
            "Operation not permitted in transaction :: caused by :: {what} cannot run within a multi-document \
             transaction"
        ))
    };
    if is_explained {
        return Err(not_run("Explain for the aggregate command"));
    }
    for stage in stages.iter().filter_map(nested::stage) {
        if stage.name != UNION && !is_allowed(stage.name) {
            return Err(not_run(&format!("Aggregation stage {}", stage.name)));
        }
    }
    match view {
        Some(view) => check_compiled(view.with(stages).as_array(), 0),
        None => check_compiled(stages, 0),
    }
}

fn is_allowed(name: &str) -> bool {
    table::find(name).map_or(true, |row| row.in_transactions)
}

/// Refuses the stages of a pipeline and of those within it.
fn check_compiled(stages: Array<'_>, depth: usize) -> Result<(), CommandError> {
    if depth > MAX_NESTING {
        return Ok(());
    }
    for stage in stages.iter().filter_map(nested::stage) {
        // More than one ranking is united by a `$unionWith` for each.
        let united = match stage.name {
            "$rankFusion" | "$scoreFusion" => {
                let fields = stage.value.as_document().unwrap_or_default();
                let input = fields.get("input").as_document().unwrap_or_default();
                let pipelines = input.get("pipelines").as_document().unwrap_or_default();
                pipelines.iter().count() > 1
            }
            _ => false,
        };
        let name = if united { UNION } else { stage.name };
        if !is_allowed(name) {
            return Err(refused(format!(
                "Stage not supported inside of a multi-document transaction: {name}"
            )));
        }
        for inner in nested::pipelines(&stage) {
            check_compiled(inner, depth + 1)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::ValueRef;
    use crate::expr::testing::document;

    fn told(pipeline: &str) -> String {
        let given = document(&format!("{{p: {pipeline}}}"));
        let ValueRef::Array(stages) = given.as_document().get("p") else {
            panic!("a pipeline is given");
        };
        check(false, stages, None).map_or_else(|error| error.message.clone(), |()| String::new())
    }

    #[test]
    fn stages_are_found_at_each_depth() {
        let of = |name: &str| {
            format!("Stage not supported inside of a multi-document transaction: {name}")
        };
        assert_eq!(
            told("[{$match: {}}, {$lookup: {from: 'b', pipeline: [], as: 'c'}}]"),
            ""
        );
        assert_eq!(told("[{$unionWith: 'b'}]"), of("$unionWith"));
        assert_eq!(
            told("[{$facet: {a: [{$unionWith: 'b'}]}}]"),
            of("$unionWith")
        );
        assert_eq!(
            told("[{$lookup: {from: 'b', pipeline: [{$collStats: {}}], as: 'c'}}]"),
            of("$collStats")
        );
        let fused =
            |pipelines: &str| format!("[{{$rankFusion: {{input: {{pipelines: {pipelines}}}}}}}]");
        assert_eq!(told(&fused("{a: [{$sort: {x: 1}}]}")), "");
        assert_eq!(told(&fused("{a: [], b: []}")), of("$unionWith"));
        assert!(
            told("[{$collStats: {}}]")
                .ends_with("$collStats cannot run within a multi-document transaction")
        );
    }
}
