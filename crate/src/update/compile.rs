//! `Update`: a compiled update of any of the three kinds.
//!
//! Follows the manual's "Update Operators" and "Updates with Aggregation Pipeline". Invariants:
//! `_id` never changes once a document has one, and is its first field; an updated document is within
//! 16 MiB.

use super::apply::Application;
use super::array_filter::{self, ArrayFilter};
use super::dollar_names;
use super::errors::{ensure_storable_id, fail, too_deep, too_large};
use super::operator::{Argument, RenameSource, depth};
use super::path::{self, Part};
use super::table;
use super::tree::{Fields, Node};
use crate::bson::document::RawElement;
use crate::bson::timestamp;
use crate::bson::{
    Array, Document, DocumentBuf, MAX_DOCUMENT_SIZE, MAX_NESTING, ValueRef, values_equal,
};
use crate::catalog::ModifiedPaths;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::storage::LogicalClock;

/// A pipeline that turns a document into another; the aggregation layer, which this one may not name,
/// compiles it.
pub trait PipelineUpdate {
    /// The document after all stages.
    fn apply(&self, document: Document<'_>, env: &dyn Env) -> Result<DocumentBuf, CommandError>;
}

/// The context of applying an update, beside the document.
pub struct ApplyContext<'e> {
    pub env: &'e dyn Env,
    /// The command's time.
    pub now_millis: i64,
    pub timestamps: &'e LogicalClock,
    /// The array item of the positional `$`: `MatchDetails::array_index` of the query's match.
    pub array_index: Option<u32>,
    /// Whether the document is about to be inserted (`$setOnInsert`).
    pub is_insert: bool,
}

impl<'e> ApplyContext<'e> {
    /// For a stored document whose filter found no array item.
    pub fn new(env: &'e dyn Env, now_millis: i64, timestamps: &'e LogicalClock) -> Self {
        Self {
            env,
            now_millis,
            timestamps,
            array_index: None,
            is_insert: false,
        }
    }
}

/// Buffers that applying updates reuses.
#[derive(Debug, Default)]
pub struct UpdateScratch {
    output: Vec<u8>,
    path: String,
}

enum Kind {
    Operators {
        fields: Fields,
        filters: Vec<ArrayFilter>,
    },
    Replacement {
        document: DocumentBuf,
        /// Why a document that is there may not become it; the document of an upsert may.
        refused: Option<CommandError>,
    },
    Pipeline(Box<dyn PipelineUpdate>),
}

/// A compiled update.
pub struct Update {
    kind: Kind,
    modified: Option<ModifiedPaths>,
    needs_array_index: bool,
    touches_id: bool,
}

impl Update {
    /// Compiles operators (`{$set: …}`) or a replacement. A pipeline (an array) comes through
    /// `from_pipeline`.
    ///
    /// # Errors
    /// 9 `FailedToParse` for unknown operators, 40 `ConflictingUpdateOperators`, 2 `BadValue` and
    /// others for operands.
    pub fn compile(
        spec: Document<'_>,
        array_filters: Option<Array<'_>>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        let first = spec.raw_elements().next();
        match first {
            Some(first) if first.name.starts_with(b"$") => {
                Self::operators(spec, array_filters.unwrap_or(Array::EMPTY), context)
            }
            _ if array_filters.is_some_and(|filters| !filters.is_empty()) => fail(
                Code::FailedToParse,
                "arrayFilters may not be specified for replacement-style updates",
            ),
            _ => Self::replacement(spec),
        }
    }

    /// An update by a compiled pipeline.
    pub fn from_pipeline(pipeline: Box<dyn PipelineUpdate>) -> Self {
        Self::of(Kind::Pipeline(pipeline))
    }

    fn of(kind: Kind) -> Self {
        Self {
            kind,
            modified: None,
            needs_array_index: false,
            touches_id: true,
        }
    }

    fn replacement(spec: Document<'_>) -> Result<Self, CommandError> {
        ensure_storable_id(spec.get("_id"))?;
        check_nesting(spec)?;
        let mut update = Self::of(Kind::Replacement {
            document: spec.to_buf(),
            refused: dollar_names::check_all(spec).err(),
        });
        update.modified = Some(ModifiedPaths::WHOLE);
        Ok(update)
    }

