//! `find`: the documents that match, as a cursor. Manual: reference/command/find.

use super::batch::{self, CursorOptions, DEFAULT_FIRST_BATCH};
use super::explain::{Shown, append_planned};
use super::explain_plan::Wrapper;
use super::prepare::{Prepared, prepare};
use super::read_options;
use super::views;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::{self, Collection};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::params::is_generic;
use crate::command::request::{Request, Unstable};
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::exec::show_record_id::ShowRecordId;
use crate::exec::{Build, Root};
use crate::expr::{CompileContext, MetaKind, Metadata};
use crate::plan::Direction;
use crate::planner::field_range::FieldRange;
use crate::planner::prepared::ReadShape;
use crate::planner::{Hint, QueryRequest, Reader};
use crate::query;
use crate::query::{MatchNode, Matcher, Projection, SortPattern};
use crate::state::CursorKind;
use std::rc::Rc;

/// Its fields that are not of version 1 of the Stable API.
pub(in crate::command) const UNSTABLE: Unstable = Unstable {
    items: None,
    context: "FindCommandRequest",
    fields: &[
        "allowPartialResults",
        "awaitData",
        "max",
        "min",
        "noCursorTimeout",
        "oplogReplay",
        "returnKey",
        "showRecordId",
        "tailable",
    ],
};

/// A `find` command's fields, typed but not compiled.
#[derive(Default)]
struct Fields<'a> {
    /// Whether `read_plain` has read all fields of the command.
    is_plain: bool,
    filter: Document<'a>,
    sort: Document<'a>,
    projection: Document<'a>,
    hint: Option<Hint>,
    min: Document<'a>,
    max: Document<'a>,
    skip: u64,
    limit: u64,
    batch_size: Option<u64>,
    single_batch: bool,
    return_key: bool,
    show_record_id: bool,
    tailable: bool,
    await_data: bool,
    no_timeout: bool,
    allow_disk_use: Option<bool>,
    let_variables: Option<Document<'a>>,
    collation: Option<Document<'a>>,
}

impl<'a> Fields<'a> {
    fn read(&mut self, request: &Request<'a>) -> Result<(), CommandError> {
        match self.read_plain(request) {
            Some(()) => self.is_plain = true,
            None => *self = Self::read_all(request)?,
        }
        Ok(())
    }

    fn read_all(request: &Request<'a>) -> Result<Self, CommandError> {
        let params = request.params_of("FindCommandRequest");
        params.refuse_null("filter", "object")?;
        let fields = Self {
            is_plain: false,
            filter: params.document("filter")?.unwrap_or(Document::EMPTY),
            sort: params.document("sort")?.unwrap_or(Document::EMPTY),
            projection: params.document("projection")?.unwrap_or(Document::EMPTY),
            hint: read_options::hint(params.value("hint"))?,
            min: params.document("min")?.unwrap_or(Document::EMPTY),
            max: params.document("max")?.unwrap_or(Document::EMPTY),
            skip: params.non_negative("skip")?.unwrap_or(0) as u64,
            limit: params.non_negative("limit")?.unwrap_or(0) as u64,
            batch_size: params.non_negative("batchSize")?.map(|size| size as u64),
            single_batch: params.boolean("singleBatch")?.unwrap_or(false),
            return_key: params.boolean("returnKey")?.unwrap_or(false),
            show_record_id: params.boolean("showRecordId")?.unwrap_or(false),
            tailable: params.boolean("tailable")?.unwrap_or(false),
            await_data: params.boolean("awaitData")?.unwrap_or(false),
            no_timeout: params.boolean("noCursorTimeout")?.unwrap_or(false),
            allow_disk_use: params.boolean("allowDiskUse")?,
            let_variables: {
                // A standalone never gives partial results, so the permission changes nothing.
                params.boolean("allowPartialResults")?;
                params.document("let")?
            },
            collation: params.collation()?,
        };
        for unsupported in [
            "$_requestResumeToken",
            "$_resumeAfter",
            "$_startAt",
            "oplogReplay",
            "readOnce",
            "term",
        ] {
            params.refuse(unsupported)?;
        }
        params.finish()?;
        if fields.await_data && !fields.tailable {
            return Err(CommandError::new(
                Code::FailedToParse,
                "Cannot set 'awaitData' without also setting 'tailable'",
            ));
        }
        let same_names = fields.min.len() == fields.max.len()
            && fields
                .min
                .iter()
                .zip(fields.max.iter())
                .all(|(min, max)| min.name == max.name);
        if !fields.min.is_empty() && !fields.max.is_empty() && !same_names {
            return Err(CommandError::location(
                51176,
                "min and max must have the same field names",
            ));
        }
        Ok(fields)
    }

