//! TEXT_MATCH: drops the documents that a search's negations, phrases and sensitivities do not let through.

use super::record::Record;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::DocumentBuilder;
use crate::error::CommandError;
use crate::plan::TextMatching;
use std::rc::Rc;

/// Tests the documents that the keys of a search's terms found.
pub struct TextMatch {
    input: Box<dyn Stage>,
    text: Rc<TextMatching>,
    rejected: u64,
    statistics: StageStatistics,
}

impl TextMatch {
    pub fn new(input: Box<dyn Stage>, text: Rc<TextMatching>) -> Self {
        Self {
            input,
            text,
            rejected: 0,
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for TextMatch {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        self.input.current()
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let mut progress = self.input.work(context)?;
        if progress == Progress::Advanced
            && let Some(text) = self.text.text()
            && !text.matches(&self.text.search, self.input.current().document())?
        {
            self.rejected += 1;
            progress = Progress::NeedTime;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("docsRejected", self.rejected as i64);
    }
}
