//! The planner's input: a filter with everything that shapes its answer.

use crate::bson::DocumentBuf;
use crate::expr::Metadata;
use crate::plan::Direction;
use crate::query::{Matcher, Projection, SortPattern};
use std::rc::Rc;

pub use crate::catalog::plan_cache::Reader;

/// Which index a client insists on.
#[derive(Debug, Clone)]
pub enum Hint {
    /// `{$natural: ±1}`: no index.
    Natural(Direction),
    Name(String),
    KeyPattern(DocumentBuf),
}

/// One query to plan.
#[derive(Clone)]
pub struct QueryRequest {
    pub matcher: Rc<Matcher>,
    pub sort: Option<Rc<SortPattern>>,
    pub projection: Option<Rc<Projection>>,
    pub skip: u64,
    pub limit: Option<u64>,
    pub hint: Option<Hint>,
    /// `min` and `max`: keys of the hinted index, the first inside and the second not; empty: no end.
    pub min: DocumentBuf,
    pub max: DocumentBuf,
    pub return_key: bool,
    /// Whether each row's number is asked for, which look-ups of one value do not tell.
    pub show_record_id: bool,
    pub tailable: bool,
    /// Only how many there are is asked for: documents need not be read.
    pub count_only: bool,
    /// Whether a sort may hold more than the memory limit (there is no disk to spill to): as on a server, unless
    /// refused.
    pub allow_disk_use: bool,
    /// The plan is to be shown: the cache of plans is neither asked nor added to.
    pub explain: bool,
    pub reader: Reader,
    /// The fields that the pipeline or the join reads of each document. The projection is made only when it saves
    /// reading documents; explain shows it in any case.
    pub reads: Option<Rc<Projection>>,
    /// Where a row's metadata goes, if a `$meta` asks for any.
    pub metadata: Option<Rc<Metadata>>,
    /// The settings of the query's shape.
    pub settings: Option<Rc<DocumentBuf>>,
}

impl QueryRequest {
    /// A plain filter.
    pub fn filter(matcher: Rc<Matcher>) -> Self {
        Self {
            matcher,
            sort: None,
            projection: None,
            skip: 0,
            limit: None,
            hint: None,
            min: DocumentBuf::default(),
            max: DocumentBuf::default(),
            return_key: false,
            show_record_id: false,
            tailable: false,
            count_only: false,
            allow_disk_use: true,
            explain: false,
            reader: Reader::Query,
            reads: None,
            metadata: None,
            settings: None,
        }
    }

    /// Whether the answer is a range of an index by its keys.
    pub fn has_key_range(&self) -> bool {
        !self.min.as_document().is_empty() || !self.max.as_document().is_empty()
    }

    /// How many rows must come out of a sort for skip and limit to work on.
    pub fn sort_limit(&self) -> Option<u64> {
        self.limit.map(|limit| limit.saturating_add(self.skip))
    }
}

/// The planner's decision.
pub struct Planned {
    pub winner: crate::plan::Plan,
    pub rejected: Vec<crate::plan::Plan>,
    /// Whether there were other plans, even if the cache of plans told the winner without weighing them.
    pub has_rivals: bool,
    /// Whether the plan that the cache had did so badly that plans were weighed anew.
    pub was_replanned: bool,
    /// The counts of each plan's trial, the winner's first, and its score; of plans that are to be shown.
    pub trials: Vec<(DocumentBuf, f64)>,
}

impl Planned {
    /// A plan that nothing was weighed against.
    pub fn only(winner: crate::plan::Plan) -> Self {
        Self {
            winner,
            rejected: Vec::new(),
            has_rivals: false,
            was_replanned: false,
            trials: Vec::new(),
        }
    }
}
