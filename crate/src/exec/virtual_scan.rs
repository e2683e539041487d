//! VIRTUAL_SCAN: rows that were computed beforehand (a virtual collection's documents).

use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::DocumentBuf;
use crate::error::CommandError;
use crate::query::Matcher;
use std::rc::Rc;

/// Hands out documents that match.
pub struct VirtualScan {
    documents: std::vec::IntoIter<DocumentBuf>,
    filter: Option<Rc<Matcher>>,
    statistics: StageStatistics,
}

impl VirtualScan {
    pub fn new(documents: Vec<DocumentBuf>, filter: Option<Rc<Matcher>>) -> Self {
        Self {
            documents: documents.into_iter(),
            filter,
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for VirtualScan {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let progress = match self.documents.next() {
            None => Progress::Done,
            Some(document) => {
                let matched = match &self.filter {
                    None => true,
                    Some(filter) => filter.matches(document.as_document(), context.env)?,
                };
                row.record_id = None;
                row.document = RowDocument::Built(document);
                if matched {
                    Progress::Advanced
                } else {
                    Progress::NeedTime
                }
            }
        };
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }
}
