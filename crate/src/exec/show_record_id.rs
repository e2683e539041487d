//! Adds `$recordId` to each document (`showRecordId: true`).

use super::record::Record;
use super::stage::{ExecContext, Stage, StageStatistics};
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::Collection;
use crate::error::CommandError;

/// Shows records' numbers.
pub struct ShowRecordId {
    input: Box<dyn Stage>,
    /// The bytes of the document that was written last.
    bytes: Vec<u8>,
}

impl ShowRecordId {
    pub fn new(input: Box<dyn Stage>) -> Self {
        Self {
            input,
            bytes: Vec::new(),
        }
    }
}

impl Stage for ShowRecordId {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let found = self.input.advance(context)?;
        if found {
            let record = self.input.current();
            let mut builder = DocumentBuilder::with_buffer(std::mem::take(&mut self.bytes));
            builder.append_all(record.document());
            if let Some(record_id) = record.record_id {
                builder.append("$recordId", record_id.0 as i64);
            }
            self.bytes = builder.finish().into_bytes();
        }
        Ok(found)
    }

    fn current(&self) -> Record<'_> {
        Record {
            document: (!self.bytes.is_empty()).then(|| Document::from_valid_bytes(&self.bytes)),
            ..self.input.current()
        }
    }

    fn statistics(&self) -> StageStatistics {
        self.input.statistics()
    }

    fn is_eof(&self) -> bool {
        self.input.is_eof()
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        self.input.inputs()
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        self.input.resume(collection)
    }
}
