//! The two lives of a stage: a plan, which the optimiser moves about, and the running stage.
//!
//! Invariant: stages own their state and borrow nothing; what an evaluation needs comes with each
//! call. `current` gives what the last `advance` found, so a stage that only filters copies nothing.

use super::source::PipelineContext;
use super::stages::{
    limit::LimitPlan, matching::MatchPlan, project::ProjectPlan, skip::SkipPlan, sort::SortPlan,
};
use crate::bson::{Document, DocumentBuilder};
use crate::error::CommandError;
use crate::expr::Dependencies;

/// A running stage.
pub trait Stage {
    /// Moves to the next document; `false` at the end, and ever after.
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool, CommandError>;

    /// The document of the last `advance` that gave `true`.
    fn current(&self) -> Document<'_>;
}

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
    Other,
}