    fn operators(
        spec: Document<'_>,
        array_filters: Array<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        let filters = array_filter::compile(array_filters, context)?;
        let mut compiler = Compiler {
            fields: Fields::default(),
            used: vec![false; filters.len()],
            filters: &filters,
            modified: ModifiedPaths::default(),
            needs_array_index: false,
            context,
        };
        for element in spec.iter() {
            let Some(row) = table::find(element.name) else {
                return fail(
                    Code::FailedToParse,
                    format!(
                        "Unknown modifier: {}. Expected a valid update modifier or pipeline-style update \
                         specified as an array",
                        element.name
                    ),
                );
            };
            let ValueRef::Document(arguments) = element.value else {
                return fail(
                    Code::FailedToParse,
                    format!(
                        "Modifiers operate on fields but we found type {} instead. For example: {{$mod: \
                         {{<field>: ...}}}} not {{{}: {}}}",
                        element.value.type_name(),
                        element.name,
                        element.value
                    ),
                );
            };
            for argument in arguments.iter() {
                compiler.argument(row, argument.name, argument.value)?;
            }
        }
        let Compiler {
            fields,
            used,
            modified,
            needs_array_index,
            ..
        } = compiler;
        if let Some(unused) = used.iter().position(|used| !used) {
            return fail(
                Code::FailedToParse,
                format!(
                    "The array filter for identifier '{}' was not used in the update {spec}",
                    filters[unused].identifier
                ),
            );
        }
        let is_id = |part: &Part| matches!(part, Part::Name { name, .. } if &**name == "_id");
        let touches_id = fields.children.iter().any(|child| is_id(&child.part));
        Ok(Self {
            kind: Kind::Operators { fields, filters },
            modified: Some(modified),
            needs_array_index,
            touches_id,
        })
    }

    /// The paths that may change; `None` when any may (a pipeline).
    pub fn modified_paths(&self) -> Option<&ModifiedPaths> {
        self.modified.as_ref()
    }

    /// Whether the positional `$` is used, so that the match must tell its array item.
    pub fn needs_array_index(&self) -> bool {
        self.needs_array_index
    }

    /// Whether the update replaces the whole document, which `multi` does not allow.
    pub fn is_replacement(&self) -> bool {
        matches!(self.kind, Kind::Replacement { .. })
    }

    /// The document after the update; `None` when nothing changes.
    ///
    /// # Errors
    /// Errors of the operators; 66 `ImmutableField` for a changed `_id`; 17419 for a document beyond
    /// 16 MiB.
    pub fn apply<'s>(
        &self,
        document: Document<'_>,
        context: &ApplyContext<'_>,
        scratch: &'s mut UpdateScratch,
    ) -> Result<Option<Document<'s>>, CommandError> {
        context.env.checkpoint()?;
        let UpdateScratch { output, path } = scratch;
        output.clear();
        output.reserve(document.as_bytes().len() + 64);
        path.clear();
        let changed = match &self.kind {
            Kind::Operators { fields, filters } => {
                let mut application = Application {
                    document,
                    context,
                    filters,
                    matched: context
                        .array_index
                        .filter(|_| self.needs_array_index)
                        .map(|index| (index.to_string(), index as usize)),
                    uses_matched: self.needs_array_index,
                    path: std::mem::take(path),
                    dollar_names: Vec::new(),
                    changed: false,
                };
                application.run(fields, output)?;
                let changed = application.changed;
                *path = application.path;
                if !context.is_insert {
                    let written = Document::from_valid_bytes(output);
                    for name in &application.dollar_names {
                        dollar_names::check(written, name)?;
                    }
                }
                if changed && self.touches_id {
                    check_id(document, Document::from_valid_bytes(output), fields)?;
                }
                changed
            }
            Kind::Replacement {
                document: replacement,
                refused,
            } => {
                if let (Some(error), false) = (refused, context.is_insert) {
                    return Err(error.clone());
                }
                let filled = fill_timestamps(replacement.as_document(), context);
                let replacement = filled.as_ref().unwrap_or(replacement);
                replace(document, replacement.as_document(), output)?
            }
            Kind::Pipeline(pipeline) => {
                let result = pipeline.apply(document, context.env)?;
                ensure_storable_id(result.get("_id"))?;
                check_nesting(result.as_document())?;
                replace(document, result.as_document(), output)?
            }
        };
        if !changed {
            return Ok(None);
        }
        if output.len() > MAX_DOCUMENT_SIZE {
            return Err(too_large());
        }
        Ok(Some(Document::from_valid_bytes(output)))
    }
}

struct Compiler<'c> {
    fields: Fields,
    filters: &'c [ArrayFilter],
    used: Vec<bool>,
    modified: ModifiedPaths,
    needs_array_index: bool,
    context: &'c CompileContext<'c>,
}

