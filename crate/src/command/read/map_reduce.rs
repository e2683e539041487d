//! `mapReduce`: script functions that map documents to keyed values and reduce each key's values.
//! Manual: reference/command/mapReduce, core/map-reduce. Deprecated since 5.0, and kept because older books use it.
//!
//! Invariant: everything is read before anything is written; `out` is a pipeline's `$out` or `$merge`. As on a server,
//! `reduce` is called for keys with one value too, with a key's values from the last to the first.

use super::aggregate::collections;
use super::map_reduce_functions::{Functions, MOST_WAITING, pair, text, with_scope};
use super::pipeline_writes;
use crate::aggregate::Pipeline;
use crate::aggregate::stages::foreign::{is_internal, is_system, is_valid_target};
use crate::bson::{
    ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE, Value,
    ValueRef,
};
use crate::catalog::names;
use crate::collation::Collation;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::memory::Usage;
use crate::exec::{Documents, ExecContext, Stage};
use crate::expr::CompileContext;
use crate::expr::growth::allow_array;
use crate::keycode::{self, TypeBits};
use crate::storage::KeyMap;
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

pub(in crate::command) const WITHIN: &str = "MapReduce internal error";

/// How results meet the documents of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Replace,
    Merge,
    Reduce,
}

pub(in crate::command) struct Target<'a> {
    mode: Mode,
    database: Option<&'a str>,
    collection: &'a str,
}

/// A parsed `mapReduce`.
pub(in crate::command) struct Parsed<'a> {
    pub(in crate::command) namespace: String,
    pub(in crate::command) map: &'a str,
    pub(in crate::command) reduce: &'a str,
    pub(in crate::command) finalize: Option<&'a str>,
    scope: Document<'a>,
    /// The stages that choose documents.
    pub(in crate::command) stages: ArrayBuf,
    /// `None`: the results are the reply.
    pub(in crate::command) target: Option<Target<'a>>,
    collation: Option<Document<'a>>,
}

impl Parsed<'_> {
    /// The compile context for the pipelines that read and write for the command.
    pub(in crate::command) fn compile<'e>(
        &self,
        context: &CommandContext<'e>,
    ) -> Result<CompileContext<'e>> {
        context.compile_for(&self.namespace, None, self.collation)
    }
}

/// The counts of a run, for explain.
#[derive(Default)]
pub(in crate::command) struct Counts {
    pub(in crate::command) mapped: u64,
    pub(in crate::command) emitted: u64,
    pub(in crate::command) groups: u64,
    /// Bytes of keys and values while they were gathered, and bytes of the results.
    pub(in crate::command) bytes_held: usize,
    pub(in crate::command) bytes_given: usize,
    /// The time of everything up to and with mapping, reducing, finalizing.
    pub(in crate::command) mapping_millis: f64,
    pub(in crate::command) reducing_millis: f64,
    pub(in crate::command) millis: f64,
}

fn bad_value(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

/// Whether a request writes its results; else they are its reply.
pub(in crate::command) fn writes(request: &Request<'_>) -> bool {
    let out = request.document.get("out").as_document();
    out.is_none_or(|out| out.get("inline").is_missing())
}

fn code<'a>(name: &str, value: ValueRef<'a>) -> Result<&'a str> {
    match value {
        ValueRef::String(text) | ValueRef::JavaScript(text) => Ok(text.checked()?.trim()),
        _ => Err(bad_value(format!(
            "'{name}' must be of string or code type"
        ))),
    }
}

fn required<'a>(params: &Params<'a>, name: &'static str) -> Result<ValueRef<'a>> {
    match params.value(name) {
        ValueRef::Missing => {
            params.lack(name);
            // Any text will do for each of the three: `Params::finish` refuses the request.
            Ok(ValueRef::from("absent"))
        }
        value => Ok(value),
    }
}

