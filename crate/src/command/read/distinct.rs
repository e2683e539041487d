//! `distinct`: the different values of a field. Manual: reference/command/distinct.
//!
//! Arrays give their items. Invariant: a value is in the reply once, in the order of values, as it was met first.

use super::explain::Shown;
use super::explain_plan::{self, Explained, Wrapper};
use super::prepare::{self, PlannedRead, Prepared, aside};
use super::read_options;
use super::views;
use crate::algorithms::sorting;
use crate::bson::{Array, ArrayBuf, ArrayBuilder, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};
use crate::catalog;
use crate::collation::Collation;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::CommandError;
use crate::exec::Build;
use crate::exec::explain::Verbosity;
use crate::expr::CompileContext;
use crate::keycode;
use crate::planner::{self, QueryRequest};
use crate::query::{Matcher, Projection};
use crate::storage::KeyMap;
use std::rc::Rc;

/// A parsed `distinct`.
pub struct DistinctRequest<'a, 'e> {
    pub namespace: String,
    pub compile: CompileContext<'e>,
    pub key: &'a str,
    pub query: QueryRequest,
}

/// Reads a `distinct` command's fields.
///
/// # Errors
/// Unknown and mistyped fields, and errors of the filter.
pub fn parse<'a, 'e>(
    context: &CommandContext<'e>,
    request: &Request<'a>,
) -> Result<DistinctRequest<'a, 'e>, CommandError> {
    let namespace = request.namespace()?;
    catalog::names::check_namespace(&namespace)?;
    let params = request.params();
    let key = params.required_string("key")?;
    let filter = read_options::filter("distinct", "query", params.value("query"))?;
    let hint = read_options::hint(params.value("hint"))?;
    let collation = params.collation()?;
    params.finish()?;
    if key.contains('\0') {
        return Err(CommandError::location(
            31032,
            "Key field cannot contain an embedded null byte",
        ));
    }
    let compile = context.compile_for(&namespace, None, collation)?;
    let matcher = Rc::new(Matcher::compile_query(filter, &compile)?);
    Ok(DistinctRequest {
        namespace,
        compile,
        key,
        query: QueryRequest {
            hint,
            explain: context.explains(),
            settings: context.query_settings.clone(),
            ..QueryRequest::filter(matcher)
        },
    })
}

/// Checks a `distinct` that stands for all of its shape.
///
/// # Errors
/// Those of `parse`.
pub(in crate::command) fn check_shape(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<Option<&'static str>, CommandError> {
    parse(context, request).map(|_| None)
}

/// Collects values, each once.
struct Values {
    seen: KeyMap,
    /// The key of the value at hand.
    key: Vec<u8>,
    type_bits: keycode::TypeBits,
    reply: ArrayBuilder,
    collation: Collation,
}

impl Values {
    fn add(&mut self, value: ValueRef<'_>) -> Result<(), CommandError> {
        self.key.clear();
        let key = self.collation.key_of(value);
        keycode::encode(key.as_ref(), false, &mut self.key, &mut self.type_bits);
        self.type_bits.clear();
        if self.seen.find_or_insert(&self.key, 0).1 {
            self.reply.push(value);
            if self.reply.byte_len() > MAX_DOCUMENT_SIZE {
                return Err(CommandError::location(17217, "distinct too big, 16mb cap"));
            }
        }
        Ok(())
    }

