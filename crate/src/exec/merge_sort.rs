//! SORT_MERGE: merges inputs that are each in order already, each record once.

use super::record_set::RecordSet;
use super::row::{Row, RowDocument};
use super::sort_key::SortKeySource;
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::DocumentBuilder;
use crate::error::CommandError;
use crate::query::{SortPattern, SortScratch};
use std::rc::Rc;

struct Head {
    stage: Box<dyn Stage>,
    key: SortKeySource,
    row: Row,
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
            .map(|(stage, key)| Head {
                stage,
                key,
                row: Row::default(),
                state: HeadState::Empty,
            })
            .collect();
        Self {
            heads,
            pattern,
            scratch: SortScratch::default(),
            seen: RecordSet::default(),
            tested: 0,
            dropped: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn step(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        if let Some(head) = self
            .heads
            .iter_mut()
            .find(|head| head.state == HeadState::Empty)
        {
            match head.stage.work(context, &mut head.row)? {
                Progress::Done => head.state = HeadState::Done,
                Progress::NeedTime => {}
                Progress::Advanced => {
                    self.tested += 1;
                    let repeated = head
                        .row
                        .record_id
                        .is_some_and(|record_id| !self.seen.insert(record_id));
                    if repeated {
                        self.dropped += 1;
                    } else {
                        let mut key = std::mem::take(&mut head.row.sort_key);
                        head.key
                            .write(&self.pattern, &head.row, &mut self.scratch, &mut key)?;
                        head.row.sort_key = key;
                        head.state = HeadState::Ready;
                    }
                }
            }
            return Ok(Progress::NeedTime);
        }
        let least = self
            .heads
            .iter_mut()
            .filter(|head| head.state == HeadState::Ready)
            .min_by(|left, right| left.row.sort_key.cmp(&right.row.sort_key));
        Ok(match least {
            None => Progress::Done,
            Some(head) => {
                std::mem::swap(row, &mut head.row);
                head.row.document = RowDocument::None;
                head.state = HeadState::Empty;
                Progress::Advanced
            }
        })
    }
}

impl Stage for MergeSort {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let progress = self.step(context, row)?;
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
        builder.append_integer("dupsTested", self.tested as i64);
        builder.append_integer("dupsDropped", self.dropped as i64);
    }
}
