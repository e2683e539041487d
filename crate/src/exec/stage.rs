//! The contract of plan stages: pulled one unit of work at a time, owning all their state.
//!
//! Invariant: a stage borrows nothing between calls, so a cursor can lie between two commands; all
//! it needs of the deployment comes with the `ExecContext`.

use super::row::Row;
use crate::bson::DocumentBuilder;
use crate::catalog::Collection;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::storage::Pager;
use std::cell::Cell;

/// What one unit of work brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The row holds a result.
    Advanced,
    /// No result yet: call again.
    NeedTime,
    /// There is nothing more.
    Done,
}

/// What stages work on.
pub struct ExecContext<'e> {
    pub pager: &'e Pager,
    pub env: &'e dyn Env,
    /// When to give up, by the host's monotonic clock.
    pub deadline_millis: Option<f64>,
    ticks: Cell<u32>,
}

impl<'e> ExecContext<'e> {
    pub fn new(pager: &'e Pager, env: &'e dyn Env, deadline_millis: Option<f64>) -> Self {
        Self {
            pager,
            env,
            deadline_millis,
            ticks: Cell::new(0),
        }
    }

    /// Looks at the clock now and then; called by stages that touch pages.
    ///
    /// # Errors
    /// `MaxTimeMSExpired` once the deadline has passed.
    #[inline]
    pub fn check_deadline(&self) -> Result<(), CommandError> {
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        if ticks & 127 == 1 {
            self.look_at_clock()
        } else {
            Ok(())
        }
    }

    fn look_at_clock(&self) -> Result<(), CommandError> {
        match self.deadline_millis {
            Some(deadline) if self.env.monotonic_millis() >= deadline => Err(CommandError::new(
                Code::MaxTimeMSExpired,
                "operation exceeded time limit",
            )),
            _ => Ok(()),
        }
    }
}

/// What explain reports of every stage.
#[derive(Debug, Clone, Copy, Default)]
pub struct StageStatistics {
    pub works: u64,
    pub advanced: u64,
    pub need_time: u64,
    pub is_eof: bool,
}

impl StageStatistics {
    /// Counts one unit of work.
    #[inline]
    pub fn count(&mut self, progress: Progress) {
        self.works += 1;
        match progress {
            Progress::Advanced => self.advanced += 1,
            Progress::NeedTime => self.need_time += 1,
            Progress::Done => self.is_eof = true,
        }
    }
}

/// A stage of a running plan.
pub trait Stage {
    /// Does one unit of work; on `Advanced` the row holds the result.
    ///
    /// # Errors
    /// Whatever stops the command: storage, a failing expression, a limit, the deadline.
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError>;

    /// The counts so far.
    fn statistics(&self) -> StageStatistics;

    /// Whether the stage already knows that nothing more comes.
    fn is_eof(&self) -> bool {
        self.statistics().is_eof
    }

    /// The stages this one pulls from, in the plan's order.
    fn inputs(&self) -> Vec<&dyn Stage> {
        Vec::new()
    }

    /// Appends what explain's `executionStats` shows of this kind of stage alone.
    fn append_statistics(&self, _builder: &mut DocumentBuilder) {}

    /// Index keys and documents this stage itself examined.
    fn examined(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Makes a finished tailable scan look for newer documents in the collection as it is now;
    /// the other stages have nothing to resume but their inputs.
    fn resume(&mut self, _collection: &Collection) {}
}

/// Sums keys and documents examined over a stage and all its inputs.
pub fn total_examined(stage: &dyn Stage) -> (u64, u64) {
    let (mut keys, mut documents) = stage.examined();
    for input in stage.inputs() {
        let (more_keys, more_documents) = total_examined(input);
        keys += more_keys;
        documents += more_documents;
    }
    (keys, documents)
}
