//! What the planner keeps of a collection's queries: winning plans, and index filters.
//!
//! Follows the manual's "Query Plans" page and that of `planCacheSetFilter`. Invariants: a cached plan is a choice
//! among the candidates there are, never a plan to be run as it stands; every change of the collection's indexes
//! empties the cache; neither outlives the engine.

use super::request::QueryRequest;
use super::shape::QueryShape;
use crate::bson::{Array, ArrayBuf, DocumentBuf, DocumentBuilder, ValueRef, compare_documents};
use crate::catalog::{Collection, Index, IndexDefinition};
use crate::plan::Plan;
use std::cell::RefCell;
use std::rc::Rc;

/// Shapes kept for one collection; the oldest goes first.
const MOST_ENTRIES: usize = 500;
/// How much an inactive entry's works grow when a new winner took more.
const GROWTH: u64 = 2;

/// The winner of a shape's trial runs.
pub struct CacheEntry {
    shape: String,
    key: String,
    pub hash: String,
    pub key_hash: String,
    /// Whether it stands in for trial runs.
    pub is_active: bool,
    /// What the trial run of the winner took.
    pub works: u64,
    pub choice: String,
    pub created_millis: i64,
    pub created_from: DocumentBuf,
    pub plan: DocumentBuf,
    pub trials: Vec<DocumentBuf>,
    pub scores: Vec<f64>,
    pub has_filter: bool,
}

/// What trial runs found.
pub struct Finding {
    pub works: u64,
    pub choice: String,
    pub created_millis: i64,
    pub plan: DocumentBuf,
    pub trials: Vec<DocumentBuf>,
    pub scores: Vec<f64>,
}

/// The only indexes that queries of one shape may use.
pub struct IndexFilter {
    shape: String,
    /// `query`, `sort` and `projection` as they were given.
    pub described: DocumentBuf,
    pub indexes: ArrayBuf,
}

/// Cached plans and index filters of one collection.
#[derive(Default)]
pub struct Memory {
    entries: Vec<CacheEntry>,
    filters: Vec<IndexFilter>,
    /// The indexes that the entries chose among.
    definitions: Vec<Rc<IndexDefinition>>,
}

/// Works on what is kept of a collection's queries.
pub fn with<R>(collection: &Collection, act: impl FnOnce(&mut Memory) -> R) -> R {
    let known = collection
        .remembered
        .borrow()
        .as_ref()
        .and_then(|any| Rc::clone(any).downcast::<RefCell<Memory>>().ok());
    let memory = known.unwrap_or_else(|| {
        let fresh = Rc::new(RefCell::new(Memory::default()));
        *collection.remembered.borrow_mut() = Some(Rc::clone(&fresh) as _);
        fresh
    });
    let mut memory = memory.borrow_mut();
    memory.forget_stale(collection);
    act(&mut memory)
}

/// Whether anything is kept of the collection's queries.
pub fn is_empty(collection: &Collection) -> bool {
    collection.remembered.borrow().is_none()
}

/// Whether the collection has index filters, which may be for any query.
pub fn has_filters(collection: &Collection) -> bool {
    !is_empty(collection) && with(collection, |memory| !memory.filters.is_empty())
}

/// The indexes that an index filter leaves to the query; `None` without one.
pub fn allowed_indexes(request: &QueryRequest, collection: &Collection) -> Option<ArrayBuf> {
    if is_empty(collection) {
        return None;
    }
    with(collection, |memory| {
        if memory.filters.is_empty() {
            return None;
        }
        let shape = super::shape::text(request);
        let filter = memory.filters.iter().find(|filter| filter.shape == shape)?;
        Some(filter.indexes.clone())
    })
}

