//! `planCacheSetFilter`: lets the queries of one shape use some indexes only. Manual:
//! reference/command/planCacheSetFilter.

use super::query_shape;
use crate::bson::{ArrayBuf, DocumentBuilder, Text, ValueRef};
use crate::catalog::names;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::planner::memory;

fn bad(message: &str) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    context.view().catalog.refuse_view(&namespace)?;
    let Some(collection) = context.view().catalog.collection(&namespace) else {
        return Err(bad("no such collection"));
    };
    let params = request.params();
    let shape = query_shape::read(context, &params, "sort, projection, or collation")?;
    let indexes = index_list(params.value("indexes"));
    params.finish_open()?;
    let indexes = indexes?;
    let shape = shape.ok_or_else(|| bad("required field query missing"))?;
    memory::with(collection, |memory| {
        memory.set_filter(shape.text, shape.described, indexes);
    });
    Ok(finish_ok(DocumentBuilder::new()))
}

fn index_list(value: ValueRef<'_>) -> Result<ArrayBuf, CommandError> {
    let indexes = match value {
        ValueRef::Missing => return Err(bad("required field indexes missing")),
        ValueRef::Array(indexes) => indexes,
        _ => return Err(bad("required field indexes must be an array")),
    };
    if indexes.is_empty() {
        return Err(bad(
            "required field indexes must contain at least one index",
        ));
    }
    for index in indexes.iter() {
        match index {
            ValueRef::String(Text(b"")) => return Err(bad("Index name cannot be empty")),
            ValueRef::Document(key) if key.is_empty() => {
                return Err(bad("index specification cannot be empty"));
            }
            ValueRef::String(_) | ValueRef::Document(_) => {}
            _ => {
                return Err(bad(
                    "each item in indexes must be either an object or a string",
                ));
            }
        }
    }
    Ok(indexes.to_buf())
}