impl Compiler<'_> {
    fn argument(
        &mut self,
        row: &table::UpdateOperatorRow,
        path: &str,
        value: ValueRef<'_>,
    ) -> Result<(), CommandError> {
        let appends = matches!(row.name, "$push" | "$addToSet");
        let parts = self.parse(path, appends)?;
        let operator = (row.compile)(&Argument {
            path,
            value,
            context: self.context,
        })?;
        // An appended item lies one array deeper.
        if parts.len() + usize::from(appends) + depth(value) > MAX_NESTING {
            return Err(too_deep());
        }
        match value {
            ValueRef::String(target) if row.name == "$rename" => {
                self.fields.insert(path, parts, Box::new(RenameSource))?;
                let target = target.checked()?;
                let target_parts = self.parse(target, false)?;
                self.fields.insert(target, target_parts, operator)
            }
            _ => self.fields.insert(path, parts, operator),
        }
    }

    fn parse(&mut self, path: &str, appends: bool) -> Result<Vec<Part>, CommandError> {
        let parts = path::parse(path, &mut |identifier| {
            let found = self
                .filters
                .iter()
                .position(|filter| *filter.identifier == *identifier)?;
            self.used[found] = true;
            Some(found)
        })?;
        self.needs_array_index |= parts.contains(&Part::Matched);
        if parts.iter().all(|part| matches!(part, Part::Name { .. })) {
            self.modified.push(path, None, appends);
            return Ok(parts);
        }
        // Positions do not count for indexes, so those that are not known yet are left out.
        let names: Vec<&str> = parts
            .iter()
            .filter_map(|part| match part {
                Part::Name { name, .. } => Some(&**name),
                _ => None,
            })
            .collect();
        self.modified.push(&names.join("."), Some(path), appends);
        Ok(parts)
    }
}

/// Refuses a document that nests too deep to be stored.
pub(super) fn check_nesting(document: Document<'_>) -> Result<(), CommandError> {
    match depth(ValueRef::Document(document)) <= MAX_NESTING {
        true => Ok(()),
        false => Err(too_deep()),
    }
}

/// Gives top-level timestamps of zero the current time, as the server does when it stores them; `None` when
/// there are none.
fn fill_timestamps(document: Document<'_>, context: &ApplyContext<'_>) -> Option<DocumentBuf> {
    let is_filled = |name: &str, value| name != "_id" && timestamp::is_unset(value);
    if !document
        .iter()
        .any(|element| is_filled(element.name, element.value))
    {
        return None;
    }
    let mut builder = crate::bson::DocumentBuilder::new();
    for element in document.iter() {
        if is_filled(element.name, element.value) {
            builder.append(element.name, context.timestamps.next(context.now_millis));
        } else {
            builder.append_raw(element.raw);
        }
    }
    Some(builder.finish())
}

fn id_element(document: Document<'_>) -> Option<RawElement<'_>> {
    document
        .raw_elements()
        .find(|element| element.name == b"_id")
}

/// Refuses an operator's change of an `_id` that was there.
fn check_id(old: Document<'_>, new: Document<'_>, fields: &Fields) -> Result<(), CommandError> {
    let new_id = id_element(new);
    let Some(old_id) = id_element(old) else {
        return match new_id {
            Some(id) => ensure_storable_id(id.value()),
            None => Ok(()),
        };
    };
    if new_id.is_some_and(|id| id.raw == old_id.raw) {
        return Ok(());
    }
    let below = fields
        .children
        .iter()
        .find(|child| matches!(&child.part, Part::Name { name, .. } if &**name == "_id"))
        .map_or(String::new(), |child| match &child.node {
            Node::Leaf(_) => String::new(),
            node => node.first_leaf_path(),
        });
    fail(
        Code::ImmutableField,
        format!(
            "Performing an update on the path '_id{below}' would modify the immutable field '_id'"
        ),
    )
}

/// Writes a replacement with `_id` in front, the old document's if need be. Whether that counts as a
/// change: as on the server, only a replacement that is the old document byte for byte does not.
fn replace(
    old: Document<'_>,
    replacement: Document<'_>,
    output: &mut Vec<u8>,
) -> Result<bool, CommandError> {
    let old_id = id_element(old);
    let new_id = id_element(replacement);
    if let (Some(old_id), Some(new_id)) = (&old_id, &new_id)
        && !values_equal(old_id.value(), new_id.value())
    {
        return fail(
            Code::ImmutableField,
            format!(
                "After applying the update, the (immutable) field '_id' was found to have been altered to \
                 _id: {}",
                new_id.value()
            ),
        );
    }
    output.extend_from_slice(&[0; 4]);
    if let Some(id) = new_id.or(old_id) {
        output.extend_from_slice(id.raw);
    }
    for element in replacement.raw_elements() {
        if element.name != b"_id" {
            output.extend_from_slice(element.raw);
        }
    }
    output.push(0);
    let length = output.len() as u32;
    output[..4].copy_from_slice(&length.to_le_bytes());
    Ok(replacement.as_bytes() != old.as_bytes())
}
