//! Plans: the planner's decision, which explain prints and the executor runs.
//!
//! ```text
//! find({qty: {$gte: 5}}, {sku: 1}).sort({price: 1}).limit(10)     with the index qty_1
//!   PROJECTION_SIMPLE {sku: 1}
//!     SORT {price: 1}, limit 10
//!       FETCH
//!         IXSCAN qty_1: [5, inf]
//! ```

use super::bounds::IndexBounds;
use super::text::TextMatching;
use crate::bson::{DocumentBuf, Value};
use crate::catalog::index::GeoKind;
use crate::catalog::plan_cache::KeyAccess;
use crate::expr::Metadata;
use crate::query::predicate::near::Near;
use crate::query::{Matcher, Projection, SortPattern};
use std::rc::Rc;

pub use crate::catalog::index::facts::IndexFacts;
pub use crate::storage::Direction;

/// A scan over an index.
#[derive(Clone)]
pub struct IndexScanPlan {
    pub index: Rc<IndexFacts>,
    pub bounds: Rc<IndexBounds>,
    pub direction: Direction,
    /// Whether a record may have several keys inside although no array is on the index's paths.
    pub repeats: bool,
    /// A filter on the key alone.
    pub filter: Option<Rc<Matcher>>,
}

/// A search for the documents nearest to a point.
#[derive(Clone)]
pub struct GeoNearPlan {
    /// The index with the bounds of its other fields; its filter is one on the key.
    pub scan: IndexScanPlan,
    pub near: Rc<Near>,
    /// The field of the index that tells where documents are.
    pub field: usize,
}

/// The source of a projection's fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectionKind {
    /// The document.
    Document,
    /// The index key alone.
    Covered,
    /// The fields that the stages behind the plan read of each document, in place: nothing is copied.
    Read,
}

/// A tree of stages.
#[derive(Clone)]
pub enum Plan {
    Eof,
    CollectionScan {
        filter: Option<Rc<Matcher>>,
        direction: Direction,
        tailable: bool,
    },
    /// Documents computed beforehand.
    Virtual {
        documents: Rc<Vec<DocumentBuf>>,
        filter: Option<Rc<Matcher>>,
    },
    /// The first key of a value in `_id` or another index: a whole plan without planning.
    Express {
        index: Rc<IndexFacts>,
        key: Value<'static>,
        projection: Option<Rc<Projection>>,
    },
    /// One value of `_id`, as a stage that others can be above: IDHACK.
    IdLookUp {
        index: Rc<IndexFacts>,
        key: Value<'static>,
    },
    IndexScan(IndexScanPlan),
    GeoNear(GeoNearPlan),
    Fetch {
        input: Box<Plan>,
        filter: Option<Rc<Matcher>>,
    },
    /// The records that every input gives; each gives them in ascending order.
    AndSorted {
        inputs: Vec<Plan>,
    },
    Or {
        inputs: Vec<Plan>,
    },
    MergeSort {
        inputs: Vec<Plan>,
        pattern: Rc<SortPattern>,
    },
    Sort {
        input: Box<Plan>,
        pattern: Rc<SortPattern>,
        limit: Option<u64>,
        /// Whether the sort may hold more than the memory limit.
        unbounded: bool,
    },
    Skip {
        input: Box<Plan>,
        skip: u64,
    },
    Limit {
        input: Box<Plan>,
        limit: u64,
    },
    Project {
        input: Box<Plan>,
        projection: Rc<Projection>,
        kind: ProjectionKind,
    },
    /// Fills in the metadata of rows that a `$meta` asks for.
    Metadata {
        input: Box<Plan>,
        metadata: Rc<Metadata>,
        /// How the rows are sorted.
        sort: Option<Rc<SortPattern>>,
        /// From where their distances are measured.
        near: Option<Rc<Near>>,
        /// Whether explain shows it as a stage: the sort key is asked for and no sort below makes it.
        is_shown: bool,
    },
    /// Gives the index key in place of the document (`returnKey`).
    ReturnKey {
        input: Box<Plan>,
        /// The fields that show the sort key beside it.
        sort_key: Option<ShownSortKey>,
    },
    /// The documents that match a search in texts, of those that have one of its terms.
    TextMatch {
        input: Box<Plan>,
        text: Rc<TextMatching>,
    },
    /// The documents that have one of a search's terms, each once and with its score.
    TextOr {
        inputs: Vec<Plan>,
        text: Rc<TextMatching>,
    },
    /// Counts keys without reading documents.
    CountScan(IndexScanPlan),
    /// Visits each distinct value of one field of an index once.
    DistinctScan {
        scan: IndexScanPlan,
        field: usize,
    },
}

/// The fields that show a row's sort key, and where it is told.
#[derive(Clone)]
pub struct ShownSortKey {
    pub fields: Rc<[Box<str>]>,
    pub metadata: Rc<Metadata>,
}

