//! Documents that lie in memory: VIRTUAL_SCAN (a virtual collection's), `$documents`, and the input that the pipelines
//! of `$facet` share.

use super::record::Record;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::{Document, DocumentBuf};
use crate::error::CommandError;
use crate::expr::Carried;
use crate::query::Matcher;
use std::rc::Rc;

/// Hands out documents that match.
pub struct Documents {
    documents: Rc<Vec<DocumentBuf>>,
    next: usize,
    filter: Option<Rc<Matcher>>,
    /// Where records have more than their documents, these are records as they were kept.
    metadata: Carried,
    statistics: StageStatistics,
}

impl Documents {
    pub fn new(documents: Rc<Vec<DocumentBuf>>) -> Self {
        Self::filtered(documents, None)
    }

    /// The documents of a list that match a filter.
    pub fn filtered(documents: Rc<Vec<DocumentBuf>>, filter: Option<Rc<Matcher>>) -> Self {
        Self {
            documents,
            next: 0,
            filter,
            metadata: Carried::default(),
            statistics: StageStatistics::default(),
        }
    }

    /// Records that were kept with their metadata for `$meta`.
    pub fn carrying(kept: Rc<Vec<DocumentBuf>>, metadata: &Carried) -> Self {
        Self {
            metadata: metadata.clone(),
            ..Self::new(kept)
        }
    }
}

impl Stage for Documents {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let at = self.next.checked_sub(1);
        let kept = at.and_then(|at| self.documents.get(at));
        let document = kept.map_or(Document::EMPTY, |kept| {
            self.metadata.go_back(kept.as_bytes())
        });
        Record::from(document)
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        context.env.checkpoint()?;
        let progress = match self.documents.get(self.next) {
            None => Progress::Done,
            Some(document) => {
                self.next += 1;
                let matched = match &self.filter {
                    None => true,
                    Some(filter) => filter.matches(document.as_document(), context.env)?,
                };
                match matched {
                    true => Progress::Advanced,
                    false => Progress::NeedTime,
                }
            }
        };
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn is_eof(&self) -> bool {
        self.next == self.documents.len()
    }
}
