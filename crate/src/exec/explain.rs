//! Prints plans and their statistics in the classic shape of explain results.
//!
//! Follows the manual's "Explain Results" page for MongoDB 8.0: `queryPlanner` shows the tree, and
//! `executionStages` the same tree with each stage's counts. `pages` is this engine's own addition.

use super::memory;
use super::stage::Stage;
use super::watch::Meter;
use crate::bson::{ArrayBuilder, Document, DocumentBuilder, ValueRef};
use crate::plan::{IndexScanPlan, Plan, notation};
use crate::query::Matcher;

/// How much explain tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    QueryPlanner,
    ExecutionStats,
    AllPlansExecution,
}

impl Verbosity {
    /// Reads the `verbosity` field's text.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "queryPlanner" => Some(Self::QueryPlanner),
            "executionStats" => Some(Self::ExecutionStats),
            "allPlansExecution" => Some(Self::AllPlansExecution),
            _ => None,
        }
    }
}

/// Appends a plan's tree to the open document; with a running stage also its counts.
pub fn append_plan(plan: &Plan, stage: Option<&dyn Stage>, builder: &mut DocumentBuilder) {
    if let Plan::Metadata {
        input,
        is_shown: false,
        ..
    } = plan
    {
        let running = stage.and_then(|stage| stage.inputs().first().copied());
        return append_plan(input, running, builder);
    }
    builder.append("stage", plan.stage_name());
    append_filter(plan, builder);
    if let Some(stage) = stage {
        append_counts(plan, stage, builder);
    }
    append_facts(plan, builder);
    match stage {
        Some(stage) if plan.clustered_scan().is_some() => {
            builder.append_integer("docsExamined", stage.examined().1 as i64);
        }
        Some(stage) => stage.append_statistics(builder),
        None => {}
    }
    let inputs = plan.inputs();
    let running = stage.map(Stage::inputs).unwrap_or_default();
    match (plan, inputs.as_slice()) {
        (_, []) => {}
        _ if plan.clustered_scan().is_some() => {}
        (Plan::AndSorted { .. } | Plan::Or { .. } | Plan::MergeSort { .. }, _)
        | (Plan::TextOr { .. }, [_, _, ..]) => {
            builder.begin_array("inputStages");
            for (position, input) in inputs.into_iter().enumerate() {
                builder.begin_document(&position.to_string());
                append_plan(input, running.get(position).copied(), builder);
                builder.end();
            }
            builder.end();
        }
        (_, [input, ..]) => {
            builder.begin_document("inputStage");
            append_plan(input, running.first().copied(), builder);
            builder.end();
        }
    }
}

/// Appends a plan whose branches were planned one by one: below the stage that says so and costs nothing itself.
pub fn append_subplan(plan: &Plan, stage: Option<&dyn Stage>, builder: &mut DocumentBuilder) {
    builder.append("stage", "SUBPLAN");
    if let Some(stage) = stage {
        append_counts(plan, stage, builder);
    }
    builder.begin_document("inputStage");
    append_plan(plan, stage, builder);
    builder.end();
}

fn append_filter(plan: &Plan, builder: &mut DocumentBuilder) {
    let filter = match plan {
        Plan::CollectionScan { filter, .. }
        | Plan::Fetch { filter, .. }
        | Plan::Virtual { filter, .. } => filter.as_ref(),
        Plan::IndexScan(scan) | Plan::CountScan(scan) => scan.filter.as_ref(),
        _ => None,
    };
    if let Some(filter) = filter.filter(|filter| !filter.is_empty()) {
        append_query("filter", filter, builder);
    }
}

/// Appends a query in its canonical form.
pub fn append_query(name: &str, matcher: &Matcher, builder: &mut DocumentBuilder) {
    builder.append(name, &matcher.root().to_bson());
}

fn append_counts(plan: &Plan, stage: &dyn Stage, builder: &mut DocumentBuilder) {
    let counts = stage.statistics();
    builder.append_integer("nReturned", counts.advanced as i64);
    let meter = stage.meter();
    let millis = meter.map_or(0, |meter| meter.millis.max(0.0) as i64);
    builder.append_integer("executionTimeMillisEstimate", millis);
    if let Some(meter) = meter {
        let mut below = Meter::default();
        for input in stage.inputs().into_iter().filter_map(Stage::meter) {
            below.millis += input.millis;
            below.pages += input.pages;
        }
        meter.append_to(&below, builder);
    }
    if let Plan::Express { .. } = plan {
        return;
    }
    builder.append_integer("works", counts.works as i64);
    builder.append_integer("advanced", counts.advanced as i64);
    builder.append_integer("needTime", counts.need_time as i64);
    builder.append_integer("needYield", 0);
    builder.append_integer("saveState", 0);
    builder.append_integer("restoreState", 0);
    builder.append_integer("isEOF", i64::from(counts.is_eof));
}