/// Reads a `mapReduce` command's fields.
///
/// # Errors
/// Unknown and mistyped fields; a target that cannot be written to; 166 for a view.
pub(in crate::command) fn parse<'a>(
    context: &CommandContext<'_>,
    request: &Request<'a>,
) -> Result<Parsed<'a>> {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let map = code("map", required(&params, "map")?)?;
    let reduce = code("reduce", required(&params, "reduce")?)?;
    let target = target(required(&params, "out")?)?;
    let finalize = match params.value("finalize") {
        ValueRef::Missing | ValueRef::Null => None,
        value => Some(code("finalize", value)?),
    };
    let scope = match params.value("scope") {
        ValueRef::Missing => Document::EMPTY,
        ValueRef::Document(scope) => scope,
        _ => return Err(bad_value("'scope' must be an object")),
    };
    let mut stages = ArrayBuilder::new();
    let mut push = |name: &str, value: ValueRef<'_>| {
        let mut stage = DocumentBuilder::new();
        stage.append(name, value);
        stages.push(&stage.finish());
    };
    if let Some(query) = params.document("query")? {
        push("$match", ValueRef::Document(query));
    }
    if let Some(sort) = params.document("sort")? {
        if sort.is_empty() {
            return Err(CommandError::location(
                15976,
                "The mapReduce sort option must have at least one sort key",
            ));
        }
        push("$sort", ValueRef::Document(sort));
    }
    if let Some(limit) = params.integer("limit")? {
        if limit < 1 {
            return Err(CommandError::location(
                15958,
                "The limit specified to mapReduce must be positive",
            ));
        }
        push("$limit", ValueRef::Int64(limit));
    }
    // Both mean nothing to a server of today: there are no timings in the reply, and no other mode.
    params.boolean("verbose")?;
    params.boolean("jsMode")?;
    params.boolean("bypassDocumentValidation")?;
    let collation = params.collation()?;
    params.finish()?;
    if let Some(target) = &target {
        check_target(target, request.database)?;
    }
    if context.view().catalog.view(&namespace).is_some() {
        return Err(CommandError::new(
            Code::CommandNotSupportedOnView,
            "mapReduce on a view is not supported",
        ));
    }
    Ok(Parsed {
        namespace,
        map,
        reduce,
        finalize,
        scope,
        stages: stages.finish(),
        target,
        collation,
    })
}

