//! How the planner uses a collection's plan cache, which is plain data (`catalog::plan_cache`).

use super::request::QueryRequest;
use crate::bson::{Array, ArrayBuf, DocumentBuf, DocumentBuilder, ValueRef, compare_documents};
use crate::catalog::names::split;
use crate::catalog::plan_cache::PlanCache;
use crate::catalog::{Collection, Index};
use crate::plan::{Direction, Plan};

/// Lets `act` work on a collection's plan cache, after the cache forgot the choices made among other indexes.
pub fn with<R>(collection: &Collection, act: impl FnOnce(&mut PlanCache) -> R) -> R {
    let mut cache = collection.plans.borrow_mut();
    cache.forget_stale(&collection.indexes);
    act(&mut cache)
}

/// The indexes that the settings of the query's shape leave to reads of the collection; `None` without settings.
pub fn hinted_indexes(request: &QueryRequest, collection: &Collection) -> Option<ArrayBuf> {
    let settings = request.settings.as_ref()?;
    let hints = settings.get("indexHints").as_array()?;
    let mut hints = hints.iter().filter_map(ValueRef::as_document);
    let hint = hints.find(|hint| {
        let place = hint.get("ns").as_document().unwrap_or_default();
        let [database, name] = ["db", "coll"].map(|part| place.get(part).as_str());
        split(&collection.namespace) == (database.unwrap_or(""), name.unwrap_or(""))
    })?;
    Some(hint.get("allowedIndexes").as_array()?.to_buf())
}

/// The direction in which a list of hints lets the whole collection be read: forward where it lets both. `None` where
/// no hint is a `$natural`.
pub fn hinted_scan(allowed: Array<'_>) -> Option<Direction> {
    let documents = allowed.iter().filter_map(ValueRef::as_document);
    let mut signs = documents.filter_map(|hint| hint.get("$natural").as_exact_i64());
    let first = signs.next()?;
    let is_backward = first < 0 && !signs.any(|sign| sign > 0);
    Some(match is_backward {
        true => Direction::Backward,
        false => Direction::Forward,
    })
}

/// The indexes that an index filter leaves to the query; `None` without one.
pub fn filtered_indexes(request: &QueryRequest, collection: &Collection) -> Option<ArrayBuf> {
    with(collection, |cache| {
        if cache.filters().is_empty() {
            return None;
        }
        let shape = super::shape::text(request);
        let filter = { cache.filters().iter() }.find(|filter| *filter.shape() == *shape)?;
        Some(filter.indexes.clone())
    })
}

/// The indexes that settings or else an index filter leave to the query; `None` without either.
#[inline(never)]
pub fn allowed_indexes(request: &QueryRequest, collection: &Collection) -> Option<ArrayBuf> {
    hinted_indexes(request, collection).or_else(|| filtered_indexes(request, collection))
}

/// Whether a filter's list names an index, by name or by key pattern.
pub fn names_index(allowed: Array<'_>, index: &Index) -> bool {
    allowed.iter().any(|item| match item {
        ValueRef::String(name) => name == *index.name(),
        ValueRef::Document(key) => {
            compare_documents(key, index.definition.key.as_document()).is_eq()
        }
        _ => false,
    })
}

/// Which plan this is among the candidates for a shape: its scans, without limits and projections.
pub fn choice(plan: &Plan) -> String {
    let mut text = String::new();
    append_choice(plan, &mut text);
    text
}

fn append_choice(plan: &Plan, text: &mut String) {
    if let Plan::IndexScan(scan) | Plan::CountScan(scan) | Plan::DistinctScan { scan, .. } = plan {
        text.push_str(&scan.index.name);
        text.push_str(&crate::plan::notation::document(
            scan.index.key_pattern.as_document(),
        ));
        text.push_str(scan.direction.name());
        return;
    }
    let is_shaping = matches!(
        plan,
        Plan::Limit { .. } | Plan::Skip { .. } | Plan::Project { .. } | Plan::ReturnKey { .. }
    );
    if !is_shaping {
        text.push_str(plan.stage_name());
        text.push(' ');
    }
    for input in plan.inputs() {
        append_choice(input, text);
    }
}

/// The query that made an entry: `query`, `sort` and `projection`.
pub fn describe(request: &QueryRequest) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.append("query", &request.matcher.root().to_bson());
    match &request.sort {
        Some(sort) => builder.append("sort", sort.spec()),
        None => builder.begin_document("sort").end(),
    };
    match &request.projection {
        Some(projection) => builder.append("projection", &projection.to_bson()),
        None => builder.begin_document("projection").end(),
    };
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::plan_cache::{Finding, QueryShape};
    use crate::catalog::{CollectionOptions, IndexDefinition};
    use std::rc::Rc;

    fn found(works: u64) -> Finding {
        Finding {
            works,
            choice: format!("took {works}"),
            created_millis: 0,
            created_from: DocumentBuf::default(),
            plan: DocumentBuf::default(),
            trials: Vec::new(),
            scores: Vec::new(),
        }
    }

    fn shape(text: &str) -> QueryShape {
        QueryShape {
            text: text.to_owned(),
            key: text.to_owned(),
        }
    }

    #[test]
    fn a_second_run_that_takes_no_more_activates() {
        let mut memory = PlanCache::default();
        let one = shape("one");
        memory.record(shape("one"), found(10));
        assert!(memory.active(&one).is_none());
        // More works: the inactive entry is given room to grow.
        memory.record(shape("one"), found(15));
        assert!(memory.active(&one).is_none());
        memory.record(shape("one"), found(15));
        assert_eq!(memory.active(&one), Some(("took 15".to_owned(), 15)));
        // An active entry is only replaced by a better one.
        memory.record(shape("one"), found(16));
        assert_eq!(memory.active(&one), Some(("took 15".to_owned(), 15)));
        memory.record(shape("one"), found(3));
        assert_eq!(memory.active(&one), Some(("took 3".to_owned(), 3)));
        memory.deactivate(&one);
        assert!(memory.active(&one).is_none());
    }

    #[test]
    fn another_index_empties_the_cache_and_leaves_the_filters() {
        let mut collection = Collection::new("d.c", [1; 16], CollectionOptions::default());
        with(&collection, |memory| {
            memory.record(shape("one"), found(1));
            let names = crate::bson::ArrayBuilder::new().finish();
            memory.set_filter("two".to_owned(), DocumentBuf::default(), names);
        });
        let count = |collection: &Collection| with(collection, |memory| memory.entries().len());
        assert_eq!(count(&collection), 1);
        let more = Index::new(Rc::new(IndexDefinition::id_index(
            &crate::collation::Collation::SIMPLE,
        )));
        collection.indexes.push(more);
        assert_eq!(count(&collection), 0);
        assert_eq!(with(&collection, |memory| memory.filters().len()), 1);
    }

    #[test]
    fn a_filter_forgets_the_plans_of_its_shape() {
        let mut memory = PlanCache::default();
        for text in ["one", "two"] {
            memory.record(shape(text), found(1));
        }
        let names = crate::bson::ArrayBuilder::new().finish();
        memory.set_filter("one".to_owned(), DocumentBuf::default(), names);
        assert_eq!(memory.entries().len(), 1);
        memory.clear_filters(None);
        memory.clear_plans(None);
        assert!(memory.entries().is_empty() && memory.filters().is_empty());
    }
}