impl Plan {
    /// The name that explain prints.
    pub fn stage_name(&self) -> &'static str {
        match self {
            Self::Eof => "EOF",
            Self::CollectionScan { .. } => "COLLSCAN",
            Self::IdLookUp { .. } => "IDHACK",
            Self::Express { index, .. } if index.is_clustered => "EXPRESS_CLUSTERED_IXSCAN",
            Self::Virtual { .. } => "VIRTUAL_SCAN",
            Self::Express { .. } => "EXPRESS_IXSCAN",
            Self::IndexScan(_) => "IXSCAN",
            Self::GeoNear(plan) => match plan.scan.index.geo {
                Some(GeoKind::Flat(_)) => "GEO_NEAR_2D",
                _ => "GEO_NEAR_2DSPHERE",
            },
            Self::Fetch { .. } => match self.clustered_scan() {
                Some((scan, _)) if scan.bounds.is_full() => "COLLSCAN",
                Some(_) => "CLUSTERED_IXSCAN",
                None => "FETCH",
            },
            Self::AndSorted { .. } => "AND_SORTED",
            Self::Or { .. } => "OR",
            Self::MergeSort { .. } => "SORT_MERGE",
            Self::Sort { .. } => "SORT",
            Self::Skip { .. } => "SKIP",
            Self::Limit { .. } => "LIMIT",
            Self::Project {
                kind, projection, ..
            } => match (projection.is_simple(), kind) {
                (false, _) => "PROJECTION_DEFAULT",
                (true, ProjectionKind::Covered) => "PROJECTION_COVERED",
                (true, _) => "PROJECTION_SIMPLE",
            },
            Self::Metadata { .. } => "SORT_KEY_GENERATOR",
            Self::ReturnKey { .. } => "RETURN_KEY",
            Self::TextMatch { .. } => "TEXT_MATCH",
            Self::TextOr { .. } => "TEXT_OR",
            Self::CountScan(_) => "COUNT_SCAN",
            Self::DistinctScan { .. } => "DISTINCT_SCAN",
        }
    }

    /// The scan of a clustered index with its documents, which explain shows as one stage.
    pub fn clustered_scan(&self) -> Option<(&IndexScanPlan, Option<&Rc<Matcher>>)> {
        let Self::Fetch { input, filter } = self else {
            return None;
        };
        match &**input {
            Self::IndexScan(scan) if scan.index.is_clustered => Some((scan, filter.as_ref())),
            _ => None,
        }
    }

    /// The plans this one pulls from.
    pub fn inputs(&self) -> Vec<&Plan> {
        match self {
            Self::Fetch { input, .. }
            | Self::Sort { input, .. }
            | Self::Skip { input, .. }
            | Self::Limit { input, .. }
            | Self::Project { input, .. }
            | Self::Metadata { input, .. }
            | Self::ReturnKey { input, .. }
            | Self::TextMatch { input, .. } => vec![input],
            Self::AndSorted { inputs }
            | Self::Or { inputs }
            | Self::TextOr { inputs, .. }
            | Self::MergeSort { inputs, .. } => inputs.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it looks at each document of a collection.
    pub fn scans_collection(&self) -> bool {
        matches!(self, Self::CollectionScan { .. })
            || self.inputs().into_iter().any(Self::scans_collection)
    }

    /// The index scans of the whole tree, left to right.
    pub fn index_scans(&self) -> Vec<&IndexScanPlan> {
        match self {
            Self::IndexScan(scan) | Self::CountScan(scan) | Self::DistinctScan { scan, .. } => {
                vec![scan]
            }
            Self::GeoNear(plan) => vec![&plan.scan],
            other => other
                .inputs()
                .into_iter()
                .flat_map(Self::index_scans)
                .collect(),
        }
    }

    /// The scan of keys whose documents this plan reads, or which it counts, where it does nothing else; and whether
    /// it reads documents.
    pub fn key_scan(&self) -> Option<(&IndexScanPlan, bool)> {
        match self {
            Self::CountScan(scan) => Some((scan, false)),
            Self::Fetch {
                input,
                filter: None,
            } => match &**input {
                Self::IndexScan(scan) if scan.filter.is_none() => Some((scan, true)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The keys that this plan reads records by, where that is all but for a look-up's projection: a look-up, FETCH
    /// over an IXSCAN of one run of keys, COUNT_SCAN.
    pub fn key_access(&self) -> Option<KeyAccess> {
        if let Self::Express { index, .. } | Self::IdLookUp { index, .. } = self {
            return Some(KeyAccess::look_up(index));
        }
        let (scan, reads_documents) = self.key_scan()?;
        let (index, bounds) = (&scan.index, &scan.bounds);
        let is_run = bounds.range.is_some() || bounds.is_one_run();
        let may_repeat = (index.is_multikey || scan.repeats) && !bounds.is_single_point();
        if index.is_clustered || !is_run || may_repeat || bounds.is_empty() {
            return None;
        }
        Some(KeyAccess {
            index: index.position,
            is_descending: index.leads_descending(),
            is_backward: !scan.direction.is_forward(),
            is_one_key: reads_documents
                && index.is_unique
                && bounds.range.is_none()
                && bounds.is_single_point(),
            reads_documents,
            is_multikey: index.is_multikey,
        })
    }

    /// Where the scores of a search in texts below are told.
    pub fn text_metadata(&self) -> Option<Rc<Metadata>> {
        match self {
            Self::TextMatch { text, .. } => text.metadata.clone(),
            other => other.inputs().into_iter().find_map(Self::text_metadata),
        }
    }

    /// Whether a stage of the tree holds all rows back before it gives the first.
    pub fn is_blocking(&self) -> bool {
        matches!(self, Self::Sort { .. }) || self.inputs().into_iter().any(Self::is_blocking)
    }
}

impl std::fmt::Display for Plan {
    /// A one-line summary: `FETCH(IXSCAN slug_1)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.stage_name())?;
        match self {
            Self::IndexScan(scan) | Self::CountScan(scan) | Self::DistinctScan { scan, .. } => {
                write!(f, " {}", scan.index.name)
            }
            Self::Express { index, .. }
            | Self::IdLookUp { index, .. }
            | Self::GeoNear(GeoNearPlan {
                scan: IndexScanPlan { index, .. },
                ..
            }) => {
                write!(f, " {}", index.name)
            }
            other => {
                let inputs = other.inputs();
                if inputs.is_empty() {
                    return Ok(());
                }
                f.write_str("(")?;
                for (position, input) in inputs.into_iter().enumerate() {
                    if position > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{input}")?;
                }
                f.write_str(")")
            }
        }
    }
}