fn target(out: ValueRef<'_>) -> Result<Option<Target<'_>>> {
    let fields = match out {
        ValueRef::String(collection) => {
            return Ok(Some(Target {
                mode: Mode::Replace,
                database: None,
                collection: names::of(collection)?,
            }));
        }
        ValueRef::Document(fields) => fields,
        _ => return Err(bad_value("'out' must be either a string or an object")),
    };
    let inline = fields.get("inline");
    if !inline.is_missing() {
        if fields.len() != 1 {
            return Err(CommandError::new(
                Code::InvalidOptions,
                "'inline' must be specified alone",
            ));
        }
        return match inline.as_exact_i64() {
            Some(1) => Ok(None),
            _ => Err(bad_value("'inline' takes only numeric '1'")),
        };
    }
    let flag = |name: &str| match fields.get(name) {
        ValueRef::Missing => Ok(false),
        ValueRef::Boolean(true) => Ok(true),
        ValueRef::Boolean(false) => Err(bad_value(format!("{name} field value must be true"))),
        _ => Err(bad_value(format!("{name} field value must be boolean"))),
    };
    let sharded = flag("sharded")?;
    let modes = [
        ("replace", Mode::Replace),
        ("merge", Mode::Merge),
        ("reduce", Mode::Reduce),
    ];
    let given = modes
        .into_iter()
        .find(|(name, _)| !fields.get(name).is_missing());
    let Some((name, mode)) = given else {
        return Err(bad_value("'out' requires 'replace', 'merge' or 'reduce'"));
    };
    let ValueRef::String(collection) = fields.get(name) else {
        return Err(bad_value(format!(
            "'{name}' supports only string consisting of output collection name"
        )));
    };
    let collection = names::of(collection)?;
    let database = match fields.get("db") {
        ValueRef::Missing => None,
        ValueRef::String(name) => Some(names::of(name)?),
        _ => return Err(bad_value("db field value must be string")),
    };
    if database.is_some_and(is_internal) {
        return Err(CommandError::new(
            Code::CommandNotSupported,
            "cannot target internal database as output",
        ));
    }
    flag("nonAtomic")?;
    let known = [name, "sharded", "db", "nonAtomic"];
    if fields.iter().any(|field| !known.contains(&field.name)) {
        return Err(bad_value(
            "'out' supports only output type with collection name, optional 'sharded' and optional 'db'",
        ));
    }
    if sharded {
        return Err(CommandError::new(
            Code::InvalidOptions,
            match mode {
                Mode::Replace => {
                    "Combination of 'out.sharded' and 'replace' output mode is not supported. Cannot replace an \
                     existing sharded collection or create a new sharded collection. Please create the sharded \
                     collection first and use a different output mode or consider using an unsharded collection."
                }
                _ => {
                    "Cannot use mapReduce to create a new sharded collection. Please create and shard the target \
                     collection before proceeding."
                }
            },
        ));
    }
    Ok(Some(Target {
        mode,
        database,
        collection,
    }))
}

fn check_target(target: &Target<'_>, own: &str) -> Result<()> {
    let database = target.database.unwrap_or(own);
    if !is_valid_target(database, target.collection) {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!(
                "Invalid output namespace {database}.{} for MapReduce",
                target.collection
            ),
        ));
    }
    if is_system(target.collection) {
        return Err(CommandError::location(
            17385,
            format!(
                "Can't output mapReduce results to special collection {}",
                target.collection
            ),
        ));
    }
    if is_internal(database) {
        return Err(CommandError::location(
            31321,
            format!("Can't output mapReduce results to internal DB {database}"),
        ));
    }
    Ok(())
}

/// The emitted values, by key.
#[derive(Default)]
struct Groups {
    map: KeyMap,
    keys: Vec<Value<'static>>,
    /// The values of each key, in the order they were emitted.
    values: Vec<Vec<Value<'static>>>,
    usage: Usage,
    collation: Collation,
    encoded: Vec<u8>,
    type_bits: TypeBits,
}

impl Groups {
    fn add(&mut self, emitted: ValueRef<'_>) -> Result<()> {
        let Some((key, value)) = pair(emitted) else {
            return Ok(());
        };
        self.encoded.clear();
        self.type_bits.clear();
        let labelled = self.collation.key_of(key);
        keycode::encode(
            labelled.as_ref(),
            false,
            &mut self.encoded,
            &mut self.type_bits,
        );
        let (position, new) = self.map.find_or_insert(&self.encoded, self.keys.len());
        if new {
            self.usage.add(self.encoded.len() * 2 + 64, "$group")?;
            self.keys.push(key.to_value());
            self.values.push(Vec::new());
        }
        let value = value.to_value();
        self.usage.add(text_bytes(&value) + 16, "$group")?;
        if let Some(values) = self.values.get_mut(position) {
            values.push(value);
        }
        Ok(())
    }
}

fn text_bytes(value: &Value<'_>) -> usize {
    match value.as_ref() {
        ValueRef::Document(document) => document.as_bytes().len(),
        ValueRef::Array(array) => array.as_bytes().len(),
        ValueRef::String(text) => text.len(),
        _ => 8,
    }
}

/// Maps every document of a run.
fn map(
    context: &CommandContext<'_>,
    mut running: Box<dyn Stage>,
    exec: &ExecContext<'_>,
    functions: &mut Functions,
    mut groups: Groups,
    counts: &mut Counts,
) -> Result<Groups> {
    let mut waiting = String::new();
    loop {
        let more = running.advance(exec)?;
        if more {
            counts.mapped += 1;
            if !waiting.is_empty() {
                waiting.push(',');
            }
            waiting.push_str(&text(running.current().document()));
        }
        if waiting.len() > MOST_WAITING || (!more && !waiting.is_empty()) {
            context.env.checkpoint()?;
            for emitted in functions.map(context.env, &waiting)?.as_array().iter() {
                counts.emitted += 1;
                groups.add(emitted)?;
            }
            waiting.clear();
        }
        if !more {
            return Ok(groups);
        }
    }
}