fn append_facts(plan: &Plan, builder: &mut DocumentBuilder) {
    if let Some((scan, _)) = plan.clustered_scan() {
        return append_clustered(scan, builder);
    }
    match plan {
        Plan::IdLookUp { .. } => {}
        Plan::Express {
            index, projection, ..
        } if index.is_clustered => {
            if let Some(projection) = projection {
                builder.append("projection", &projection.to_bson());
            }
        }
        Plan::CollectionScan { direction, .. } => {
            builder.append("direction", direction.name());
        }
        Plan::Express {
            index, projection, ..
        } => {
            let pattern = notation::document(index.key_pattern.as_document());
            builder.append("keyPattern", pattern.as_str());
            builder.append("indexName", index.name.as_str());
            if let Some(projection) = projection {
                builder.append("projection", &projection.to_bson());
            }
        }
        Plan::IndexScan(scan) => append_index_scan(scan, builder),
        Plan::GeoNear(near) => {
            let index = &near.scan.index;
            builder
                .append("keyPattern", &index.key_pattern)
                .append("indexName", index.name.as_str())
                .append("indexVersion", index.version);
        }
        Plan::CountScan(scan) => append_count_scan(scan, builder),
        Plan::DistinctScan { scan, .. } => append_index_scan(scan, builder),
        Plan::Sort {
            pattern,
            limit,
            input,
            ..
        } => {
            builder.append("sortPattern", pattern.spec());
            builder.append_integer("memLimit", memory::LIMIT as i64);
            if let Some(limit) = limit {
                builder.append_integer("limitAmount", *limit as i64);
            }
            let simple = !matches!(**input, Plan::IndexScan(_)) && !pattern.reads_metadata();
            builder.append("type", if simple { "simple" } else { "default" });
        }
        Plan::MergeSort { pattern, .. } => {
            builder.append("sortPattern", pattern.spec());
        }
        Plan::Skip { skip, .. } => {
            builder.append_integer("skipAmount", *skip as i64);
        }
        Plan::Limit { limit, .. } => {
            builder.append_integer("limitAmount", *limit as i64);
        }
        Plan::Project { projection, .. } => {
            builder.append("transformBy", &projection.to_bson());
        }
        Plan::TextMatch { text, .. } => {
            builder.append("indexPrefix", &text.prefix);
            builder.append("indexName", text.index.name.as_str());
            text.search.append_to("parsedTextQuery", builder);
            let version = text.text().map_or(0, |text| i32::from(text.version));
            builder.append("textIndexVersion", version);
        }
        Plan::Eof
        | Plan::TextOr { .. }
        | Plan::Virtual { .. }
        | Plan::Fetch { .. }
        | Plan::AndSorted { .. }
        | Plan::Or { .. }
        | Plan::Metadata { .. }
        | Plan::ReturnKey { .. } => {}
    }
}

/// A scan of the documents shows the first and the last record it may look at.
fn append_clustered(scan: &IndexScanPlan, builder: &mut DocumentBuilder) {
    builder.append("direction", scan.direction.name());
    let Some(field) = scan.bounds.fields.first() else {
        return;
    };
    let intervals = field.intervals.as_slice();
    if let Some(first) = intervals.first()
        && !matches!(first.low.as_ref(), ValueRef::MinKey)
    {
        builder.append("minRecord", first.low.as_ref());
    }
    if let Some(last) = intervals.last()
        && !matches!(last.high.as_ref(), ValueRef::MaxKey)
    {
        builder.append("maxRecord", last.high.as_ref());
    }
}

fn append_index(scan: &IndexScanPlan, builder: &mut DocumentBuilder) {
    let index = &scan.index;
    builder.append("keyPattern", &index.key_pattern);
    builder.append("indexName", index.name.as_str());
    if let Some(collation) = index.collation.spec() {
        builder.append("collation", &collation);
    }
    builder.append("isMultiKey", index.is_multikey);
    if index.shows_array_paths {
        builder.begin_document("multiKeyPaths");
        for ((name, _), prefixes) in index.fields.iter().zip(&index.multikey_paths) {
            let mut paths = ArrayBuilder::new();
            for prefix in prefixes {
                paths.push(prefix.as_str());
            }
            builder.append(name, &paths.finish());
        }
        builder.end();
    }
    builder.append("isUnique", index.is_unique);
    builder.append("isSparse", index.is_sparse);
    builder.append("isPartial", index.is_partial);
    builder.append("indexVersion", index.version);
}

fn append_index_scan(scan: &IndexScanPlan, builder: &mut DocumentBuilder) {
    append_index(scan, builder);
    builder.append("direction", scan.direction.name());
    scan.bounds.append_to(
        "indexBounds",
        scan.direction.is_forward(),
        !scan.index.collation.is_simple(),
        builder,
    );
}

/// A COUNT_SCAN shows the two ends of its one range.
fn append_count_scan(scan: &IndexScanPlan, builder: &mut DocumentBuilder) {
    append_index(scan, builder);
    builder.begin_document("indexBounds");
    for (end, key_name, inclusive_name) in [
        (true, "startKey", "startKeyInclusive"),
        (false, "endKey", "endKeyInclusive"),
    ] {
        let mut inclusive = true;
        builder.begin_document(key_name);
        for field in &scan.bounds.fields {
            let first = if field.descending {
                field.intervals.as_slice().last()
            } else {
                field.intervals.as_slice().first()
            };
            if let Some(interval) = first {
                let low = end != field.descending;
                let (value, included) = if low {
                    (&interval.low, interval.low_inclusive)
                } else {
                    (&interval.high, interval.high_inclusive)
                };
                inclusive &= included;
                builder.append(&field.name, value.as_ref());
            }
        }
        builder.end();
        builder.append(inclusive_name, inclusive);
    }
    builder.end();
}

/// Appends the fields of the command and its database, as explain's `command` shows them.
pub fn append_command(command: Document<'_>, database: &str, builder: &mut DocumentBuilder) {
    builder.begin_document("command");
    for element in command.iter() {
        if !matches!(
            element.name,
            "lsid" | "$clusterTime" | "$readPreference" | "apiVersion" | "explain" | "$db"
        ) {
            builder.append_raw(element.raw);
        }
    }
    builder.append("$db", database);
    builder.end();
}
