//! The `find` that names one document by one value: recognised before its fields are read one by one, and answered
//! without compiling, planning and stages.
//!
//! Invariants: only fields that cannot change the answer stand beside the filter; whatever else a command carries, or
//! carries twice, goes the long way, where it is read, checked and refused. The answer is what the express plan gives.

use super::batch;
use super::find_simple::SimpleFind;
use crate::bson::Document;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::exec::express::look_up_document;
use crate::exec::usage;
use crate::planner::express;
use std::rc::Rc;

/// Answers a `find` of one document by one value of an index. `None`: the find is another, and nothing was counted.
///
/// # Errors
/// Storage errors.
pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    find: &SimpleFind<'_>,
    namespace: &str,
) -> Option<CommandResult> {
    if !find.sort.is_empty() {
        return None;
    }
    let (path, value) = express::point_filter(find.filter)?;
    let collection = Rc::clone(context.deployment.catalog.collection(namespace)?);
    let position = express::index_for(
        &collection,
        path,
        find.limit == 1,
        value,
        &collection.options.collation,
    )?;
    let index = collection.indexes.get(position)?;
    let pager = &context.deployment.pager;
    usage::note_index(&collection, position, pager.accounting());
    let descending = index.definition.leads_descending();
    let found = look_up_document(pager, &collection, &index.tree, value, descending);
    Some(found.map(|found| {
        let document = found
            .as_ref()
            .map(|(_, bytes)| Document::from_valid_bytes(bytes));
        finish_ok(batch::point_batch(context, document, namespace))
    }))
}
