//! A stage of a pipeline before it runs: a plan, which the optimiser moves about and which starts the running stage.
//!
//! Running stages are those of `exec`. Invariant: stages own their state and borrow nothing; the context of an
//! evaluation comes with each call.

use super::stages::{
    change_stream::source::ChangeStreamPlan, change_stream::split::SplitPlan,
    describe::DescribePlan, geo_near::GeoNearPlan, group::GroupPlan, limit::LimitPlan,
    lookup::LookupPlan, matching::MatchPlan, project::ProjectPlan, redact::RedactPlan,
    skip::SkipPlan, sort::SortPlan, union_with::UnionPlan, unpack_bucket::UnpackPlan,
    unwind::UnwindPlan,
};
use super::writing::Writer;
use crate::bson::DocumentBuilder;
use crate::error::CommandError;
use crate::exec::{Namespaces, Stage};
use crate::expr::{Carried, Dependencies, FieldPath};

/// The stages that come after one.
#[derive(Clone, Copy)]
pub struct Following<'s>(&'s [Box<dyn StagePlan>]);

impl<'s> Following<'s> {
    pub fn new(stages: &'s [Box<dyn StagePlan>]) -> Self {
        Self(stages)
    }

    /// The paths that they read of the documents that come to the first of them.
    pub fn needed(self) -> Dependencies {
        let mut needed = Dependencies::default();
        for stage in self.0 {
            if stage.dependencies(&mut needed) == Flow::Exhausts {
                return needed;
            }
        }
        needed.whole_document = true;
        needed
    }

    /// As `StagePlan::reads_values`, of the next one.
    pub fn reads_values(self) -> Option<Vec<FieldPath>> {
        self.0.first()?.reads_values()
    }

    /// As `StagePlan::reads_bound`, of the next one.
    pub fn reads_bound(self, path: &FieldPath, may_lack: bool) -> Option<Dependencies> {
        self.0.first()?.reads_bound(path, may_lack)
    }
}

/// A compiled stage that is not running yet.
pub trait StagePlan {
    /// Starts the stage on its input.
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage>;

    /// Appends the stage's specification as explain prints it: one field, the stage's name.
    fn explain(&self, builder: &mut DocumentBuilder);

    /// Adds the paths that the stage reads, and says whether later stages can see other fields.
    fn dependencies(&self, needed: &mut Dependencies) -> Flow;

    /// The stage as the optimiser sees it: those that it moves or looks into have a kind of their own.
    fn part(&mut self) -> Part<'_> {
        Part::Other
    }

    /// Tells the stage which fields are read after it, for one that copies documents or may leave them unwritten. The
    /// stages after it know theirs by then.
    fn narrow(&mut self, _after: Following<'_>) {}

    /// The paths that the stage reads of each record, for a stage that visits records and reads nothing else but the
    /// paths of expressions among its dependencies. A stage before it may then give `Record::values` in their order,
    /// and bind the items that it makes instead of writing them.
    fn reads_values(&self) -> Option<Vec<FieldPath>> {
        None
    }

    /// The paths that the stage's expressions read, for a stage that visits records and asks nothing else of the field
    /// in which `path` begins. A stage before it may then bind the value that it makes at the path. `may_lack`: that
    /// value may also be absent.
    fn reads_bound(&self, _path: &FieldPath, _may_lack: bool) -> Option<Dependencies> {
        None
    }

    /// Has the stage keep the metadata of rows with them, for one that keeps rows back, or forget it for the
    /// documents that it makes.
    fn carry(&mut self, _metadata: &Carried) {}

    /// Whether the stage makes the documents that it gives, so that nothing else is known of them.
    fn makes_documents(&self) -> bool {
        false
    }

    /// The writer of the documents that come to the stage, for one that writes: it is no running stage.
    fn into_writer(self: Box<Self>) -> Option<Box<dyn Writer>> {
        None
    }

    /// Whether the stage writes to a collection.
    fn writes(&self) -> bool {
        false
    }

    /// Checks the collection that the stage writes to, before anything runs.
    ///
    /// # Errors
    /// A target that is not allowed.
    fn prepare(&mut self, _namespaces: &dyn Namespaces) -> Result<(), CommandError> {
        Ok(())
    }

    /// Where the value that the stage gives at a path lies before it, so that a `$match` on the path may run there;
    /// `None` when the stage makes or chooses it.
    fn path_before(&self, _path: &str) -> Option<String> {
        None
    }

    /// Whether an absent value at a path may have become another, so that a test for presence must stay behind the
    /// stage.
    fn hides_absence(&self, _path: &str) -> bool {
        false
    }

    /// Whether values of several types may have become one, so that tests for types and expressions must stay behind
    /// the stage.
    fn hides_types(&self) -> bool {
        false
    }

    /// Whether a `$sort` on this path may run before the stage instead of after it.
    fn lets_sort_through(&self, _path: &str) -> bool {
        false
    }

    /// Whether the stage gives exactly one document for each, so that `$skip` and `$limit` may run
    /// before it.
    fn is_one_to_one(&self) -> bool {
        false
    }
}

/// Which fields of its input a stage lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Fields it did not name may reach later stages.
    Passes,
    /// Later stages see nothing that this stage did not read.
    Exhausts,
}

/// The stages an optimiser knows.
pub enum Part<'p> {
    Match(&'p mut MatchPlan),
    Sort(&'p mut SortPlan),
    Skip(&'p mut SkipPlan),
    Limit(&'p mut LimitPlan),
    Project(&'p mut ProjectPlan),
    GeoNear(&'p mut GeoNearPlan),
    Group(&'p mut GroupPlan),
    Unpack(&'p mut UnpackPlan),
    Unwind(&'p mut UnwindPlan),
    Lookup(&'p mut LookupPlan),
    Union(&'p mut UnionPlan),
    Redact(&'p mut RedactPlan),
    Describe(&'p mut DescribePlan),
    ChangeStream(&'p mut ChangeStreamPlan),
    SplitEvent(&'p mut SplitPlan),
    Other,
}

/// The first name of a path.
pub fn first_of(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// Whether two dotted paths touch: they are equal or one lies below the other.
pub fn paths_touch(left: &str, right: &str) -> bool {
    let below = |outer: &str, inner: &str| {
        inner.starts_with(outer) && matches!(inner.as_bytes().get(outer.len()), None | Some(b'.'))
    };
    below(left, right) || below(right, left)
}