    /// Adds the values at a path: items of arrays on the way and at its end.
    fn add_path(&mut self, value: ValueRef<'_>, path: &[&str]) -> Result<(), CommandError> {
        match (value, path) {
            (ValueRef::Missing, _) => Ok(()),
            (ValueRef::Array(items), []) => self.add_items(items),
            (value, []) => self.add(value),
            (ValueRef::Document(document), [name, rest @ ..]) => {
                self.add_path(document.get(name), rest)
            }
            (ValueRef::Array(items), [name, rest @ ..]) => {
                if let Ok(position) = name.parse::<usize>() {
                    self.add_path(items.get(position), rest)?;
                }
                for item in items.iter() {
                    if let ValueRef::Document(document) = item {
                        self.add_path(document.get(name), rest)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn finish(self) -> ArrayBuf {
        let met = self.reply.finish();
        let mut values: Vec<ValueRef<'_>> = met.as_array().iter().collect();
        let collation = &self.collation;
        sorting::sort_by(&mut values, &mut |left, right| {
            collation.compare(*left, *right)
        });
        let mut sorted = ArrayBuilder::new();
        for value in values {
            sorted.push(value);
        }
        sorted.finish()
    }

    fn add_items(&mut self, items: Array<'_>) -> Result<(), CommandError> {
        items.iter().try_for_each(|item| self.add(item))
    }
}

/// Plans a `distinct`. Where each value comes once, from index keys, an absent field looks like null: as on the server,
/// it is given as null then.
///
/// # Errors
/// Errors of the planner.
pub fn plan(
    context: &CommandContext<'_>,
    distinct: &DistinctRequest<'_, '_>,
) -> Result<PlannedRead, CommandError> {
    let (catalog, exec) = (context.view().catalog, context.exec_context());
    let Some(collection) = catalog.collection(&distinct.namespace) else {
        return prepare::plan(catalog, &exec, &distinct.namespace, distinct.query.clone());
    };
    let mut specification = DocumentBuilder::new();
    if distinct.key != "_id" {
        specification.append("_id", 0);
    }
    specification.append(distinct.key, 1);
    let projection = Projection::compile(
        specification.finish().as_document(),
        &distinct.query.matcher,
        &distinct.compile,
    );
    let planned = match projection {
        Ok(projection) => planner::choose_distinct(
            &distinct.query,
            distinct.key,
            &Rc::new(projection),
            collection,
            &exec.exec,
        )?,
        _ => planner::choose(&distinct.query, collection, &exec.exec)?,
    };
    exec.allow(&planned)?;
    Ok(PlannedRead {
        query: distinct.query.clone(),
        planned,
        collection: Rc::clone(collection),
    })
}

/// Appends how a `distinct` would be run.
///
/// # Errors
/// Errors of its fields, and of planning and running.
pub(in crate::command) fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    if views::is_named(context, request) {
        let key = request.document.get("key").as_str().unwrap_or_default();
        let grouping = |last: &mut DocumentBuilder| {
            last.begin_document("$group")
                .append("_id", ValueRef::Null)
                .begin_document("distinct")
                .append("$addToSet", format!("${key}").as_str())
                .end()
                .end();
        };
        let aggregate = views::counted_as_aggregate(request.document, &grouping);
        return views::explain(context, request, &aggregate, verbosity, reply);
    }
    let mut parsed = parse(context, request)?;
    parsed.query.explain = true;
    let read = plan(context, &parsed)?;
    let explained = Explained {
        namespace: &parsed.namespace,
        read: &read,
        wrapper: Wrapper::None,
    };
    explain_plan::append(context, &explained, verbosity, reply)?;
    Ok(Shown::Query)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let distinct = parse(context, request)?;
    let path: Vec<&str> = distinct.key.split('.').collect();
    let mut values = Values {
        seen: KeyMap::default(),
        key: Vec::new(),
        type_bits: keycode::TypeBits::default(),
        reply: ArrayBuilder::new(),
        collation: distinct.compile.collation.clone(),
    };
    if context.view().catalog.view(&distinct.namespace).is_some() {
        views::visit(
            context,
            &distinct.namespace,
            request.document.get("query"),
            distinct.query.hint.clone(),
            &distinct.compile,
            &mut |document| values.add_path(ValueRef::Document(document), &path),
        )?;
        let mut reply = DocumentBuilder::new();
        reply.append("values", &values.finish());
        // As on the server, which makes this reply of a pipeline's, `ok` is an integer.
        reply.append("ok", 1);
        return Ok(reply.finish());
    }
    let exec = context.exec_context();
    let read = Prepared::Planned(Rc::new(aside(&exec, || plan(context, &distinct))?));
    let mut root = read.start(&exec, Build::default());
    root.stage().visit(&exec, &mut |record| {
        values.add_path(ValueRef::Document(record.document()), &path)?;
        Ok(true)
    })?;
    let mut reply = DocumentBuilder::new();
    reply.append("values", &values.finish());
    Ok(finish_ok(reply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_items_of_arrays_once() {
        let mut builder = DocumentBuilder::new();
        builder.begin_array("a");
        builder.push_item(0, 1).push_item(1, 2.0).push_item(2, 1.0);
        builder.end();
        let document = builder.finish();
        let mut values = Values {
            seen: KeyMap::default(),
            key: Vec::new(),
            type_bits: keycode::TypeBits::default(),
            reply: ArrayBuilder::new(),
            collation: Collation::SIMPLE,
        };
        values
            .add_path(ValueRef::Document(document.as_document()), &["a"])
            .expect("two small values fit");
        assert_eq!(values.reply.len(), 2);
    }
}
