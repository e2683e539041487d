//! The documents of `$planCacheStats`: one for each shape that has a cached plan.
//!
//! Manual: reference/operator/aggregation/planCacheStats.

use crate::bson::{DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::Collection;
use crate::catalog::plan_cache::CacheEntry;
use crate::planner::memory;

/// All entries of a collection's plan cache, of a server of this name.
pub fn all(collection: &Collection, host: &str) -> Vec<DocumentBuf> {
    memory::with(collection, |memory| {
        let entries = memory.entries().iter();
        entries.map(|entry| describe(entry, host)).collect()
    })
}

fn describe(entry: &CacheEntry, host: &str) -> DocumentBuf {
    let (found, hash) = (&entry.found, entry.shape.hash());
    let mut builder = DocumentBuilder::new();
    builder.append("version", "1");
    builder.append("queryHash", hash.as_str());
    builder.append("planCacheShapeHash", hash.as_str());
    builder.append("planCacheKey", entry.shape.key_hash().as_str());
    builder.append("isActive", entry.is_active);
    builder.append("works", found.works as i64);
    builder.append("worksType", "works");
    builder.append("timeOfCreation", ValueRef::DateTime(found.created_millis));
    builder.append("createdFromQuery", &found.created_from);
    builder.append("cachedPlan", &found.plan);
    builder.begin_array("creationExecStats");
    for (position, trial) in found.trials.iter().enumerate() {
        builder.append(&position.to_string(), trial);
    }
    builder.end();
    builder.begin_array("candidatePlanScores");
    for (position, score) in found.scores.iter().enumerate() {
        builder.append(&position.to_string(), *score);
    }
    builder.end();
    builder.append("indexFilterSet", entry.has_filter);
    let trials: usize = found
        .trials
        .iter()
        .map(|trial| trial.as_document().as_bytes().len())
        .sum();
    let plan = found.plan.as_document().as_bytes().len();
    builder.append("estimatedSizeBytes", (plan + trials) as i64);
    builder.append("host", host);
    builder.finish()
}
