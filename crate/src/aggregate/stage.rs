//! The two lives of a stage: a plan, which the optimiser moves about, and the running stage.
//!
//! Invariant: stages own their state and borrow nothing; what an evaluation needs comes with each
//! call. `current` gives what the last `advance` found, so a stage that only filters copies nothing.

use super::collector::{Collector, ReadVisitor};
use super::source::{Namespaces, PipelineContext};
use super::stages::{
    describe::DescribePlan, group::GroupPlan, limit::LimitPlan, lookup::LookupPlan,
    matching::MatchPlan, project::ProjectPlan, redact::RedactPlan, skip::SkipPlan, sort::SortPlan,
    union_with::UnionPlan, unwind::UnwindPlan,
};
use crate::bson::{Document, DocumentBuilder};
use crate::error::CommandError;
use crate::expr::{Bound, Carried, Dependencies, FieldPath};

/// A running stage.
pub trait Stage {
    /// Moves to the next document; `false` at the end, and ever after.
    ///
    /// # Errors
    /// Whatever stops the command.
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool, CommandError>;

    /// The document of the last `advance` that gave `true`.
    fn current(&self) -> Document<'_>;

    /// Calls the visitor with every document that is left: what a stage does that needs all of them, so that the stages
    /// before it can run their own inner loops.
    ///
    /// # Errors
    /// Those of `advance` and of the visitor.
    fn visit(
        &mut self,
        cx: &mut PipelineContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), CommandError> {
        self.visit_some(cx, &mut |document| {
            visitor(document)?;
            Ok(true)
        })
    }

    /// Calls the visitor with documents until it answers that it needs no more, or there are none.
    ///
    /// # Errors
    /// Those of `advance` and of the visitor.
    fn visit_some(
        &mut self,
        cx: &mut PipelineContext<'_>,
        visitor: &mut SomeVisitor<'_>,
    ) -> Result<(), CommandError> {
        while self.advance(cx)? {
            if !visitor(self.current())? {
                break;
            }
        }
        Ok(())
    }

    /// The same as `visit` for who wants nothing but what some paths lead to, and what expressions read that were among those the
    /// stages were narrowed for (`StagePlan::narrow`): a stage that puts values into documents may bind them instead of
    /// writing the documents.
    ///
    /// # Errors
    /// Those of `advance` and of the visitor.
    fn visit_read(
        &mut self,
        cx: &mut PipelineContext<'_>,
        reader: &mut Collector,
        visitor: &mut ReadVisitor<'_>,
    ) -> Result<(), CommandError> {
        self.visit(cx, &mut |document| visitor(&reader.collect(document), None))
    }

    /// Asks the stage, before it runs, to bind what it makes rather than to write it into documents, where it can: then it is
    /// asked for documents by `visit_bound` alone.
    fn bind(&mut self, _reader: &BoundReader<'_>) {}

    /// As `visit_some`, with what stands in the place of a field.
    ///
    /// # Errors
    /// Those of `advance` and of the visitor.
    fn visit_bound(
        &mut self,
        cx: &mut PipelineContext<'_>,
        visitor: &mut BoundVisitor<'_>,
    ) -> Result<(), CommandError> {
        self.visit_some(cx, &mut |document| visitor(document, None))
    }

    /// Appends what explain's execution statistics show of this kind of stage beside its counts.
    fn append_statistics(&self, _builder: &mut DocumentBuilder) {}
}

/// Sees one document.
pub type Visitor<'v> = dyn FnMut(Document<'_>) -> Result<(), CommandError> + 'v;

/// Sees one document and says whether it wants more.
pub type SomeVisitor<'v> = dyn FnMut(Document<'_>) -> Result<bool, CommandError> + 'v;

/// Sees one document and what stands in the place of one of its fields, and says whether it wants more.
pub type BoundVisitor<'v> =
    dyn FnMut(Document<'_>, Option<&Bound<'_>>) -> Result<bool, CommandError> + 'v;

/// What is read by expressions of documents in which a stage made what stands at a path, or made that absent where the flag says
/// that it may; `None` for who reads that otherwise.
pub type BoundReader<'r> = dyn Fn(&FieldPath, bool) -> Option<Dependencies> + 'r;

/// A compiled stage that is not running yet.
pub trait StagePlan {
    /// Starts the stage on its input.
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage>;

    /// Appends the stage's specification as explain prints it: one field, the stage's name.
    fn explain(&self, builder: &mut DocumentBuilder);

    /// Adds the paths that the stage reads and says what it lets through.
    fn dependencies(&self, needed: &mut Dependencies) -> Flow;

    /// What the optimiser may do with the stage.
    fn part(&mut self) -> Part<'_> {
        Part::Other
    }

    /// Tells the stage what is read after it, for one that copies documents: `needed` finds it out.
    fn narrow(&mut self, _needed: &dyn Fn() -> Dependencies) {}

    /// Has the stage keep what is known of rows besides their documents, for one that keeps rows back, or forget it for the
    /// documents that it makes.
    fn carry(&mut self, _metadata: &Carried) {}

    /// Whether the stage makes the documents that it gives, so that nothing else is known of them.
    fn makes_documents(&self) -> bool {
        false
    }

    /// Whether the stage writes to a collection, so that it does not run when the pipeline is only explained.
    fn writes(&self) -> bool {
        false
    }

    /// Looks at what the stage is to write to, before anything runs.
    ///
    /// # Errors
    /// A target that is not allowed.
    fn prepare(&mut self, _namespaces: &mut dyn Namespaces) -> Result<(), CommandError> {
        Ok(())
    }

    /// Where the value that the stage gives at a path lies before it, so that a `$match` on the path may run there;
    /// `None` when the stage makes or chooses it.
    fn path_before(&self, _path: &str) -> Option<String> {
        None
    }

    /// Whether an absent value at a path may have become another, so that a test for presence must stay behind the stage.
    fn hides_absence(&self, _path: &str) -> bool {
        false
    }

    /// Whether values of several types may have become one, so that tests for types and expressions must stay behind the
    /// stage.
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

/// What a stage lets through of its input.
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
    Group(&'p mut GroupPlan),
    Unwind(&'p mut UnwindPlan),
    Lookup(&'p mut LookupPlan),
    Union(&'p mut UnionPlan),
    Redact(&'p mut RedactPlan),
    Describe(&'p mut DescribePlan),
    Other,
}

/// Whether two dotted paths touch: they are equal or one lies below the other.
pub fn paths_touch(left: &str, right: &str) -> bool {
    let below = |outer: &str, inner: &str| {
        inner.starts_with(outer) && matches!(inner.as_bytes().get(outer.len()), None | Some(b'.'))
    };
    below(left, right) || below(right, left)
}
