//! The contract of plan stages: pulled one unit of work at a time, owning all their state.
//!
//! Invariant: a stage borrows nothing between calls, so a cursor can lie between two commands; all
//! it needs of the deployment comes with the `ExecContext`.

use super::row::Row;
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::{Collection, RecordId};
use crate::env::Env;
use crate::error::CommandError;
use crate::storage::Pager;

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
#[derive(Clone, Copy)]
pub struct ExecContext<'e> {
    pub pager: &'e Pager,
    pub env: &'e dyn Env,
}

impl<'e> ExecContext<'e> {
    pub fn new(pager: &'e Pager, env: &'e dyn Env) -> Self {
        Self { pager, env }
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

/// Sees a result's RecordId and document, and answers whether it wants more.
pub type Visitor<'v> = dyn FnMut(Option<RecordId>, Document<'_>) -> Result<bool, CommandError> + 'v;

/// Advances a stage's only input, counting its idle units as idle ones of the stage itself.
///
/// # Errors
/// Those of the input.
pub fn advance_input(
    input: &mut dyn Stage,
    statistics: &mut StageStatistics,
    context: &ExecContext<'_>,
    row: &mut Row,
) -> Result<bool, CommandError> {
    let before = input.statistics().need_time;
    let found = input.advance(context, row)?;
    let idle = input.statistics().need_time - before;
    statistics.works += idle;
    statistics.need_time += idle;
    Ok(found)
}

/// A stage of a running plan.
pub trait Stage {
    /// Does one unit of work; on `Advanced` the row holds the result.
    ///
    /// # Errors
    /// Whatever stops the command: storage, a failing expression, a limit, the deadline.
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError>;

    /// Works until the row holds a result; false at the end. A stage with something better to do than one unit of work
    /// after the other does it here, and counts its units all the same.
    ///
    /// # Errors
    /// Those of `work`.
    fn advance(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<bool, CommandError> {
        loop {
            match self.work(context, row)? {
                Progress::Advanced => return Ok(true),
                Progress::NeedTime => {}
                Progress::Done => return Ok(false),
            }
        }
    }

    /// Visits all results that are left, until the visitor answers that it needs no more: without the cost of handing
    /// rows out where documents are only looked at.
    ///
    /// # Errors
    /// Those of `work` and of the visitor.
    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), CommandError> {
        while self.advance(context, row)? {
            if !visitor(row.record_id, row.document().unwrap_or(Document::EMPTY))? {
                break;
            }
        }
        Ok(())
    }

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
