//! OR: the records of several inputs one after another, each record once.

use super::record::Record;
use super::record_set::RecordSet;
use super::stage::{
    ExecContext, Progress, Stage, StageStatistics, advance_by_work, append_duplicates,
};
use crate::bson::DocumentBuilder;
use crate::error::CommandError;

/// Concatenates inputs without repeating a record.
pub struct Or {
    inputs: Vec<Box<dyn Stage>>,
    current: usize,
    seen: RecordSet,
    tested: u64,
    dropped: u64,
    statistics: StageStatistics,
}

impl Or {
    pub fn new(inputs: Vec<Box<dyn Stage>>) -> Self {
        Self {
            inputs,
            current: 0,
            seen: RecordSet::default(),
            tested: 0,
            dropped: 0,
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for Or {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let input = self.inputs.get(self.current);
        input.map_or_else(Record::default, |input| input.current())
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let mut progress = match self.inputs.get_mut(self.current) {
            None => Progress::Done,
            Some(input) => input.work(context)?,
        };
        match progress {
            Progress::Done if self.current < self.inputs.len() => {
                self.current += 1;
                if self.current < self.inputs.len() {
                    progress = Progress::NeedTime;
                }
            }
            Progress::Advanced => {
                self.tested += 1;
                let record_id = self.current().record_id;
                if record_id.is_some_and(|record_id| !self.seen.insert(record_id)) {
                    self.dropped += 1;
                    progress = Progress::NeedTime;
                }
            }
            _ => {}
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        self.inputs.iter().map(AsRef::as_ref).collect()
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        append_duplicates(builder, self.tested, self.dropped);
    }
}
