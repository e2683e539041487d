//! Pipelines that write: `$out` and `$merge`, run to their end by one command.
//!
//! Invariant: a pipeline that writes reads from a snapshot, taken anew after each
//! write; a collection that takes another's place is in the catalog only when it is complete.

use super::batch;
use super::pipeline_source::Collections;
use crate::aggregate::{Target, Writer};
use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, MAX_NESTING, ValueRef, validate};
use crate::catalog::{Collection, Index, Series, WriteScratch, names, uuid};
use crate::command::collections::kinds::series;
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::reply::{error_reply, finish_ok};
use crate::command::request::Request;
use crate::command::table;
use crate::command::write::series_insert::fill_measurements;
use crate::command::write::write_errors::is_fatal;
use crate::command::write::write_target::prepare;
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Stage};
use crate::state::Replacement;
use crate::storage::Snapshot;
use std::rc::Rc;

/// Whether a command's pipeline ends with a stage that writes.
pub fn writes(request: &Request<'_>) -> bool {
    let ValueRef::Array(stages) = request.document.get("pipeline") else {
        return false;
    };
    let last = stages.iter().last().and_then(ValueRef::as_document);
    last.and_then(|stage| stage.iter().next())
        .is_some_and(|stage| matches!(stage.name, "$merge" | "$out"))
}

/// Whether a command's pipeline begins with a change stream.
pub fn begins_stream(request: &Request<'_>) -> bool {
    let stages = request.document.get("pipeline").as_array();
    let first = stages.and_then(|stages| stages.iter().next());
    let first = first
        .and_then(ValueRef::as_document)
        .and_then(|stage| stage.iter().next());
    first.is_some_and(|stage| stage.name == "$changeStream")
}

/// Runs a pipeline to its end and answers with an empty cursor.
///
/// # Errors
/// Those after which everything is undone. An error of a `$merge` that has written before is the reply, because the
/// documents that it wrote stay.
pub fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    namespace: &str,
    running: Box<dyn Stage>,
    writer: Box<dyn Writer>,
) -> CommandResult {
    let running_on = format!("Executor error during aggregate command on namespace: {namespace}");
    match drain(context, request.database, running, writer, &running_on)? {
        Some(reply) => Ok(reply),
        None => {
            let mut reply = context.reply();
            reply.begin_document("cursor");
            reply.begin_array("firstBatch").end();
            batch::end_cursor(&mut reply, 0, namespace);
            Ok(finish_ok(reply))
        }
    }
}

/// Runs a pipeline that writes to its end; gives the reply of an error after which the written documents stay.
///
/// # Errors
/// Those after which everything is undone; `what` introduces both.
pub fn drain(
    context: &mut CommandContext<'_>,
    database: &str,
    running: Box<dyn Stage>,
    writer: Box<dyn Writer>,
    what: &str,
) -> Result<Option<DocumentBuf>, CommandError> {
    let snapshot = context.view().pages.open_snapshot();
    let mut target = WritingCollections {
        context: &mut *context,
        snapshots: vec![snapshot],
        replacement: None,
        has_written: false,
    };
    let done = write_all(&mut target, database, running, writer);
    let keeps = target.has_written;
    match done {
        Ok(()) => Ok(None),
        Err(error) => {
            let undo = !keeps || is_fatal(&error);
            let error = error.within(what);
            if undo {
                Err(error)
            } else {
                Ok(Some(error_reply(&error)))
            }
        }
    }
}

/// Reads until there is a batch, writes it, and reads on.
fn write_all(
    target: &mut WritingCollections<'_, '_>,
    database: &str,
    mut running: Box<dyn Stage>,
    mut writer: Box<dyn Writer>,
) -> Result<(), CommandError> {
    writer.begin(target)?;
    loop {
        let (env, now_millis) = (target.context.env, target.context.now_millis);
        let Writing {
            writer: present,
            object_ids,
            ..
        } = target.context.writing();
        let exec = ExecContext {
            now_millis,
            ..ExecContext::new(present.pager(), env)
        };
        let collections = Collections::new(exec, present.catalog(), database);
        let exec = collections.exec_context();
        let new_id = &mut || object_ids.next(now_millis);
        let ended = running.visit(&exec, &mut |record| {
            writer.take(record.document(), &exec, new_id)
        })?;
        writer.write(target)?;
        if ended {
            return writer.finish(target);
        }
    }
}

/// The collections of a deployment, to be written to.
struct WritingCollections<'w, 'e> {
    context: &'w mut CommandContext<'e>,
    /// The states that the pipeline's reads go on to see.
    snapshots: Vec<Snapshot>,
    /// The collection that `$out` fills, under a name of its own, and the namespace it is to have.
    replacement: Option<(Replacement, String)>,
    /// Whether a write command was done.
    has_written: bool,
}

/// The error of the first statement that a write command's reply says failed.
fn first_error(reply: Document<'_>) -> Option<CommandError> {
    let errors = reply.get("writeErrors").as_array()?;
    let first = errors.iter().next()?.as_document()?;
    let code = first.get("code").as_exact_i64().unwrap_or(0) as i32;
    let message = first.get("errmsg").as_str().unwrap_or_default();
    let mut details = DocumentBuilder::new();
    for element in first.iter() {
        if !matches!(element.name, "index" | "code" | "errmsg") {
            details.append_raw(element.raw);
        }
    }
    let error = CommandError::location(code, message);
    let details = details.finish();
    Some(match details.as_document().is_empty() {
        true => error,
        false => error.with_details(details.into_bytes()),
    })
}