    /// Reads the command that drivers send for most reads, in one walk: a filter, and perhaps a sort, a projection and
    /// how many documents are wanted. `None`: the command has other fields, or one that is refused.
    fn read_plain(&mut self, request: &Request<'a>) -> Option<()> {
        let mut seen = 0_u8;
        for (position, element) in request.document.raw_elements().enumerate() {
            let bit = match (element.name, element.value()) {
                (b"filter", ValueRef::Document(given)) => {
                    self.filter = given;
                    1
                }
                (b"limit", ValueRef::Int32(given)) if given >= 0 => {
                    self.limit = given as u64;
                    2
                }
                (b"singleBatch", ValueRef::Boolean(given)) => {
                    self.single_batch = given;
                    4
                }
                (b"batchSize", ValueRef::Int32(given)) if given >= 0 => {
                    self.batch_size = Some(given as u64);
                    8
                }
                (b"sort", ValueRef::Document(given)) => {
                    self.sort = given;
                    16
                }
                (b"projection", ValueRef::Document(given)) => {
                    self.projection = given;
                    32
                }
                (b"$db", _) => 0,
                _ if position == 0 => 0,
                (name, _) if is_generic(name) => 0,
                _ => return None,
            };
            // A field given twice is refused elsewhere.
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
        }
        Some(())
    }

    /// The shape by which the plan of a plain request may be known.
    fn shape(&self) -> Option<ReadShape<'a>> {
        if !self.is_plain {
            return None;
        }
        let (range, sort) = (FieldRange::of(self.filter), self.sort);
        ReadShape::of(range, sort, self.projection, self.limit(), self.reader())
    }

    /// The projection of a request whose plan is known, which asks nothing of the filter.
    fn known_projection(
        &self,
        context: &CommandContext<'_>,
        namespace: &str,
    ) -> Result<Option<Rc<Projection>>, CommandError> {
        if self.projection.is_empty() {
            return Ok(None);
        }
        let compile = context.compile_for(namespace, None, None)?;
        let all = Matcher::from_node(MatchNode::AlwaysTrue);
        let projection = Projection::compile(self.projection, &all, &compile)?;
        Ok(Some(Rc::new(projection)))
    }

    fn limit(&self) -> Option<u64> {
        (self.limit > 0).then_some(self.limit)
    }

    fn reader(&self) -> Reader {
        match self.batch_size {
            Some(_) => Reader::SizedBatches,
            None => Reader::Query,
        }
    }

    fn kind(&self) -> CursorKind {
        match self.tailable {
            true => CursorKind::Tailable {
                await_data: self.await_data,
            },
            false => CursorKind::Plain,
        }
    }

    /// Compiles the query.
    fn query(
        &self,
        context: &CommandContext<'_>,
        namespace: &str,
    ) -> Result<QueryRequest, CommandError> {
        let compile = context.compile_for(namespace, self.let_variables, self.collation)?;
        let matcher = Rc::new(Matcher::compile_query(self.filter, &compile)?);
        let (hint, sort) = compile_order(self.hint.clone(), self.sort, &compile)?;
        let projection = match self.projection.is_empty() {
            true => None,
            false => Some(Projection::compile(self.projection, &matcher, &compile)?),
        };
        check_metadata(&compile, projection.as_ref(), self.sort.is_empty())?;
        let projection = projection.map(Rc::new);
        Ok(QueryRequest {
            reader: self.reader(),
            sort,
            projection,
            skip: self.skip,
            limit: self.limit(),
            hint,
            min: self.min.to_buf(),
            max: self.max.to_buf(),
            return_key: self.return_key,
            show_record_id: self.show_record_id,
            tailable: self.tailable,
            allow_disk_use: self.allow_disk_use.unwrap_or(true),
            metadata: Metadata::take_wanted(&compile.metadata),
            settings: compile.query_settings,
            ..QueryRequest::filter(matcher)
        })
    }
}

/// The collection or view that a `find` reads, if there is one of that name.
fn named<'c>(
    context: &'c CommandContext<'_>,
    namespace: &str,
) -> Result<Option<&'c Rc<Collection>>, CommandError> {
    let named = context.view().catalog.named(namespace);
    if named.is_none() {
        // The name of a collection that exists was checked when it was made.
        catalog::names::check_namespace(namespace)?;
    }
    Ok(named)
}

/// Appends how a `find` would be run.
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
        let aggregate = views::find_as_aggregate(request.document)?;
        return views::explain(context, request, &aggregate, verbosity, reply);
    }
    let (namespace, query) = parse(context, request)?;
    append_planned(context, &namespace, query, Wrapper::None, verbosity, reply)
}

/// Checks a `find` that stands for all of its shape.
///
/// # Errors
/// Those of `parse`.
pub(in crate::command) fn check_shape(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<Option<&'static str>, CommandError> {
    parse(context, request).map(|_| None)
}

