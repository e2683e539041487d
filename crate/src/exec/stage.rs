//! The contract of running stages, those of a plan and those of a pipeline alike.
//!
//! A stage is pulled in one of two ways. `advance` goes to the next record, which `current` then shows: for a reader
//! that pauses between two records. `visit` hands all records that are left to a closure, in place: for a reader that
//! wants them all, so that the stages below run their own inner loops. Invariant: a stage borrows nothing between
//! calls, so a cursor can lie between two commands; all it needs of the deployment comes with the `ExecContext`.

use super::namespaces::{Alone, Namespaces};
use super::record::{Record, Visitor};
use super::watch::Meter;
use crate::bson::DocumentBuilder;
use crate::catalog::Collection;
use crate::env::Env;
use crate::error::CommandError;
use crate::storage::Pager;

/// The result of one unit of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There is a new current record.
    Advanced,
    /// No record yet: call again.
    NeedTime,
    /// There is nothing more.
    Done,
}

/// The pages, the host and the clock that stages work with.
#[derive(Clone, Copy)]
pub struct ExecContext<'e> {
    pub pager: &'e Pager,
    pub env: &'e dyn Env,
    /// The engine's time of this command.
    pub now_millis: i64,
    /// The collections that a pipeline reads beside its own.
    pub namespaces: &'e dyn Namespaces,
}

impl<'e> ExecContext<'e> {
    /// For stages that read no other collection.
    pub fn new(pager: &'e Pager, env: &'e dyn Env) -> Self {
        Self {
            pager,
            env,
            now_millis: 0,
            namespaces: &Alone,
        }
    }
}

/// The counts that explain reports of every stage.
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

    /// Counts units that the input did without giving a record: those are idle units of the stage itself.
    pub fn count_idle(&mut self, units: u64) {
        self.works += units;
        self.need_time += units;
    }
}

/// A running stage.
pub trait Stage {
    /// Goes to the next record; false at the end, and ever after.
    ///
    /// # Errors
    /// Everything that stops the command: storage, a failing expression, a limit, the deadline.
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError>;

    /// The record that the last `advance` or `work` went to.
    fn current(&self) -> Record<'_>;

    /// Does one unit of work, for trial runs and for stages that take turns with their inputs.
    ///
    /// # Errors
    /// Those of `advance`.
    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        Ok(match self.advance(context)? {
            true => Progress::Advanced,
            false => Progress::Done,
        })
    }

    /// Visits the records that are left, until the visitor answers that it needs no more; false: it did.
    ///
    /// # Errors
    /// Those of `advance` and of the visitor.
    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        while self.advance(context)? {
            if !visitor(&self.current())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The counts so far.
    fn statistics(&self) -> StageStatistics {
        StageStatistics::default()
    }

    /// Whether the stage already knows that nothing more comes.
    fn is_eof(&self) -> bool {
        self.statistics().is_eof
    }

    /// The stages this one pulls from, in the plan's order.
    fn inputs(&self) -> Vec<&dyn Stage> {
        Vec::new()
    }

    /// Appends the fields that explain shows of this kind of stage alone.
    fn append_statistics(&self, _builder: &mut DocumentBuilder) {}

    /// Index keys and documents this stage itself examined.
    fn examined(&self) -> (u64, u64) {
        (0, 0)
    }

    /// The meter of the stage and its inputs, where they are measured.
    fn meter(&self) -> Option<Meter> {
        None
    }

    /// Makes a finished tailable scan look for newer documents in the collection as it is now; false when that is
    /// another one. The other stages have nothing to resume but their inputs.
    fn resume(&mut self, _collection: &Collection) -> bool {
        true
    }
}

/// Appends how many documents a stage looked for among those that it had given, and how many it found there.
pub fn append_duplicates(builder: &mut DocumentBuilder, tested: u64, dropped: u64) {
    builder.append_integer("dupsTested", tested as i64);
    builder.append_integer("dupsDropped", dropped as i64);
}

/// Goes to the next record of a stage that works unit by unit.
///
/// # Errors
/// Those of `work`.
pub fn advance_by_work<S: Stage>(
    stage: &mut S,
    context: &ExecContext<'_>,
) -> Result<bool, CommandError> {
    loop {
        match stage.work(context)? {
            Progress::Advanced => return Ok(true),
            Progress::NeedTime => {}
            Progress::Done => return Ok(false),
        }
    }
}

/// Advances the only input of a stage, whose counts these are.
///
/// # Errors
/// Those of the input.
pub fn advance_input(
    input: &mut dyn Stage,
    statistics: &mut StageStatistics,
    context: &ExecContext<'_>,
) -> Result<bool, CommandError> {
    let before = input.statistics().need_time;
    let found = input.advance(context)?;
    statistics.count_idle(input.statistics().need_time - before);
    Ok(found)
}

/// Visits the remaining records of the only input of a stage that hands on one record for each.
///
/// # Errors
/// Those of the input and of the visitor.
pub fn visit_input(
    input: &mut dyn Stage,
    statistics: &mut StageStatistics,
    context: &ExecContext<'_>,
    visitor: &mut Visitor<'_>,
) -> Result<bool, CommandError> {
    let before = input.statistics().need_time;
    let mut passed = 0;
    let ended = input.visit(context, &mut |record| {
        passed += 1;
        visitor(record)
    })?;
    statistics.works += passed;
    statistics.advanced += passed;
    statistics.count_idle(input.statistics().need_time - before);
    if ended {
        statistics.count(Progress::Done);
    }
    Ok(ended)
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
