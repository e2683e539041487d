//! SORT_MERGE: merges inputs that are each in order already, each record once.

use super::row::Row;
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::DocumentBuilder;
use crate::catalog::RecordId;
use crate::error::CommandError;
use crate::keycode;
use crate::query::SortPattern;
use std::collections::BTreeSet;
use std::rc::Rc;

struct Head {
    stage: Box<dyn Stage>,
    row: Row,
    state: HeadState,
}

#[derive(PartialEq, Eq)]
enum HeadState {
    Empty,
    Ready,
    Done,
}

/// How the sort key of a row is found.
#[derive(Clone)]
pub enum MergeKey {
    /// From the fetched document.
    Document(Rc<SortPattern>),
    /// From the index key: its key pattern, whose fields the sort names.
    IndexKey { names: Vec<(String, bool)>, pattern: Rc<SortPattern> },
}

/// Merges sorted inputs.
pub struct MergeSort {
    heads: Vec<Head>,
    key: MergeKey,
    seen: BTreeSet<RecordId>,
    tested: u64,
    dropped: u64,
    statistics: StageStatistics,
}

impl MergeSort {
    pub fn new(inputs: Vec<Box<dyn Stage>>, key: MergeKey) -> Self {
        let heads = inputs
            .into_iter()
            .map(|stage| Head { stage, row: Row::default(), state: HeadState::Empty })
            .collect();
        Self {
            heads,
            key,
            seen: BTreeSet::new(),
            tested: 0,
            dropped: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn write_key(key: &MergeKey, row: &mut Row) -> Result<(), CommandError> {
        let mut bytes = std::mem::take(&mut row.sort_key);
        bytes.clear();
        match key {
            MergeKey::Document(pattern) => {
                if let Some(document) = row.document() {
                    pattern.write_key(document, &mut bytes)?;
                }
            }
            MergeKey::IndexKey { names, pattern } => {
                let mut builder = DocumentBuilder::new();
                keycode::decode_into(&row.index_key, &row.type_bits, names, &mut builder);
                pattern.write_key(builder.finish().as_document(), &mut bytes)?;
            }
        }
        row.sort_key = bytes;
        Ok(())
    }

    fn step(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
    ) -> Result<Progress, CommandError> {
        if let Some(head) = self.heads.iter_mut().find(|head| head.state == HeadState::Empty) {
            match head.stage.work(context, &mut head.row)? {
                Progress::Done => head.state = HeadState::Done,
                Progress::NeedTime => {}
                Progress::Advanced => {
                    self.tested += 1;
                    let repeated =
                        head.row.record_id.is_some_and(|record_id| !self.seen.insert(record_id));
                    if repeated {
                        self.dropped += 1;
                    } else {
                        Self::write_key(&self.key, &mut head.row)?;
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
                head.row.document = super::row::RowDocument::None;
                head.state = HeadState::Empty;
                Progress::Advanced
            }
        })
    }
}

impl Stage for MergeSort {
    fn work(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
    ) -> Result<Progress, CommandError> {
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
        builder.append("dupsTested", self.tested as i64);
        builder.append("dupsDropped", self.dropped as i64);
    }
}
