//! `$lookup`: documents of another collection joined into an array.
//!
//! Follows the manual's "$lookup" page: by equality, by a pipeline with variables, or both.
//! Invariant: the joined pipeline is planned anew for each document with its values in place, so that
//! an index on the foreign field is used; one that depends on nothing runs once. A `$unwind` of the joined array and a
//! filter on its items may be part of the stage, which then gives one document for each item.

use super::super::filters;
use super::super::kept::Kept;
use super::super::stage::{Flow, Following, Part, StagePlan, first_of, paths_touch};
use super::foreign;
use super::lookup_stage::LookupStage;
use super::unwind::UnwindPlan;
use crate::bson::{ArrayBuf, ArrayBuilder, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::exec::Stage;
use crate::expr::{Carried, CompileContext, Dependencies, Expression, FieldPath};
use crate::query::MatchNode;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$lookup`.
pub struct LookupPlan {
    pub(super) from: String,
    pub(super) database: Option<String>,
    pub(super) join: Option<(FieldPath, FieldPath)>,
    pub(super) variables: Vec<(String, Expression)>,
    pub(super) pipeline: ArrayBuf,
    has_pipeline: bool,
    pub(super) output: FieldPath,
    /// The command's own variables.
    pub(super) constants: Vec<(String, Value<'static>)>,
    pub(super) collation: Collation,
    /// The `$unwind` of the joined array that followed.
    pub(super) unwinding: Option<Unwinding>,
    /// The filter of the `$match` behind, as far as it asks for the joined documents.
    pub(super) filter: Option<MatchNode>,
    /// The fields of the input's documents that are read later; `None` for all.
    pub(super) own: Option<Kept>,
    /// The fields of the joined documents that are read later; `None` for all.
    pub(super) foreign: Option<Kept>,
    /// Whether expressions alone read the kept paths, and of no more than one joined document: then only the values at
    /// these paths are copied, and no document is written.
    pub(super) by_ends: bool,
    /// Whether the joined documents are bound to their path, and nothing written.
    pub(super) binds: bool,
    /// Whether each document is joined when it is come to, because more than documents is known of rows.
    pub(super) one_by_one: bool,
}

/// A `$unwind` within the stage.
pub(super) struct Unwinding {
    pub index: Option<FieldPath>,
    pub preserve: bool,
}

fn parse_error(message: String) -> CommandError {
    CommandError::new(Code::FailedToParse, message)
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(fields) = specification else {
        return Err(parse_error(format!(
            "the $lookup specification must be an object, but found {}",
            specification.type_name()
        )));
    };
    let mut from = None;
    let (mut local, mut other, mut output) = (None, None, None);
    let mut variables = Vec::new();
    let mut pipeline = None;
    for field in fields.iter() {
        match field.name {
            "from" => from = Some(foreign::namespace("$lookup", field.value)?),
            "localField" | "foreignField" if is_unset(field.value) => {}
            "localField" => local = Some(text(field.name, field.value)?),
            "foreignField" => other = Some(text(field.name, field.value)?),
            "as" => output = Some(text(field.name, field.value)?),
            "let" => variables = foreign::variables("$lookup", field.value, context)?,
            "pipeline" => {
                let ValueRef::Array(stages) = field.value else {
                    return Err(CommandError::new(
                        Code::TypeMismatch,
                        "'pipeline' option must be specified as an array",
                    ));
                };
                pipeline = Some(stages);
            }
            unknown => {
                return Err(parse_error(format!(
                    "unknown argument to $lookup: {unknown}"
                )));
            }
        }
    }
    let Some(output) = output else {
        return Err(parse_error(
            "must specify 'as' field for a $lookup".to_owned(),
        ));
    };
    let output = FieldPath::parse(output)?;
    if local.is_some() != other.is_some() {
        return Err(parse_error(
            "$lookup requires both or neither of 'localField' and 'foreignField' to be specified"
                .to_owned(),
        ));
    }
    if local.is_none() && pipeline.is_none() {
        return Err(parse_error(
            "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be \
             specified"
                .to_owned(),
        ));
    }
    if pipeline.is_none() && !variables.is_empty() {
        return Err(parse_error(
            "$lookup with a 'let' argument must also specify 'pipeline'".to_owned(),
        ));
    }
    let stages = pipeline.unwrap_or(crate::bson::Array::EMPTY);
    foreign::check(stages, "$lookup", &variables, context)?;
    let (database, from) = match from {
        Some(from) => from,
        None if pipeline.is_some() => {
            foreign::check_without_collection("$lookup", stages)?;
            (None, String::new())
        }
        None => {
            return Err(parse_error(
                "must specify 'pipeline' when 'from' is empty".to_owned(),
            ));
        }
    };
    let join = match (local, other) {
        (Some(local), Some(other)) => Some((FieldPath::parse(local)?, FieldPath::parse(other)?)),
        _ => None,
    };
    Ok(vec![Box::new(LookupPlan {
        from,
        database,
        join,
        variables,
        pipeline: stages.to_buf(),
        has_pipeline: pipeline.is_some(),
        output,
        constants: context.constants.clone(),
        unwinding: None,
        filter: None,
        collation: context.collation.clone(),
        own: None,
        foreign: None,
        by_ends: false,
        one_by_one: false,
        binds: false,
    })])
}

/// Whether a field's name counts as left out: it is empty or null.
fn is_unset(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::String(text) => text.as_bytes().is_empty(),
        _ => matches!(value, ValueRef::Null),
    }
}

fn text<'b>(name: &str, value: ValueRef<'b>) -> Result<&'b str> {
    match value.as_text() {
        Some(text) => text.checked(),
        None => Err(parse_error(format!(
            "$lookup argument '{name}' must be a string, found {name}: {}",
            value.type_name()
        ))),
    }
}

impl StagePlan for LookupPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(LookupStage::new(self, input))
    }

    fn carry(&mut self, _: &Carried) {
        self.one_by_one = true;
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$lookup");
        builder.append("from", self.from.as_str());
        builder.append("as", self.output.dotted().as_str());
        if let Some((local, other)) = &self.join {
            builder.append("localField", local.dotted().as_str());
            builder.append("foreignField", other.dotted().as_str());
        }
        if self.has_pipeline || self.filter.is_some() {
            builder.begin_document("let");
            for (name, expression) in &self.variables {
                expression.to_bson(name, builder);
            }
            builder.end();
            builder.append("pipeline", &self.all_stages(None));
        }
        if let Some(unwinding) = &self.unwinding {
            builder.begin_document("unwinding");
            builder.append("preserveNullAndEmptyArrays", unwinding.preserve);
            if let Some(index) = &unwinding.index {
                builder.append("includeArrayIndex", index.dotted().as_str());
            }
            builder.end();
        }
        builder.end();
    }

    fn part(&mut self) -> Part<'_> {
        Part::Lookup(self)
    }

    fn narrow(&mut self, after: Following<'_>) {
        let needed = after.needed();
        self.narrow_to(&needed);
        self.binds = self.can_bind(after);
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        if let Some((local, _)) = &self.join {
            needed.add(&local.dotted());
        }
        for (_, expression) in &self.variables {
            needed.merge(&expression.dependencies());
        }
        Flow::Passes
    }

    fn path_before(&self, path: &str) -> Option<String> {
        let touched = |held: &FieldPath| paths_touch(&held.dotted(), path);
        let index = self.unwinding.as_ref().and_then(|held| held.index.as_ref());
        let is_made = touched(&self.output) || index.is_some_and(touched);
        (!is_made).then(|| path.to_owned())
    }

    fn lets_sort_through(&self, path: &str) -> bool {
        self.is_one_to_one() && first_of(&self.output.dotted()) != first_of(path)
    }

    fn is_one_to_one(&self) -> bool {
        self.unwinding.is_none()
    }
}

/// The fields read below the joined documents' path; `None` where they are read whole.
fn read_of_joined<'n>(output: &str, needed: &'n Dependencies) -> Option<Vec<&'n str>> {
    let mut joined = Vec::new();
    for path in &needed.paths {
        match path
            .strip_prefix(output)
            .and_then(|rest| rest.strip_prefix('.'))
        {
            Some(rest) => joined.push(rest),
            None if paths_touch(path, output) => return None,
            None => {}
        }
    }
    Some(joined)
}

impl LookupPlan {
    /// Keeps of documents on both sides only the fields read later.
    fn narrow_to(&mut self, needed: &Dependencies) {
        if needed.whole_document {
            return;
        }
        let output = self.output.dotted();
        let mut own: Vec<&str> = Vec::new();
        for path in &needed.paths {
            // A joined array at the top takes the place of the document's own value.
            let (name, is_deep) = (path.split('.').next(), output.contains('.'));
            if is_deep || name != Some(&*output) {
                own.push(path);
            }
        }
        self.own = Kept::of(own.into_iter());
        if let Some(joined) = read_of_joined(&output, needed) {
            self.foreign = Kept::of(joined.into_iter());
        }
    }

    /// Whether the joined documents are bound to their path for the next stage; fields that the stage does not read are
    /// not kept then.
    fn can_bind(&mut self, after: Following<'_>) -> bool {
        let unwinding = self.unwinding.as_ref();
        let has_index = unwinding.is_some_and(|held| held.index.is_some());
        if has_index {
            return false;
        }
        let may_lack = unwinding.is_some_and(|held| held.preserve);
        let Some(needed) = after.reads_bound(&self.output, may_lack) else {
            return false;
        };
        let output = self.output.dotted();
        let [first, deeper @ ..] = self.output.parts() else {
            return false;
        };
        // A path deeper in changes its neighbours when it is written: an array or a plain value makes place for a
        // document.
        let is_apart = |path: &String| {
            let is_below = path.len() >= output.len() && paths_touch(path, &output);
            is_below || path.split('.').next() != Some(&**first)
        };
        if needed.whole_document || !(deeper.is_empty() || needed.paths.iter().all(is_apart)) {
            return false;
        }
        if let Some(joined) = read_of_joined(&output, &needed) {
            self.foreign = Kept::of_paths(joined.into_iter());
            self.by_ends = self.unwinding.is_none() && self.foreign.is_some();
        }
        true
    }

    /// Takes a `$unwind` of the joined array in; false when it is of something else.
    pub fn take_unwind(&mut self, unwind: &UnwindPlan) -> bool {
        let takes = self.unwinding.is_none() && unwind.path == self.output;
        if takes {
            self.unwinding = Some(Unwinding {
                index: unwind.index.clone(),
                preserve: unwind.preserve,
            });
        }
        takes
    }

    /// Takes a filter on the items of the unwound array in; false when it looks at anything else, or when the unwinding
    /// says how many there are.
    ///
    /// # Errors
    /// Errors of compiling the filter under its new names.
    pub fn take_filter(
        &mut self,
        filter: &MatchNode,
        context: &CompileContext<'_>,
    ) -> Result<bool> {
        let takes = { self.unwinding.as_ref() }
            .is_some_and(|unwinding| unwinding.index.is_none() && !unwinding.preserve);
        if !takes {
            return Ok(false);
        }
        let Some(below) = filters::descended(filter, &self.output.dotted(), context)? else {
            return Ok(false);
        };
        self.filter = Some(match self.filter.take() {
            Some(held) => filters::both(&held, &below),
            None => below,
        });
        Ok(true)
    }

    /// The stages that the joined documents go through: the join's equality is asked of a collection's documents, or
    /// of those that the pipeline makes itself.
    pub(super) fn all_stages(&self, equality: Option<DocumentBuf>) -> ArrayBuf {
        let mut stages = ArrayBuilder::new();
        let given = self.pipeline.as_array();
        let makes = usize::from(foreign::makes_documents(given));
        for source in given.iter().take(makes) {
            stages.push(source);
        }
        if let Some(equality) = &equality {
            stages.push(equality);
        }
        for stage in given.iter().skip(makes) {
            stages.push(stage);
        }
        if let Some(filter) = &self.filter {
            let mut stage = DocumentBuilder::new();
            stage.append("$match", &filter.to_bson());
            stages.push(&stage.finish());
        }
        stages.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives, gives_with};

    const OTHERS: &str = "[{_id: 1, k: 'a', n: 5}, {_id: 2, k: 'b', n: 6}, {_id: 3, n: 7}, {_id: 4, k: ['a', 'z'], n: 8}]";

    #[test]
    fn joins_by_equality() {
        gives_with(
            "[{$lookup: {from: 'others', localField: 'k', foreignField: 'k', as: 'j'}}, {$project: {'j._id': 1, k: 1}}]",
            "[{_id: 1, k: 'a'}, {_id: 2}, {_id: 3, k: ['b', 'z']}, {_id: 4, k: 'none'}]",
            OTHERS,
            "[{_id: 1, k: 'a', j: [{_id: 1}, {_id: 4}]}, {_id: 2, j: [{_id: 3}]}, \
             {_id: 3, k: ['b', 'z'], j: [{_id: 2}, {_id: 4}]}, {_id: 4, k: 'none', j: []}]",
        );
    }

    #[test]
    fn joins_by_a_pipeline() {
        gives_with(
            "[{$lookup: {from: 'others', let: {least: '$m'}, pipeline: [{$match: {$expr: {$gte: ['$n', '$$least']}}}, \
             {$project: {n: 1, _id: 0}}], as: 'j'}}]",
            "[{m: 7}, {m: 9}]",
            OTHERS,
            "[{m: 7, j: [{n: 7}, {n: 8}]}, {m: 9, j: []}]",
        );
        gives_with(
            "[{$lookup: {from: 'others', localField: 'k', foreignField: 'k', pipeline: [{$count: 'c'}], as: 'x.j'}}]",
            "[{k: 'a'}]",
            OTHERS,
            "[{k: 'a', x: {j: [{c: 2}]}}]",
        );
        gives_with(
            "[{$lookup: {from: 'others', pipeline: [{$limit: 1}, {$project: {_id: 1}}], as: 'j'}}]",
            "[{a: 1}, {a: 2}]",
            OTHERS,
            "[{a: 1, j: [{_id: 1}]}, {a: 2, j: [{_id: 1}]}]",
        );
        gives(
            "[{$lookup: {localField: 'k', foreignField: 'x', pipeline: [{$documents: [{x: 'a'}, {x: 'b'}]}], as: 'j'}}]",
            "[{_id: 1, k: 'a'}]",
            "[{_id: 1, k: 'a', j: [{x: 'a'}]}]",
        );
        gives(
            "[{$lookup: {pipeline: [{$documents: [{x: 1}]}], as: 'j'}}]",
            "[{a: 1}]",
            "[{a: 1, j: [{x: 1}]}]",
        );
    }

    #[test]
    fn refuses_bad_specifications() {
        fails("[{$lookup: 5}]", 9);
        fails("[{$lookup: {from: 'x', localField: 'a', as: 'j'}}]", 9);
        fails("[{$lookup: {from: 'x', as: 'j'}}]", 9);
        fails(
            "[{$lookup: {from: 'x', pipeline: [{$out: 'y'}], as: 'j'}}]",
            51047,
        );
        fails(
            "[{$lookup: {from: 'x', pipeline: [{$match: {$expr: '$$v'}}], as: 'j'}}]",
            17276,
        );
        fails("[{$lookup: {from: 5, pipeline: [], as: 'j'}}]", 9);
        fails("[{$lookup: {from: 'x', pipeline: [], as: 'j', q: 1}}]", 9);
    }
}