/// Whether a filter's list names an index, by name or by key pattern.
pub fn names_index(allowed: Array<'_>, index: &Index) -> bool {
    allowed.iter().any(|item| match item {
        ValueRef::String(name) => name == index.name(),
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

impl Memory {
    fn forget_stale(&mut self, collection: &Collection) {
        let indexes = &collection.indexes;
        let is_same = self.definitions.len() == indexes.len()
            && self
                .definitions
                .iter()
                .zip(indexes)
                .all(|(known, index)| Rc::ptr_eq(known, &index.definition));
        if !is_same {
            self.entries.clear();
            self.definitions = indexes
                .iter()
                .map(|index| Rc::clone(&index.definition))
                .collect();
        }
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> &[CacheEntry] {
        &self.entries
    }

    /// The choice and works of a shape's active entry.
    pub fn active(&self, shape: &QueryShape) -> Option<(String, u64)> {
        self.entries
            .iter()
            .find(|entry| entry.is_active && entry.key == shape.key)
            .map(|entry| (entry.choice.clone(), entry.works))
    }

    /// Lets the shape's next query have trial runs again.
    pub fn deactivate(&mut self, shape: &QueryShape) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == shape.key) {
            entry.is_active = false;
        }
    }

    /// Takes in what trial runs found: a new shape is inactive at first, and becomes active when a later run does not
    /// take more works.
    pub fn record(&mut self, shape: &QueryShape, request: &QueryRequest, found: Finding) {
        let position = self.entries.iter().position(|entry| entry.key == shape.key);
        let is_active = match position.and_then(|at| self.entries.get_mut(at)) {
            None => false,
            Some(known) if found.works <= known.works => true,
            Some(known) => {
                if !known.is_active {
                    known.works = known.works.saturating_mul(GROWTH).max(known.works + 1);
                }
                return;
            }
        };
        if let Some(at) = position {
            self.entries.remove(at);
        } else if self.entries.len() >= MOST_ENTRIES {
            self.entries.remove(0);
        }
        let has_filter = self.filters.iter().any(|filter| filter.shape == shape.text);
        self.entries.push(CacheEntry {
            shape: shape.text.clone(),
            key: shape.key.clone(),
            hash: shape.hash(),
            key_hash: shape.key_hash(),
            is_active,
            works: found.works,
            choice: found.choice,
            created_millis: found.created_millis,
            created_from: describe(request),
            plan: found.plan,
            trials: found.trials,
            scores: found.scores,
            has_filter,
        });
    }

    /// Forgets the plans of one shape, or of all.
    pub fn clear_plans(&mut self, shape: Option<&str>) {
        self.entries
            .retain(|entry| shape.is_some_and(|shape| entry.shape != shape));
    }

    pub fn filters(&self) -> &[IndexFilter] {
        &self.filters
    }

    /// Sets a shape's index filter in place of an earlier one.
    pub fn set_filter(&mut self, shape: String, described: DocumentBuf, indexes: ArrayBuf) {
        self.clear_plans(Some(&shape));
        let filter = IndexFilter {
            shape,
            described,
            indexes,
        };
        match self
            .filters
            .iter_mut()
            .find(|known| known.shape == filter.shape)
        {
            Some(known) => *known = filter,
            None => self.filters.push(filter),
        }
    }

    /// Removes the index filter of one shape, or all.
    pub fn clear_filters(&mut self, shape: Option<&str>) {
        match shape {
            None => {
                let filters = std::mem::take(&mut self.filters);
                for filter in filters {
                    self.clear_plans(Some(&filter.shape));
                }
            }
            Some(shape) => {
                self.filters.retain(|filter| filter.shape != shape);
                self.clear_plans(Some(shape));
            }
        }
    }
}

/// The query that made an entry: `query`, `sort` and `projection`.
fn describe(request: &QueryRequest) -> DocumentBuf {
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
    use crate::catalog::CollectionOptions;
    use crate::query::{MatchNode, Matcher};

    fn found(works: u64) -> Finding {
        Finding {
            works,
            choice: format!("took {works}"),
            created_millis: 0,
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

    fn request() -> QueryRequest {
        QueryRequest::filter(Rc::new(Matcher::from_node(MatchNode::AlwaysTrue)))
    }

    #[test]
    fn a_second_run_that_takes_no_more_activates() {
        let mut memory = Memory::default();
        let one = shape("one");
        memory.record(&one, &request(), found(10));
        assert!(memory.active(&one).is_none());
        // More works: the inactive entry is given room to grow.
        memory.record(&one, &request(), found(15));
        assert!(memory.active(&one).is_none());
        memory.record(&one, &request(), found(15));
        assert_eq!(memory.active(&one), Some(("took 15".to_owned(), 15)));
        // An active entry is only replaced by a better one.
        memory.record(&one, &request(), found(16));
        assert_eq!(memory.active(&one), Some(("took 15".to_owned(), 15)));
        memory.record(&one, &request(), found(3));
        assert_eq!(memory.active(&one), Some(("took 3".to_owned(), 3)));
        memory.deactivate(&one);
        assert!(memory.active(&one).is_none());
    }

    #[test]
    fn another_index_empties_the_cache_and_leaves_the_filters() {
        let mut collection = Collection::new("d.c", [1; 16], CollectionOptions::default());
        let one = shape("one");
        with(&collection, |memory| {
            memory.record(&one, &request(), found(1));
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
        let mut memory = Memory::default();
        for text in ["one", "two"] {
            memory.record(&shape(text), &request(), found(1));
        }
        let names = crate::bson::ArrayBuilder::new().finish();
        memory.set_filter("one".to_owned(), DocumentBuf::default(), names);
        assert_eq!(memory.entries().len(), 1);
        memory.clear_filters(None);
        memory.clear_plans(None);
        assert!(memory.entries().is_empty() && memory.filters().is_empty());
    }
}
