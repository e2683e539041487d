//! Updates by an aggregation pipeline: stages that turn one document into one.
//!
//! Follows the manual's "Updates with Aggregation Pipeline". Invariant: only stages that give one
//! document for each and remember nothing are let in, so that one running pipeline serves every
//! document of a statement.

use crate::aggregate::Pipeline;
use crate::aggregate::stages::table::{self, UNKNOWN_STAGE};
use crate::bson::{Array, Document, DocumentBuf, ValueRef};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::CompileContext;
use crate::expr::compile::check_variable_for_read;
use crate::storage::Pager;
use crate::update::{PipelineUpdate, Update};
use std::cell::RefCell;
use std::rc::Rc;

/// The stages an update may use, sorted.
const STAGES: &[&str] = &[
    "$addFields",
    "$project",
    "$replaceRoot",
    "$replaceWith",
    "$set",
    "$unset",
];

/// The input of the pipeline: the document that was put into the slot last.
struct SlotStage {
    slot: Rc<RefCell<Vec<u8>>>,
    taken: Vec<u8>,
}

impl Stage for SlotStage {
    fn advance(&mut self, _: &ExecContext<'_>) -> Result<bool, CommandError> {
        std::mem::swap(&mut self.taken, &mut self.slot.borrow_mut());
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(Document::from_valid_bytes(&self.taken))
    }
}

/// Refuses a pipeline with a stage that does not exist, or that is no stage: that fails a whole command, and not one
/// statement of it.
///
/// # Errors
/// 40323 and 40324.
pub fn check_stages(stages: Array<'_>) -> Result<(), CommandError> {
    for stage in stages.iter().filter_map(ValueRef::as_document) {
        match table::find(table::field_of(stage)?.name) {
            Err(error) if error.code == UNKNOWN_STAGE => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

struct RunningUpdate {
    slot: Rc<RefCell<Vec<u8>>>,
    running: RefCell<Box<dyn Stage>>,
    /// Without pages: the stages read nothing but the document.
    pager: Pager,
    now_millis: i64,
}

/// Compiles the stages; `constants` are the statement's `c`.
///
/// # Errors
/// 72 `InvalidOptions` for a stage that updates may not use; errors of the stages.
pub fn compile(
    stages: Array<'_>,
    constants: Option<Document<'_>>,
    context: &CompileContext<'_>,
) -> Result<Update, CommandError> {
    for stage in stages.iter() {
        let name = stage
            .as_document()
            .and_then(|stage| stage.iter().next())
            .map(|field| field.name);
        if let Some(name) = name
            && STAGES.binary_search(&name).is_err()
            && table::find(name).is_ok()
        {
            return Err(CommandError::new(
                Code::InvalidOptions,
                format!("{name} is not allowed to be used within an update"),
            ));
        }
    }
    let mut context = context.clone();
    for constant in constants.map(|all| all.iter()).into_iter().flatten() {
        check_variable_for_read(constant.name)?;
        let value = constant.value.to_value();
        context.constants.push((constant.name.to_owned(), value));
    }
    let slot = Rc::<RefCell<Vec<u8>>>::default();
    let input = SlotStage {
        slot: Rc::clone(&slot),
        taken: Vec::new(),
    };
    let running = Pipeline::compile_for_update(stages, &context)?.start(Box::new(input));
    Ok(Update::from_pipeline(Box::new(RunningUpdate {
        slot,
        running: RefCell::new(running),
        pager: Pager::new(),
        now_millis: context.now_millis,
    })))
}

impl PipelineUpdate for RunningUpdate {
    fn apply(&self, document: Document<'_>, env: &dyn Env) -> Result<DocumentBuf, CommandError> {
        let mut slot = self.slot.borrow_mut();
        slot.clear();
        slot.extend_from_slice(document.as_bytes());
        drop(slot);
        let mut running = self.running.borrow_mut();
        let found = running.advance(&ExecContext {
            now_millis: self.now_millis,
            ..ExecContext::new(&self.pager, env)
        })?;
        match found {
            true => Ok(running.current().document().to_buf()),
            false => Err(CommandError::new(
                Code::InternalError,
                "an update's pipeline gives one document for each",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_sorted() {
        assert!(STAGES.is_sorted());
    }
}
