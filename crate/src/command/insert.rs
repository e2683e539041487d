//! `insert`: adds documents. Manual: reference/command/insert.

use super::context::{CommandContext, CommandResult};
use super::params::Request;
use super::reply::finish_ok;
use super::write_errors::{WriteErrors, statements};
use super::write_target::{check_writable, prepare, store};
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::WriteScratch;
use crate::error::CommandError;

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let namespace = request.namespace()?;
    check_writable(&namespace)?;
    let params = request.params();
    let documents = statements(&params, "insert", "documents")?;
    let ordered = params.boolean("ordered")?.unwrap_or(true);
    // No collection has a validator, so there is none to pass by.
    params.safe_bool("bypassDocumentValidation")?;
    params.refuse("bypassEmptyTsReplacement")?;
    params.finish()?;
    let mut errors = WriteErrors::default();
    let mut scratch = WriteScratch::default();
    let mut inserted = 0;
    for (index, document) in documents.into_iter().enumerate() {
        match insert(context, &namespace, document, &mut scratch) {
            Ok(()) => inserted += 1,
            Err(error) => {
                errors.note(index, error)?;
                if ordered {
                    break;
                }
            }
        }
    }
    let mut reply = DocumentBuilder::new();
    reply.append("n", inserted);
    errors.append_to(&mut reply);
    Ok(finish_ok(reply))
}

fn insert(
    context: &mut CommandContext<'_>,
    namespace: &str,
    document: Document<'_>,
    scratch: &mut WriteScratch,
) -> Result<(), CommandError> {
    let prepared = prepare(context, document)?;
    let ready = prepared
        .as_ref()
        .map_or(document, |prepared| prepared.as_document());
    store(context, namespace, ready, scratch)
}
