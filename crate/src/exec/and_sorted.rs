//! AND_SORTED: the records that every input gives.
//!
//! Invariant: each input gives its records in ascending order, as an index scan over single values does.

use super::record::Record;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::DocumentBuilder;
use crate::catalog::RecordId;
use crate::error::CommandError;

/// Intersects inputs that come in the order of their records.
pub struct AndSorted {
    inputs: Vec<Box<dyn Stage>>,
    /// The input that works next.
    next: usize,
    /// The record that the inputs before `next`, as many as `agreed`, have in common.
    target: Option<RecordId>,
    agreed: usize,
    /// The input that worked last.
    given: usize,
    /// The input that gave the target first.
    first: usize,
    /// How often each input's record was not among the others'.
    failed: Vec<u64>,
    statistics: StageStatistics,
}

impl AndSorted {
    pub fn new(inputs: Vec<Box<dyn Stage>>) -> Self {
        Self {
            failed: vec![0; inputs.len()],
            inputs,
            next: 0,
            target: None,
            agreed: 0,
            given: 0,
            first: 0,
            statistics: StageStatistics::default(),
        }
    }

    /// Takes the record that input `next` came to; true when all have it.
    fn take(&mut self, record: RecordId) -> bool {
        match self.target {
            Some(target) if record.0 < target.0 => {
                self.failed[self.next] += 1;
                return false;
            }
            Some(target) if record.0 == target.0 => self.agreed += 1,
            before => {
                if before.is_some() {
                    self.failed[self.first] += 1;
                }
                self.target = Some(record);
                self.first = self.next;
                self.agreed = 1;
            }
        }
        self.next = (self.next + 1) % self.inputs.len();
        if self.agreed < self.inputs.len() {
            return false;
        }
        self.target = None;
        true
    }
}

impl Stage for AndSorted {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let input = self.inputs.get(self.given);
        let record = input.map_or_else(Record::default, |input| input.current());
        Record {
            document: None,
            ..record
        }
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let mut progress = Progress::Done;
        if let Some(input) = self.inputs.get_mut(self.next) {
            progress = input.work(context)?;
            self.given = self.next;
        }
        if let (Progress::Advanced, Some(record)) = (progress, self.current().record_id)
            && !self.take(record)
        {
            progress = Progress::NeedTime;
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
        for (position, failed) in self.failed.iter().enumerate() {
            builder.append_integer(&format!("failedAnd_{position}"), *failed as i64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::NoEnv;
    use crate::storage::Pager;

    struct Records(Vec<u64>, usize);

    impl Stage for Records {
        fn advance(&mut self, _: &ExecContext<'_>) -> Result<bool, CommandError> {
            self.1 += 1;
            Ok(self.1 <= self.0.len())
        }

        fn current(&self) -> Record<'_> {
            Record {
                record_id: self.0.get(self.1 - 1).map(|id| RecordId(*id)),
                ..Record::default()
            }
        }
    }

    fn common(lists: &[&[u64]]) -> Vec<u64> {
        let inputs = lists
            .iter()
            .map(|list| Box::new(Records(list.to_vec(), 0)) as Box<dyn Stage>);
        let mut stage = AndSorted::new(inputs.collect());
        let pager = Pager::new();
        let context = ExecContext::new(&pager, &NoEnv);
        let mut found = Vec::new();
        let visited = stage.visit(&context, &mut |record| {
            found.extend(record.record_id.map(|id| id.0));
            Ok(true)
        });
        assert!(visited.expect("nothing fails"));
        found
    }

    #[test]
    fn gives_what_all_inputs_have() {
        assert_eq!(common(&[&[1, 3, 5, 9], &[2, 3, 9, 10]]), [3, 9]);
        assert_eq!(common(&[&[1, 2, 3], &[1, 2, 3], &[3]]), [3]);
        assert!(common(&[&[1, 2], &[3, 4]]).is_empty());
        assert!(common(&[&[], &[3, 4]]).is_empty());
        assert_eq!(
            common(&[&[4, 5, 6, 7], &[1, 5, 7], &[2, 3, 5, 6, 7]]),
            [5, 7]
        );
    }
}
