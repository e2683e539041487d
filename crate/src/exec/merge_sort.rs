//! SORT_MERGE: merges inputs that are each in order already, each record once.
//!
//! `{a: {$in: [1, 2]}}` sorted by `b` with the index `{a: 1, b: 1}` merges the scans of `a: 1` and of `a: 2`.

use super::record::Record;
use super::record_set::RecordSet;
use super::sort_key::SortKeySource;
use super::stage::{
    ExecContext, Progress, Stage, StageStatistics, advance_by_work, append_duplicates,
};
use crate::bson::DocumentBuilder;
use crate::error::CommandError;
use crate::query::{SortPattern, SortScratch};
use std::rc::Rc;

struct Head {
    stage: Box<dyn Stage>,
    source: SortKeySource,
    /// The sort key of its current record.
    key: Vec<u8>,
    state: HeadState,
}

#[derive(PartialEq, Eq)]
enum HeadState {
    Empty,
    Ready,
    Done,
}

/// Merges sorted inputs.
pub struct MergeSort {
    heads: Vec<Head>,
    /// The head whose record was given last.
    given: usize,
    pattern: Rc<SortPattern>,
    scratch: SortScratch,
    seen: RecordSet,
    tested: u64,
    dropped: u64,
    statistics: StageStatistics,
}

impl MergeSort {
    pub fn new(inputs: Vec<(Box<dyn Stage>, SortKeySource)>, pattern: Rc<SortPattern>) -> Self {
        let heads = inputs
            .into_iter()
            .map(|(stage, source)| Head {
                stage,
                source,
                key: Vec::new(),
                state: HeadState::Empty,
            })
            .collect();
        Self {
            heads,
            given: 0,
            pattern,
            scratch: SortScratch::default(),
            seen: RecordSet::default(),
            tested: 0,
            dropped: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn step(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        if let Some(head) = self
            .heads
            .iter_mut()
            .find(|head| head.state == HeadState::Empty)
        {
            match head.stage.work(context)? {
                Progress::Done => head.state = HeadState::Done,
                Progress::NeedTime => {}
                Progress::Advanced => {
                    self.tested += 1;
                    let record = head.stage.current();
                    let repeated = record
                        .record_id
                        .is_some_and(|record_id| !self.seen.insert(record_id));
                    if repeated {
                        self.dropped += 1;
                    } else {
                        head.source.write(
                            &self.pattern,
                            &record,
                            &mut self.scratch,
                            &mut head.key,
                        )?;
                        head.state = HeadState::Ready;
                    }
                }
            }
            return Ok(Progress::NeedTime);
        }
        let least = self
            .heads
            .iter_mut()
            .enumerate()
            .filter(|(_, head)| head.state == HeadState::Ready)
            .min_by(|(_, left), (_, right)| left.key.cmp(&right.key));
        Ok(match least {
            None => Progress::Done,
            Some((position, head)) => {
                // It works again when the next record is asked for.
                self.given = position;
                head.state = HeadState::Empty;
                Progress::Advanced
            }
        })
    }
}

impl Stage for MergeSort {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let head = self.heads.get(self.given);
        head.map_or_else(Record::default, |head| head.stage.current())
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.step(context)?;
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        self.heads.iter().map(|head| head.stage.as_ref()).collect()
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        append_duplicates(builder, self.tested, self.dropped);
    }
}