/// Reads and compiles a `find`, to be explained: its namespace and query.
///
/// # Errors
/// Unknown and mistyped fields, and errors of filter, sort and projection.
pub fn parse(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(String, QueryRequest), CommandError> {
    let namespace = request.namespace()?;
    let named = named(context, &namespace)?;
    let mut fields = Fields::default();
    fields.read(request)?;
    check_tailable(named, &namespace, &fields)?;
    let query = fields.query(context, &namespace)?;
    Ok((namespace, query))
}

/// Compiles a sort beside a hint: `{$natural: ±1}` is no sort but the hint to scan that way.
///
/// # Errors
/// Errors of the sort language, and a `$natural` that contradicts the hint.
pub fn compile_order(
    hint: Option<Hint>,
    sort: Document<'_>,
    compile: &CompileContext<'_>,
) -> Result<(Option<Hint>, Option<Rc<SortPattern>>), CommandError> {
    Ok(match query::sort::natural(sort)? {
        Some(backward) => (Some(natural_hint(hint, backward)?), None),
        None => (hint, compile_sort(sort, compile)?),
    })
}

/// Refuses a `$meta` that asks for metadata no query here has, and a sort key where the sort compares keys that are no
/// values, or, of the read's own projection, where nothing sorts.
///
/// # Errors
/// 40218, `BadValue` and `NotImplemented`.
pub fn check_metadata(
    compile: &CompileContext<'_>,
    projection: Option<&Projection>,
    is_unsorted: bool,
) -> Result<(), CommandError> {
    let metadata = compile.metadata.borrow();
    let Some(metadata) = &*metadata else {
        return Ok(());
    };
    metadata.check_available()?;
    let asks = |projection: &Projection| projection.asks(&|kind| kind == MetaKind::SORT_KEY.name());
    if is_unsorted && projection.is_some_and(asks) {
        return Err(CommandError::new(
            Code::BadValue,
            "cannot use sortKey $meta projection without a sort",
        ));
    }
    if !is_unsorted && metadata.wants(MetaKind::SORT_KEY) && !compile.collation.is_simple() {
        return Err(CommandError::new(
            Code::NotImplemented,
            "Projecting $meta \"sortKey\" with a collation is not supported",
        ));
    }
    Ok(())
}

/// The hint that a sort by `$natural` is, which no other hint may contradict.
///
/// # Errors
/// `BadValue` beside a hint of an index.
pub fn natural_hint(hint: Option<Hint>, backward: bool) -> Result<Hint, CommandError> {
    let direction = if backward {
        Direction::Backward
    } else {
        Direction::Forward
    };
    match hint {
        None | Some(Hint::Natural(_)) => Ok(Hint::Natural(direction)),
        Some(_) => Err(CommandError::new(
            Code::BadValue,
            "error processing query: $natural sort cannot be set together with a hint",
        )),
    }
}

/// Compiles a sort; an empty one is none.
///
/// # Errors
/// Errors of the sort language.
pub fn compile_sort(
    spec: Document<'_>,
    compile: &CompileContext<'_>,
) -> Result<Option<Rc<SortPattern>>, CommandError> {
    if spec.is_empty() {
        return Ok(None);
    }
    let pattern = SortPattern::compile(spec)?.with_collation(&compile.collation);
    Ok(Some(Rc::new(pattern.with_metadata(&compile.metadata))))
}

fn check_tailable(
    named: Option<&Rc<Collection>>,
    namespace: &str,
    fields: &Fields<'_>,
) -> Result<(), CommandError> {
    if !fields.tailable {
        return Ok(());
    }
    let sort = fields.sort;
    if !sort.is_empty() && (sort.len() > 1 || sort.get("$natural").as_exact_i64() != Some(1)) {
        return Err(CommandError::new(
            Code::BadValue,
            "cannot use tailable option with a sort other than {$natural: 1}",
        ));
    }
    if fields.single_batch {
        return Err(CommandError::new(
            Code::BadValue,
            "cannot use tailable option with the 'singleBatch' option",
        ));
    }
    match named {
        Some(collection) => collection.options.kind.rules().check_tailable(namespace),
        None => Ok(()),
    }
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    let named = named(context, &namespace)?;
    let mut fields = Fields::default();
    fields.read(request)?;
    if named.is_some_and(|named| !named.has_documents()) {
        return views::run_find(context, request);
    }
    check_tailable(named, &namespace, &fields)?;
    let (shape, exec) = (fields.shape(), context.exec_context());
    let shape = shape.filter(|_| context.query_settings.is_none());
    let is_empty = named.is_none_or(|named| named.count() == 0);
    let catalog = context.view().catalog;
    let mut read = prepare(
        catalog,
        &exec,
        &namespace,
        named,
        shape.as_ref(),
        &mut || fields.query(context, &namespace),
    )?;
    // Like the server's, a tailable cursor over nothing does not stay: it has no place to go on from.
    let kind = match is_empty {
        true => CursorKind::Plain,
        false => fields.kind(),
    };
    let wanted = fields.batch_size.unwrap_or(DEFAULT_FIRST_BATCH);
    if let Prepared::Known(known) = &mut read {
        known.projection = fields.known_projection(context, &namespace)?;
    }
    let mut root = read.start(&exec, Build::wanting(wanted));
    // The server puts the RecordId into the projection, which a `returnKey` leaves out.
    if fields.show_record_id && !fields.return_key {
        root = Root::Stage(Box::new(ShowRecordId::new(root.boxed())));
    }
    let reply = batch::first_batch(
        context,
        root,
        request,
        CursorOptions {
            namespace,
            batch_size: fields.batch_size,
            single_batch: fields.single_batch,
            kind,
            stream: None,
            no_timeout: fields.no_timeout,
            running: "Executor error during find command: ",
        },
    )?;
    Ok(finish_ok(reply))
}
