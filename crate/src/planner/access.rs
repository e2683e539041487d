//! Ways to get at the matching documents: an index scan with its residual filters, before sort and
//! projection are put on top (`finish`).

use crate::catalog::Index;
use crate::plan::{GeoNearPlan, IndexScanPlan, Plan};
use crate::query::{self, MatchNode, Matcher};
use std::rc::Rc;

/// Whether an index holds every document that a filter can match, as a partial one may not.
pub fn holds_all(index: &Index, matcher: &Matcher) -> bool {
    let definition = &index.definition;
    definition
        .partial
        .as_ref()
        .is_none_or(|partial| query::partial::holds_all(partial, &definition.collation, matcher))
}

/// One way to reach the matching rows.
#[derive(Clone)]
pub enum Access {
    /// One index: predicates that the key alone decides are in the scan's filter; those of `residual` need documents.
    Index {
        scan: IndexScanPlan,
        residual: Option<MatchNode>,
    },
    /// The records that several indexes hold, each under single values. `filter` is the whole filter: documents are
    /// tested again, because an array may have matched by another item.
    And {
        scans: Vec<IndexScanPlan>,
        filter: Option<MatchNode>,
    },
    /// One access per branch of an `$or`; `residual` has the filter's other conjuncts.
    Or {
        branches: Vec<Access>,
        residual: Option<MatchNode>,
    },
    /// The documents nearest to a point, in the order of their distance.
    Near {
        near: GeoNearPlan,
        residual: Option<MatchNode>,
    },
    /// A search in texts; `residual` has the filter's other conjuncts.
    Text {
        plan: Plan,
        residual: Option<MatchNode>,
    },
    /// All documents.
    Collection { direction: crate::plan::Direction },
}

impl Access {
    /// Whether documents must be read to know which rows match.
    pub fn needs_documents(&self) -> bool {
        match self {
            Self::Index { scan, residual } => residual.is_some() || scan.index.is_clustered,
            Self::Or { branches, residual } => {
                residual.is_some() || branches.iter().any(Self::needs_documents)
            }
            Self::And { .. } | Self::Near { .. } | Self::Collection { .. } | Self::Text { .. } => {
                true
            }
        }
    }

    /// The plan that gives rows without documents, for an access that needs none.
    pub fn bare_plan(&self) -> Plan {
        match self {
            Self::Index { scan, .. } => Plan::IndexScan(scan.clone()),
            Self::Near { near, .. } => Plan::GeoNear(near.clone()),
            Self::And { scans, .. } => Plan::AndSorted {
                inputs: scans.iter().cloned().map(Plan::IndexScan).collect(),
            },
            Self::Or { branches, .. } => Plan::Or {
                inputs: branches.iter().map(Self::branch_plan).collect(),
            },
            Self::Text { plan, .. } => plan.clone(),
            Self::Collection { direction } => Plan::CollectionScan {
                filter: None,
                direction: *direction,
                tailable: false,
            },
        }
    }

    /// A branch of an `$or`: fetched only when its own residual needs the document.
    fn branch_plan(&self) -> Plan {
        match self {
            Self::Index {
                residual: Some(residual),
                ..
            }
            | Self::Or {
                residual: Some(residual),
                ..
            }
            | Self::Text {
                residual: Some(residual),
                ..
            } => Plan::Fetch {
                input: Box::new(self.bare_plan()),
                filter: Some(Rc::new(Matcher::from_node(residual.clone()))),
            },
            _ => self.bare_plan(),
        }
    }

    /// The plan that gives rows with documents. `whole` is the query's own matcher, used as it is
    /// by a collection scan.
    pub fn fetched_plan(&self, whole: &Rc<Matcher>, tailable: bool) -> Plan {
        match self {
            Self::Collection { direction } => Plan::CollectionScan {
                filter: (!whole.is_empty()).then(|| Rc::clone(whole)),
                direction: *direction,
                tailable,
            },
            Self::Near { residual: None, .. } | Self::Text { residual: None, .. } => {
                self.bare_plan()
            }
            Self::Index { residual, .. }
            | Self::Near { residual, .. }
            | Self::Or { residual, .. }
            | Self::Text { residual, .. }
            | Self::And {
                filter: residual, ..
            } => Plan::Fetch {
                input: Box::new(self.bare_plan()),
                filter: residual
                    .clone()
                    .map(|node| Rc::new(Matcher::from_node(node))),
            },
        }
    }

    /// The index scan, when this is a single one.
    pub fn single_scan(&self) -> Option<&IndexScanPlan> {
        match self {
            Self::Index { scan, .. } => Some(scan),
            _ => None,
        }
    }

    /// The index scan to change its direction.
    pub fn single_scan_mut(&mut self) -> Option<&mut IndexScanPlan> {
        match self {
            Self::Index { scan, .. } => Some(scan),
            _ => None,
        }
    }
}