/// The text of one key with its values, the last first.
fn reducing(key: &Value<'_>, values: &[Value<'_>], env: &dyn Env) -> Result<String> {
    let mut all = format!("[{},[", text(key.as_ref()));
    for (position, value) in values.iter().rev().enumerate() {
        if position > 0 {
            all.push(',');
        }
        all.push_str(&text(value.as_ref()));
        allow_array(env, "mapReduce", all.len())?;
    }
    all.push_str("]]");
    Ok(all)
}

/// Calls `reduce` or `finalize` for every key, many in one call.
fn each(
    context: &CommandContext<'_>,
    functions: &mut Functions,
    verb: &str,
    groups: impl Iterator<Item = Result<String>>,
) -> Result<Vec<Value<'static>>> {
    let (mut results, mut waiting) = (Vec::new(), String::new());
    let mut groups = groups.peekable();
    while let Some(group) = groups.next() {
        if !waiting.is_empty() {
            waiting.push(',');
        }
        waiting.push_str(&group?);
        if waiting.len() > MOST_WAITING || groups.peek().is_none() {
            context.env.checkpoint()?;
            let values = functions.each(context.env, verb, &waiting)?;
            results.extend(values.as_array().iter().map(ValueRef::to_value));
            waiting.clear();
        }
    }
    Ok(results)
}

/// Maps the documents of a run, reduces and finalizes. Gives the results and the counts of the run.
///
/// # Errors
/// Errors that the functions throw, and errors of reading.
pub(in crate::command) fn results(
    context: &CommandContext<'_>,
    parsed: &Parsed<'_>,
    running: Box<dyn Stage>,
    exec: &ExecContext<'_>,
    collation: &Collation,
) -> Result<(Vec<DocumentBuf>, Counts)> {
    let start = context.env.monotonic_millis();
    let elapsed = || context.env.monotonic_millis() - start;
    let mut counts = Counts::default();
    let mut functions = Functions::new(parsed.map, parsed.reduce, parsed.finalize, parsed.scope);
    let groups = Groups {
        collation: collation.clone(),
        ..Groups::default()
    };
    let groups = map(context, running, exec, &mut functions, groups, &mut counts)?;
    counts.mapping_millis = elapsed();
    let pairs = groups.keys.iter().zip(&groups.values);
    let reduced = pairs.map(|(key, values)| reducing(key, values, context.env));
    let mut values = each(context, &mut functions, "reduce", reduced)?;
    counts.reducing_millis = elapsed();
    if parsed.finalize.is_some() {
        let pairs = groups.keys.iter().zip(&values);
        let pairs = pairs.map(|(key, value)| {
            context.env.checkpoint()?;
            Ok(format!("[{},{}]", text(key.as_ref()), text(value.as_ref())))
        });
        values = each(context, &mut functions, "finalize", pairs)?;
    }
    let describe = |(key, value): (&Value<'_>, &Value<'_>)| {
        let mut builder = DocumentBuilder::new();
        builder.append("_id", key.as_ref());
        builder.append("value", value.as_ref());
        builder.finish()
    };
    let found: Vec<_> = groups.keys.iter().zip(&values).map(describe).collect();
    counts.groups = found.len() as u64;
    counts.bytes_held = groups.usage.bytes();
    counts.bytes_given = found.iter().map(|one| one.as_bytes().len()).sum();
    counts.millis = elapsed();
    Ok((found, counts))
}

