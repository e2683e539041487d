//! TEXT_OR: the documents that have one of a search's terms, each once, with the sum of its scores as its metadata.
//!
//! Invariant: all keys are read before the first document is given, in the order of the records.

use super::record::Record;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::algorithms::sorting;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::{Collection, RecordId};
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::{MetaKind, Metadata};
use crate::keycode;
use crate::plan::TextMatching;
use crate::storage::PageBytes;
use crate::storage::accounting::bump;
use std::rc::Rc;

/// Sums up scores and reads documents.
pub struct TextOr {
    inputs: Vec<Box<dyn Stage>>,
    /// The input that is read; behind the last one documents are given.
    current: usize,
    collection: Rc<Collection>,
    text: Rc<TextMatching>,
    metadata: Rc<Metadata>,
    /// The score of each key: once all are there, of each record, the next one last.
    scores: Vec<(RecordId, f64)>,
    found: Option<(RecordId, PageBytes)>,
    documents_examined: u64,
    statistics: StageStatistics,
}

impl TextOr {
    /// Without metadata to tell scores by they are told to nobody.
    pub fn new(
        inputs: Vec<Box<dyn Stage>>,
        collection: Rc<Collection>,
        text: Rc<TextMatching>,
    ) -> Self {
        Self {
            inputs,
            current: 0,
            collection,
            metadata: text.metadata.clone().unwrap_or_default(),
            text,
            scores: Vec::new(),
            found: None,
            documents_examined: 0,
            statistics: StageStatistics::default(),
        }
    }

    /// Notes the score in the current key of an input.
    fn take(&mut self) -> Result<(), CommandError> {
        let record = self.inputs[self.current].current();
        if let (Some(record_id), Some(key)) = (record.record_id, record.key) {
            let mut decoder = keycode::Decoder::new(key.components, key.type_bits);
            let mut score = 0.0;
            for (name, descending) in &self.text.index.fields {
                decoder.next(*descending, &mut |value| {
                    if let ValueRef::Double(number) = value {
                        score = number;
                    }
                })?;
                if name == "_ftsx" {
                    break;
                }
            }
            self.scores.push((record_id, score));
        }
        Ok(())
    }

    /// Sums up the scores of each record, in the order of the terms.
    fn sum_up(&mut self, env: &dyn Env) -> Result<(), CommandError> {
        let scores = &self.scores;
        let order = sorting::sorted_positions(env, scores.len(), &mut |one, other| {
            scores[one].0 > scores[other].0
        })?;
        let mut sums: Vec<(RecordId, f64)> = Vec::new();
        for place in order {
            let (record_id, score) = scores[place];
            match sums.last_mut() {
                Some((last, sum)) if *last == record_id => *sum += score,
                _ => sums.push((record_id, score)),
            }
        }
        sums.reverse();
        self.scores = sums;
        Ok(())
    }

    /// Goes to the next record.
    fn give(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        self.found = None;
        let Some((record_id, score)) = self.scores.pop() else {
            self.metadata.set(Document::EMPTY);
            return Ok(Progress::Done);
        };
        let records = &self.collection.records;
        let Some(document) = records.get(context.pager, &record_id.to_bytes())? else {
            return Ok(Progress::NeedTime);
        };
        self.documents_examined += 1;
        bump(&context.pager.accounting().documents_examined, 1);
        self.metadata.set(Document::EMPTY);
        self.metadata
            .add(MetaKind::TEXT_SCORE, ValueRef::Double(score));
        self.found = Some((record_id, document));
        Ok(Progress::Advanced)
    }
}

impl Stage for TextOr {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let found = self.found.as_ref();
        Record {
            document: found.map(|(_, bytes)| Document::from_valid_bytes(bytes)),
            record_id: found.map(|(record_id, _)| *record_id),
            ..Record::default()
        }
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        context.env.checkpoint()?;
        let progress = match self.inputs.get_mut(self.current) {
            None => self.give(context)?,
            Some(input) => {
                match input.work(context)? {
                    Progress::Advanced => self.take()?,
                    Progress::NeedTime => {}
                    Progress::Done => {
                        self.current += 1;
                        if self.current == self.inputs.len() {
                            self.sum_up(context.env)?;
                        }
                    }
                }
                Progress::NeedTime
            }
        };
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
        builder.append_integer("docsExamined", self.documents_examined as i64);
    }

    fn examined(&self) -> (u64, u64) {
        (0, self.documents_examined)
    }
}
