//! `quireOplog`: whether the deployment keeps an oplog, and how many bytes of it.
//!
//! A command of this engine's own: `{quireOplog: 1, enabled: <boolean>, size: <bytes>}`. The first change stream and
//! the first read of `local.oplog.rs` begin the oplog too. It costs room and time with each write until it is ended
//! here: then its entries are gone, and streams cannot be resumed behind them. Without options the command tells how
//! it is.

use crate::bson::{DocumentBuilder, Timestamp};
use crate::catalog::{CappedLimits, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::row::CommandRow;
use crate::error::{Code, CommandError};
use crate::state::oplog;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let enabled = params.boolean("enabled")?;
    let size = params.integer("size")?;
    params.finish()?;
    let is_on = oplog::is_on(context.view().catalog);
    if size.is_some() && !enabled.unwrap_or(is_on) {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "quireOplog takes 'size' only of an oplog that is kept",
        ));
    }
    match (is_on, enabled) {
        (true, Some(false)) => {
            context.writer().drop_named(oplog::NAMESPACE)?;
        }
        (false, Some(true)) => context.begin_oplog(size.unwrap_or(oplog::DEFAULT_BYTES))?,
        _ => {
            let mut writer = context.writer();
            if let (Some(size), Some(mut collection)) = (size, writer.collection(oplog::NAMESPACE))
            {
                let mut options = (*collection.collection().options).clone();
                options.kind = CappedLimits::new(size, None)?.into();
                collection.set_options(options)?;
            }
        }
    }
    let view = context.view();
    let mut reply = DocumentBuilder::new();
    let oplog = view.catalog.collection(oplog::NAMESPACE);
    reply.append("enabled", oplog.is_some());
    if let Some(oplog) = oplog {
        let limits = oplog.options.kind.limits().map_or(0, |limits| limits.size);
        reply.append_integer("maxSize", limits);
        reply.append_integer("size", oplog.data_size() as i64);
        reply.append_integer("count", oplog.count() as i64);
        for (name, record) in [
            ("first", oplog.first_record(view.pages)?),
            ("last", oplog.last_record(view.pages)?),
        ] {
            if let Some(record) = record {
                reply.append(name, Timestamp::from_bits(record.0));
            }
        }
    }
    Ok(finish_ok(reply))
}

/// Refuses a command that would change the oplog itself.
///
/// # Errors
/// 20 `IllegalOperation` where it would drop or rename the oplog, 73 `InvalidNamespace` where it would write to it.
pub fn check(row: &CommandRow, request: &Request<'_>) -> Result<(), CommandError> {
    let named = request.argument().as_str().unwrap_or_default();
    let target = request.document.get("to").as_str().unwrap_or_default();
    let (database, collection) = names::split(names::OPLOG);
    let is_named =
        row.collection_field.is_none() && request.database == database && named == collection;
    if !is_named && named != names::OPLOG && target != names::OPLOG {
        return Ok(());
    }
    Err(match row.ends_collections {
        true => {
            let what = if target.is_empty() { "drop" } else { "rename" };
            CommandError::new(
                Code::IllegalOperation,
                format!("can't {what} live oplog while replicating"),
            )
        }
        false => CommandError::new(
            Code::InvalidNamespace,
            format!("cannot write to '{}'", names::OPLOG),
        ),
    })
}