fn found(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    parsed: &Parsed<'_>,
    compile: &CompileContext<'_>,
) -> Result<Vec<DocumentBuf>> {
    let reading = collections(context, request.database);
    let stages = parsed.stages.as_array();
    let running = reading.open_hinted(parsed.namespace.clone(), stages, None, compile)?;
    let exec = reading.exec_context();
    Ok(results(context, parsed, running, &exec, &compile.collation)?.0)
}

/// The stage that writes the results. Where functions meet stored documents they are called with the scope; `shown` is
/// how a server has them, which knows the scope otherwise.
pub(in crate::command) fn writing_stage(
    parsed: &Parsed<'_>,
    target: &Target<'_>,
    own: &str,
    shown: bool,
) -> DocumentBuf {
    let mut stage = DocumentBuilder::new();
    let database = target.database.unwrap_or(own);
    if target.mode == Mode::Replace {
        stage.begin_document("$out");
        stage
            .append("db", database)
            .append("coll", target.collection);
        stage.end();
        return stage.finish();
    }
    stage.begin_document("$merge");
    stage.begin_document("into");
    stage
        .append("db", database)
        .append("coll", target.collection);
    stage.end();
    stage.append("on", "_id");
    if target.mode == Mode::Merge {
        stage.append("whenMatched", "replace");
    } else {
        stage.begin_array("whenMatched");
        let mut position = 0;
        let mut value = |function: &str, stored: &str, builder: &mut DocumentBuilder| {
            builder.begin_document(&position.to_string());
            position += 1;
            builder.begin_document("$project").begin_document("value");
            builder.begin_document("$function");
            match shown {
                true => builder.append("body", function),
                false => builder.append("body", with_scope(function).as_str()),
            };
            builder.begin_array("args").append("0", "$_id");
            if stored.is_empty() {
                builder.append("1", "$value");
            } else {
                builder.begin_array("1");
                builder.append("0", "$value").append("1", stored).end();
            }
            if !shown {
                builder.begin_document("2");
                builder.append("$literal", parsed.scope).end();
            }
            builder.end().append("lang", "js");
            builder.end().end().end().end();
        };
        value(parsed.reduce, "$$new.value", &mut stage);
        if let Some(finalize) = parsed.finalize {
            value(finalize, "", &mut stage);
        }
        stage.end();
    }
    stage.append("whenNotMatched", "insert").end();
    stage.finish()
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let parsed = parse(context, request)?;
    let compile = parsed.compile(context)?;
    let found = found(context, request, &parsed, &compile).map_err(|error| error.within(WITHIN))?;
    let mut reply = DocumentBuilder::new();
    let Some(target) = &parsed.target else {
        let bytes: usize = found.iter().map(|one| one.as_bytes().len() + 8).sum();
        if bytes > MAX_DOCUMENT_SIZE {
            return Err(CommandError::location(
                10334,
                format!(
                    "BSONObj size: {bytes} is invalid. Size must be between 0 and {MAX_DOCUMENT_SIZE}"
                ),
            ));
        }
        reply.begin_array("results");
        for (position, document) in found.iter().enumerate() {
            reply.push_item(position, document);
        }
        reply.end();
        return Ok(finish_ok(reply));
    };
    context.note_bypass(request);
    let mut stages = ArrayBuilder::new();
    stages.push(&writing_stage(&parsed, target, request.database, false));
    let mut pipeline = Pipeline::compile(stages.finish().as_array(), &compile)?;
    pipeline.prepare(&collections(context, request.database))?;
    let writer = pipeline.take_writer();
    let running = pipeline.start(Box::new(Documents::new(Rc::new(found))));
    if let Some(writer) = writer
        && let Some(reply) =
            pipeline_writes::drain(context, request.database, running, writer, WITHIN)?
    {
        return Ok(reply);
    }
    match target.database {
        None => {
            reply.append("result", target.collection);
        }
        Some(database) => {
            reply.begin_document("result").append("db", database);
            reply.append("collection", target.collection).end();
        }
    }
    Ok(finish_ok(reply))
}
