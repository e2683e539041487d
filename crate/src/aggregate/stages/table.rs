//! The table of pipeline stages, sorted by name.
//!
//! Invariant: `TABLE` and `UNSUPPORTED` are sorted and have no name in common; COMPAT.md lists the same names.

use super::super::stage::StagePlan;
use super::*;
use crate::bson::{Array, Document, Element, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

/// Compiles a stage from its specification; some names stand for several stages.
pub type Compile = fn(
    &'static str,
    ValueRef<'_>,
    &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>, CommandError>;

/// Where a stage may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    Anywhere,
    First,
    /// As `First`, but over the collection's documents.
    Leading,
    Last,
}

/// One stage of the table.
#[derive(Clone, Copy)]
pub struct StageRow {
    pub name: &'static str,
    pub compile: Compile,
    pub placement: Placement,
    pub in_facet: bool,
    pub in_transactions: bool,
    /// Whether it reads at no level of a read concern but `local`.
    pub only_local: bool,
}

const fn row(name: &'static str, compile: Compile) -> StageRow {
    StageRow {
        name,
        compile,
        placement: Placement::Anywhere,
        in_facet: true,
        in_transactions: true,
        only_local: false,
    }
}

const fn outside(name: &'static str, compile: Compile) -> StageRow {
    StageRow {
        name,
        compile,
        placement: Placement::Anywhere,
        in_facet: false,
        in_transactions: true,
        only_local: false,
    }
}

const fn first(name: &'static str, compile: Compile) -> StageRow {
    StageRow {
        name,
        compile,
        placement: Placement::First,
        in_facet: false,
        in_transactions: false,
        only_local: false,
    }
}

/// A source that tells of this member of the deployment alone.
const fn of_member(name: &'static str, compile: Compile) -> StageRow {
    StageRow {
        only_local: true,
        ..first(name, compile)
    }
}

const fn leading(name: &'static str, compile: Compile) -> StageRow {
    StageRow {
        placement: Placement::Leading,
        ..outside(name, compile)
    }
}

const fn last(name: &'static str, compile: Compile) -> StageRow {
    StageRow {
        name,
        compile,
        placement: Placement::Last,
        in_facet: false,
        in_transactions: false,
        only_local: false,
    }
}

/// Every stage.
pub const TABLE: &[StageRow] = &[
    row("$_internalRank", rank::compile),
    row(unpack_bucket::NAME, unpack_bucket::compile),
    row("$addFields", project::compile_add_fields),
    row("$bucket", bucket::compile),
    row("$bucketAuto", bucket_auto::compile),
    first("$changeStream", change_stream::source::compile),
    outside(change_stream::split::NAME, change_stream::split::compile),
    first("$collStats", coll_stats::compile),
    row("$count", count::compile),
    of_member("$currentOp", current_op::compile),
    row("$densify", densify::compile),
    StageRow {
        in_transactions: true,
        ..first("$documents", documents::compile)
    },
    outside("$facet", facet::compile),
    row("$fill", fill::compile),
    outside(geo_near::NAME, geo_near::compile),
    row("$graphLookup", graph_lookup::compile),
    row("$group", group::compile),
    first("$indexStats", index_stats::compile),
    row("$limit", limit::compile),
    first("$listClusterCatalog", list_cluster_catalog::compile),
    of_member("$listLocalSessions", list_sessions::compile),
    first("$listSessions", list_sessions::compile),
    row("$lookup", lookup::compile),
    row("$match", matching::compile),
    last("$merge", merge::compile),
    last("$out", out::compile),
    of_member("$planCacheStats", plan_cache_stats::compile),
    row("$project", project::compile),
    of_member("$querySettings", query_settings::compile),
    leading("$rankFusion", fusion::compile),
    row("$redact", redact::compile),
    row("$replaceRoot", replace_root::compile),
    row("$replaceWith", replace_root::compile_with),
    row("$sample", sample::compile),
    row("$score", score::compile),
    leading("$scoreFusion", fusion::compile),
    row("$set", project::compile_add_fields),
    row("$setMetadata", set_metadata::compile),
    row("$setWindowFields", set_window_fields::compile),
    row("$skip", skip::compile),
    row("$sort", sort::compile),
    row("$sortByCount", sort_by_count::compile),
    StageRow {
        in_transactions: false,
        ..row("$unionWith", union_with::compile)
    },
    row("$unset", project::compile_unset),
    row("$unwind", unwind::compile),
];

/// Stages that MongoDB has and this engine refuses, sorted.
pub const UNSUPPORTED: &[&str] = &[
    "$listSampledQueries",
    "$listSearchIndexes",
    "$queryStats",
    "$search",
    "$searchMeta",
    "$shardedDataDistribution",
    "$vectorSearch",
];

/// The code of the error for a name that is no stage's.
pub const UNKNOWN_STAGE: i32 = 40324;

/// The one field of a stage: its name and its specification.
///
/// # Errors
/// 40323 for none or several.
pub fn field_of(stage: Document<'_>) -> Result<Element<'_>, CommandError> {
    let mut fields = stage.iter();
    match (fields.next(), fields.next()) {
        (Some(field), None) => Ok(field),
        _ => Err(CommandError::location(
            40323,
            "A pipeline stage specification object must contain exactly one field.",
        )),
    }
}

/// The row of a stage.
///
/// # Errors
/// 40324 for a name that is no stage's, `NotImplemented` for one that is not built.
pub fn find(name: &str) -> Result<StageRow, CommandError> {
    if let Ok(position) = TABLE.binary_search_by(|row| row.name.cmp(name))
        && let Some(row) = TABLE.get(position)
    {
        return Ok(*row);
    }
    Err(if UNSUPPORTED.binary_search(&name).is_ok() {
        CommandError::new(
            Code::NotImplemented,
            format!("The pipeline stage '{name}' is not supported"),
        )
    } else {
        CommandError::location(
            UNKNOWN_STAGE,
            format!("Unrecognized pipeline stage name: '{name}'"),
        )
    })
}

/// Compiles the stages that another stage stands for.
///
/// # Errors
/// Those of `field_of`, of `find` and of each stage.
pub fn compile_stages(
    stages: Array<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>, CommandError> {
    let mut plans = Vec::new();
    for stage in stages.iter().filter_map(ValueRef::as_document) {
        let field = field_of(stage)?;
        let row = find(field.name)?;
        plans.extend((row.compile)(row.name, field.value, context)?);
    }
    Ok(plans)
}

/// Whether a stage of this name may stand in a facet. In the pipelines of a facet's joins and unions stages that write
/// are refused for these; a name that is no stage's is refused elsewhere.
pub fn may_stand_in_facet(name: &str, is_nested: bool) -> bool {
    match find(name) {
        Ok(row) => row.in_facet || (is_nested && row.placement == Placement::Last),
        Err(_) => UNSUPPORTED.binary_search(&name).is_err(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_and_disjoint() {
        assert!(TABLE.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(UNSUPPORTED.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(!TABLE.iter().any(|row| UNSUPPORTED.contains(&row.name)));
    }
}
