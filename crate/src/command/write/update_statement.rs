//! The statements of an update: the items of `updates`, and how they are compiled.
//!
//! Example: `{q: {name: "mint"}, u: {$inc: {n: 1}}, multi: true}`. Commands differ in the names of these fields
//! (`FieldNames`), and share all the rest.

use super::update_pipeline;
use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::command::read::find::compile_order;
use crate::command::read::read_options;
use crate::command::request::Params;
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, Metadata};
use crate::planner::prepared::ReadShape;
use crate::planner::{Hint, QueryRequest, Reader};
use crate::query::Matcher;
use crate::storage::Direction;
use crate::update::Update;
use std::rc::Rc;

/// One statement, read but not compiled.
pub struct Statement<'a> {
    query: Document<'a>,
    update: ValueRef<'a>,
    array_filters: Option<Array<'a>>,
    constants: Option<Document<'a>>,
    sort: Document<'a>,
    pub(super) upsert: bool,
    /// Whether an upsert stores `c.new` as it is: `$merge` asks for that.
    upsert_supplied: bool,
    pub(super) multi: bool,
    hint: Option<Hint>,
    pub collation: Option<Document<'a>>,
}

/// The names that a command has for the fields of a statement.
pub struct FieldNames {
    pub query: &'static str,
    pub update: &'static str,
    pub constants: &'static str,
}

pub const UPDATE_FIELDS: FieldNames = FieldNames {
    query: "q",
    update: "u",
    constants: "c",
};

/// A compiled update with the query that finds its documents.
pub struct PlannedUpdate {
    pub query: QueryRequest,
    pub update: Update,
    pub upsert: bool,
    pub multi: bool,
}

/// Compiles an update of any kind.
///
/// # Errors
/// 9 `FailedToParse` for another type; errors of the update language and the pipeline's stages.
pub fn compile_update(
    update: ValueRef<'_>,
    array_filters: Option<Array<'_>>,
    constants: Option<Document<'_>>,
    compile: &CompileContext<'_>,
) -> Result<Update, CommandError> {
    match update {
        ValueRef::Document(spec) => Update::compile(spec, array_filters, compile),
        ValueRef::Array(_) if array_filters.is_some_and(|filters| !filters.is_empty()) => {
            Err(CommandError::new(
                Code::FailedToParse,
                "arrayFilters may not be specified for pipeline-syle updates",
            ))
        }
        ValueRef::Array(stages) => update_pipeline::compile(stages, constants, compile),
        _ => Err(CommandError::new(
            Code::FailedToParse,
            "Update argument must be either an object or an array",
        )),
    }
}

impl<'a> Statement<'a> {
    pub(super) fn parse(statement: Document<'a>) -> Result<Self, CommandError> {
        if let Some(plain) = Self::parse_plain(statement) {
            return Ok(plain);
        }
        let params = Params::new(statement, "update.updates", None);
        let parsed = Self::read(&params, &UPDATE_FIELDS)?;
        params.finish()?;
        Ok(parsed)
    }

    /// Reads the statement that drivers send for most updates, in one walk: a query, an update, and perhaps `upsert`
    /// and `multi`. `None`: a statement with other fields, or with one to be refused.
    fn parse_plain(statement: Document<'a>) -> Option<Self> {
        let (mut query, mut update) = (None, None);
        let (mut upsert, mut multi) = (None, None);
        for element in statement.raw_elements() {
            // A field given twice is refused elsewhere.
            let is_second = match (element.name, element.value()) {
                (b"q", ValueRef::Document(given)) => query.replace(given).is_some(),
                (b"u", given @ ValueRef::Document(_)) => update.replace(given).is_some(),
                (b"upsert", ValueRef::Boolean(given)) => upsert.replace(given).is_some(),
                (b"multi", ValueRef::Boolean(given)) => multi.replace(given).is_some(),
                _ => true,
            };
            if is_second {
                return None;
            }
        }
        Some(Self {
            query: query?,
            update: update?,
            array_filters: None,
            constants: None,
            sort: Document::EMPTY,
            upsert: upsert.unwrap_or(false),
            upsert_supplied: false,
            multi: multi.unwrap_or(false),
            hint: None,
            collation: None,
        })
    }