impl Target for WritingCollections<'_, '_> {
    fn begin_replacing(
        &mut self,
        database: &str,
        collection: &str,
        given: Option<Document<'_>>,
    ) -> Result<(), CommandError> {
        let namespace = format!("{database}.{collection}");
        let catalog = self.context.view().catalog;
        names::check_creatable(&namespace)?;
        if given.is_some() || catalog.measured(&namespace).is_some() {
            let filled = series::replacement(self.context, &namespace, given)?;
            let place = format!("{database}.{}", Series::buckets_name(collection));
            let begun = self.context.writer().begin_replacement(filled, &place)?;
            self.replacement = Some((begun, namespace));
            return Ok(());
        }
        catalog.refuse_view(&namespace)?;
        catalog.check_database_case(database)?;
        let target = catalog.collection(&namespace);
        if let Some(target) = target {
            target.options.kind.rules().check_replaced(&namespace)?;
        }
        let uuid = uuid::random(self.context.env);
        let name = format!("{database}.tmp.agg_out.{}", uuid_text(&uuid));
        let options = target.map(|target| (*target.options).clone());
        let mut filled = Collection::new(&name, uuid, options.unwrap_or_default());
        if let Some(target) = target {
            filled.indexes = target
                .indexes
                .iter()
                .map(|index| Index::new(Rc::clone(&index.definition)))
                .collect();
        }
        let begun = self
            .context
            .writer()
            .begin_replacement(filled, &namespace)?;
        self.replacement = Some((begun, namespace));
        Ok(())
    }

    fn add_to_replacement(&mut self, documents: &[DocumentBuf]) -> Result<(), CommandError> {
        let Some((filled, namespace)) = &mut self.replacement else {
            return Ok(());
        };
        if let Some(series) = filled.series() {
            let all: Vec<Document<'_>> = documents.iter().map(DocumentBuf::as_document).collect();
            return fill_measurements(self.context, filled, &series, &all);
        }
        // The collection that is to be replaced is still there.
        let validator = self.context.validator(namespace)?;
        let (env, now_millis) = (self.context.env, self.context.now_millis);
        let Writing {
            mut writer,
            object_ids,
            timestamps,
            ..
        } = self.context.writing();
        let mut prepared = Vec::with_capacity(documents.len());
        for document in documents {
            if validate(document.as_bytes()).map_or(true, |depth| depth > MAX_NESTING) {
                return Err(CommandError::new(
                    Code::Overflow,
                    format!(
                        "cannot insert document because it exceeds {MAX_NESTING} levels of nesting"
                    ),
                ));
            }
            prepared.push(prepare(
                object_ids,
                timestamps,
                now_millis,
                document.as_document(),
            )?);
        }
        let ready: Vec<Document<'_>> = prepared
            .iter()
            .zip(documents)
            .map(|(prepared, given)| prepared.as_ref().unwrap_or(given).as_document())
            .collect();
        if let Some(validator) = validator {
            for document in &ready {
                validator.check(*document, None, env, now_millis)?;
            }
        }
        let mut filled = writer.fill(filled);
        if filled.insert_many(&ready)? {
            return Ok(());
        }
        let mut scratch = WriteScratch::default();
        for document in ready {
            env.checkpoint()?;
            filled.insert(document, &mut scratch)?;
        }
        Ok(())
    }

    fn finish_replacing(&mut self) -> Result<(), CommandError> {
        let Some((filled, namespace)) = self.replacement.take() else {
            return Ok(());
        };
        let series = filled.series();
        let holder = uuid::random(self.context.env);
        let view = series.map(|series| series::name_of(&namespace, series, self.context.env));
        let Writing {
            mut writer,
            cursors,
            ..
        } = self.context.writing();
        if let Some(view) = view
            && writer.catalog().named(&namespace).is_none()
        {
            writer.create_view(view, holder)?;
        }
        if let Some(old) = writer.put_replacement(filled)? {
            cursors.end_namespace(&namespace, &uuid::dropped_reason(&old.uuid));
        }
        Ok(())
    }

    fn write(&mut self, database: &str, command: Document<'_>) -> Result<i64, CommandError> {
        let Some(first) = command.iter().next() else {
            return Ok(0);
        };
        let target = format!("{database}.{}", first.value.as_str().unwrap_or_default());
        if self.context.view().catalog.measured(&target).is_some() {
            self.context.view().catalog.refuse_view(&target)?;
        }
        let request = Request {
            document: command,
            name: first.name,
            argument: first.value,
            database,
            // How deep the documents are that a pipeline made is for the command to find out.
            nesting: usize::MAX,
            max_time_millis: 0,
            comment: ValueRef::Missing,
            session: None,
            write_number: None,
            topology: self.context.deployment.topology,
            transaction: None,
        };
        let Some(row) = table::find(first.name) else {
            return Ok(0);
        };
        let reply = (row.run)(self.context, &request)?;
        self.has_written = true;
        let snapshot = self.context.view().pages.open_snapshot();
        self.snapshots.push(snapshot);
        match first_error(reply.as_document()) {
            Some(error) => Err(error),
            None => Ok(reply.get("n").as_exact_i64().unwrap_or(0)),
        }
    }
}
