//! The profiler's place in a command's life: the command is watched, and its entries are written once it has ended.
//!
//! Invariants: an entry is a unit of its own, so that it tells of a command that was undone too; where it cannot be
//! written it is left out, and the command is answered all the same. Where a page is missing for it, it is written
//! before the next command, which is put off for that page: a command that has ended is not run again.

use super::{Call, Engine};
use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::catalog::{WriteScratch, names, uuid};
use crate::command::diagnostics::profiler::{self, Profiled};
use crate::command::read::watched::Watch;
use crate::command::row::WriteAccess;
use crate::command::{CommandContext, CommandRow, Request, ServerCounters};
use crate::env::Env;
use crate::error::CommandError;
use std::rc::Rc;

impl Engine {
    /// The watch of a command that is to be profiled.
    pub(super) fn watch_of(&self, call: &Call<'_>) -> Option<Rc<Watch>> {
        let (row, request) = call.named;
        let is_own = call.row.access == WriteAccess::ByInner || std::ptr::eq(call.row, row);
        let profiler = &self.deployment.profiler;
        let is_profiled =
            is_own && self.refusal.is_none() && profiler.watches(row, request.database);
        is_profiled.then(|| Rc::new(Watch::of_profiler()))
    }

    /// Notes a slow command in the log; every command where the log's level asks for all.
    pub(super) fn log_command(
        &mut self,
        (row, request): (&CommandRow, &Request<'_>),
        millis: f64,
        now_millis: i64,
        error: Option<&CommandError>,
    ) {
        let deployment = &mut self.deployment;
        let is_slow = millis as i64 >= deployment.profiler.slow_millis;
        if !is_slow && deployment.parameters.command_verbosity() == 0 {
            return;
        }
        let tell = |attributes: &mut DocumentBuilder| {
            attributes.append("type", row.profiled_as().unwrap_or("command"));
            attributes.append("ns", profiler::namespace(row, request).as_str());
            profiler::append_logged(attributes, request.document);
            if let Some(error) = error {
                attributes.append("ok", 0.0);
                attributes.append("errMsg", error.message.as_str());
                attributes.append("errName", error.code_name().as_str());
                attributes.append("errCode", error.code);
            }
            attributes.append_integer("durationMillis", millis as i64);
        };
        let log = &mut deployment.log;
        log.note(now_millis, "COMMAND", 51_803, "Slow query", &tell);
    }

    /// Writes the entries of a command that has ended, now or before the next command.
    pub(super) fn keep_entries(
        &mut self,
        entries: Vec<DocumentBuf>,
        database: &str,
        env: &dyn Env,
    ) {
        if entries.is_empty() || self.deployment.profiler.settings(database).level == 0 {
            return;
        }
        self.unwritten = Some((database.into(), entries));
        let of_command = std::mem::take(&mut self.base.changes);
        // A page that is missing is asked for before the next command.
        let _ = self.write_kept_entries(env);
        self.base.changes = of_command;
    }

    /// Writes the entries that could not be written when their command ended.
    ///
    /// # Errors
    /// A page that is not in memory.
    pub(super) fn write_kept_entries(&mut self, env: &dyn Env) -> Result<(), CommandError> {
        let Some((database, entries)) = self.unwritten.take() else {
            return Ok(());
        };
        let written = self.write_entries(&entries, &database, env);
        if self.gathers {
            self.gathered.absorb(&mut self.base.changes);
        }
        self.base.changes.clear();
        match written {
            Err(error) if error.missing_page.is_some() => {
                self.unwritten = Some((database, entries));
                Err(error)
            }
            written => {
                self.has_profiled |= written.is_ok();
                Ok(())
            }
        }
    }

    fn write_entries(
        &mut self,
        entries: &[DocumentBuf],
        database: &str,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let profile = format!("{database}.{}", names::PROFILE);
        let mut unit = self.base.begin(true);
        let mut writer = unit.writer();
        let mut write = || {
            if writer.catalog().collection(&profile).is_none() {
                writer.create(&profile, uuid::random(env), profiler::collection_options()?)?;
            }
            let mut scratch = WriteScratch::default();
            for entry in entries {
                if let Some(mut collection) = writer.collection(&profile) {
                    collection.insert(entry.as_document(), &mut scratch)?;
                }
            }
            Ok(())
        };
        let done: Result<(), CommandError> = write();
        unit.end(done.is_ok())?;
        done
    }
}

/// The entries of a command that has run.
pub(super) fn entries(
    call: &Call<'_>,
    context: &CommandContext<'_>,
    result: &Result<DocumentBuf, CommandError>,
    counted: ServerCounters,
) -> Vec<DocumentBuf> {
    let is_to_run_again = matches!(result, Err(error) if error.missing_page.is_some());
    if context.watch.is_none() || is_to_run_again {
        return Vec::new();
    }
    let (row, request) = call.named;
    let profiled = Profiled {
        row,
        request,
        result: result.as_ref().map(DocumentBuf::as_document),
        counted,
    };
    profiled.entries(context)
}