    /// Reads the fields, which not every command gives the same names.
    ///
    /// # Errors
    /// Mistyped fields and combinations that make no sense; `Params::finish` is the caller's.
    pub fn read(params: &Params<'a>, names: &FieldNames) -> Result<Self, CommandError> {
        let query = params.required_document(names.query)?;
        let update = match params.value(names.update) {
            ValueRef::Missing => {
                params.lack(names.update);
                ValueRef::Array(Array::EMPTY)
            }
            update @ (ValueRef::Document(_) | ValueRef::Array(_)) => update,
            _ => {
                return Err(CommandError::new(
                    Code::FailedToParse,
                    "Update argument must be either an object or an array",
                ));
            }
        };
        let parsed = Self {
            query,
            update,
            array_filters: params.documents("arrayFilters")?,
            constants: params.document(names.constants)?,
            sort: params.document("sort")?.unwrap_or(Document::EMPTY),
            upsert: params.boolean("upsert")?.unwrap_or(false),
            upsert_supplied: params.boolean("upsertSupplied")?.unwrap_or(false),
            multi: params.boolean("multi")?.unwrap_or(false),
            hint: read_options::hint(params.value("hint"))?,
            collation: params.collation()?,
        };
        if parsed.constants.is_some() && parsed.update.as_array().is_none() {
            return Err(CommandError::location(
                51198,
                "Constant values may only be specified for pipeline updates",
            ));
        }
        if parsed.upsert_supplied && parsed.supplied().is_none() {
            return Err(CommandError::new(
                Code::FailedToParse,
                "upsertSupplied takes an upsert by a pipeline, and the document as c.new",
            ));
        }
        Ok(parsed)
    }

    /// The statement as a client may have written it.
    pub(super) fn to_document(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        builder.append("q", self.query).append("u", self.update);
        if let Some(filters) = self.array_filters {
            builder.append("arrayFilters", filters);
        }
        if !self.sort.is_empty() {
            builder.append("sort", self.sort);
        }
        builder
            .append("upsert", self.upsert)
            .append("multi", self.multi);
        match &self.hint {
            None => {}
            Some(Hint::Name(name)) => {
                builder.append("hint", name.as_str());
            }
            Some(Hint::KeyPattern(key)) => {
                builder.append("hint", key);
            }
            Some(Hint::Natural(direction)) => {
                let number = if *direction == Direction::Forward {
                    1
                } else {
                    -1
                };
                builder
                    .begin_document("hint")
                    .append("$natural", number)
                    .end();
            }
        }
        if let Some(collation) = self.collation {
            builder.append("collation", collation);
        }
        builder.finish()
    }

    /// Refuses a pipeline with an element that is no stage.
    ///
    /// # Errors
    /// 40323 and 40324.
    pub(super) fn check_stages(&self) -> Result<(), CommandError> {
        match self.update {
            ValueRef::Array(stages) => update_pipeline::check_stages(stages),
            _ => Ok(()),
        }
    }

    /// The document that an upsert is to store as it is.
    pub(super) fn supplied(&self) -> Option<Document<'a>> {
        if !self.upsert || !self.upsert_supplied {
            return None;
        }
        self.constants?.get("new").as_document()
    }

    /// The update itself, and whether it may be one of several documents.
    pub(super) fn compile_update(
        &self,
        compile: &CompileContext<'_>,
    ) -> Result<Update, CommandError> {
        if self.multi && !self.sort.is_empty() {
            return Err(CommandError::new(
                Code::FailedToParse,
                "Cannot specify sort with multi=true",
            ));
        }
        let update = compile_update(self.update, self.array_filters, self.constants, compile)?;
        if self.multi && update.is_replacement() {
            return Err(CommandError::new(
                Code::FailedToParse,
                "multi update is not supported for replacement-style update",
            ));
        }
        Ok(update)
    }

    /// The shape by which the plan may be known.
    pub(super) fn shape(&self) -> Option<ReadShape<'a>> {
        let is_plain = self.sort.is_empty() && self.hint.is_none() && self.collation.is_none();
        ReadShape::of_write(self.query, self.reader()).filter(|_| is_plain)
    }

    fn reader(&self) -> Reader {
        match self.upsert {
            true => Reader::Upsert,
            false => Reader::Write,
        }
    }

    /// Compiles the update and the query that finds its documents.
    ///
    /// # Errors
    /// Errors of filter, sort, hint and update.
    pub fn compile(&self, compile: &CompileContext<'_>) -> Result<PlannedUpdate, CommandError> {
        Ok(PlannedUpdate {
            update: self.compile_update(compile)?,
            query: self.compile_query(compile)?,
            upsert: self.upsert,
            multi: self.multi,
        })
    }

    pub(super) fn compile_query(
        &self,
        compile: &CompileContext<'_>,
    ) -> Result<QueryRequest, CommandError> {
        let matcher = Rc::new(Matcher::compile_query(self.query, compile)?);
        let (hint, sort) = compile_order(self.hint.clone(), self.sort, compile)?;
        let metadata = Metadata::take_wanted(&compile.metadata);
        metadata
            .as_ref()
            .map_or(Ok(()), |held| held.check_available())?;
        Ok(QueryRequest {
            // Without a sort the plan has no limit of its own: it is run until the first row.
            limit: sort.is_some().then_some(1),
            sort,
            hint,
            reader: self.reader(),
            metadata,
            ..QueryRequest::filter(matcher)
        })
    }
}
