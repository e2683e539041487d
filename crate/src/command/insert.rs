//! `insert`: adds documents. Manual: reference/command/insert.

use super::context::{CommandContext, CommandResult, Deployment};
use super::params::Request;
use super::reply::finish_ok;
use super::write_errors::{WriteErrors, statements};
use super::write_target::{check_writable, prepare};
use crate::catalog::{Collection, WriteScratch, uuid};
use crate::error::{Code, CommandError};

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
    let (env, now_millis) = (context.env, context.now_millis);
    let Deployment {
        pager,
        catalog,
        object_ids,
        counters,
        ..
    } = &mut *context.deployment;
    // The collection is made for the first document that may be stored, and then held.
    let mut source = Some(catalog);
    let mut target: Option<&mut Collection> = None;
    for (index, document) in documents.into_iter().enumerate() {
        let done = prepare(object_ids, now_millis, document).and_then(|prepared| {
            if let Some(catalog) = source.take() {
                target = Some(catalog.get_or_create(&namespace, || uuid::random(env))?);
            }
            let ready = prepared
                .as_ref()
                .map_or(document, |prepared| prepared.as_document());
            match &mut target {
                Some(collection) => collection
                    .insert_document(pager, ready, &mut scratch)
                    .map(drop),
                None => Err(CommandError::new(
                    Code::InvalidNamespace,
                    format!("cannot create '{namespace}'"),
                )),
            }
        });
        match done {
            Ok(()) => inserted += 1,
            Err(error) => {
                errors.note(index, error)?;
                if ordered {
                    break;
                }
            }
        }
    }
    counters.insert += i64::from(inserted);
    let mut reply = context.reply();
    reply.append("n", inserted);
    errors.append_to(&mut reply);
    Ok(finish_ok(reply))
}
