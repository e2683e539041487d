//! `$lookup`: documents of another collection joined into an array.
//!
//! Follows the manual's "$lookup" page: by equality, by a pipeline with variables, or both.
//! Invariant: the joined pipeline is planned anew for each document with its values in place, so that
//! an index on the foreign field is used; one that depends on nothing runs once. A `$unwind` of the joined array and a
//! filter on its items may be part of the stage, which then gives one document for each item.

use super::super::filters;
use super::super::memory;
use super::super::output::Output;
use super::super::pipeline::Pipeline;
use super::super::source::{PipelineContext, Reads};
use super::super::stage::{Flow, Part, Stage, StagePlan, paths_touch};
use super::foreign;
use super::unwind::{UnwindPlan, set};
use crate::bson::{
    ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, Value, ValueRef,
};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, Dependencies, Expression, FieldPath, Scope};
use crate::query::MatchNode;
use std::ops::Range;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$lookup`.
pub struct LookupPlan {
    from: String,
    database: Option<String>,
    join: Option<(FieldPath, FieldPath)>,
    variables: Vec<(String, Expression)>,
    pipeline: ArrayBuf,
    has_pipeline: bool,
    output: FieldPath,
    /// The command's own variables.
    constants: Vec<(String, Value<'static>)>,
    collation: Collation,
    /// The `$unwind` of the joined array that followed.
    unwinding: Option<Unwinding>,
    /// What then was asked of the joined documents.
    filter: Option<MatchNode>,
}

/// A `$unwind` within the stage.
struct Unwinding {
    index: Option<FieldPath>,
    preserve: bool,
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
    // A pipeline may make its own documents, and needs no collection then.
    let checked = foreign::check(stages, "$lookup", &variables, context)?;
    let (database, from) = match from {
        Some(from) => from,
        None if checked.has_own_source() => (None, String::new()),
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
    })])
}

fn text<'b>(name: &str, value: ValueRef<'b>) -> Result<&'b str> {
    value.as_str().ok_or_else(|| {
        parse_error(format!(
            "$lookup argument '{name}' must be a string, found {name}: {}",
            value.type_name()
        ))
    })
}

impl StagePlan for LookupPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(LookupStage {
            plan: self,
            input,
            output: Output::default(),
            uncorrelated: None,
            joined: None,
            reads: Reads::default(),
        })
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
        self.is_one_to_one() && !paths_touch(&self.output.dotted(), path)
    }

    fn is_one_to_one(&self) -> bool {
        self.unwinding.is_none()
    }
}

struct LookupStage {
    plan: Box<LookupPlan>,
    input: Box<dyn Stage>,
    output: Output,
    /// The joined documents, once known, of a pipeline that depends on nothing.
    uncorrelated: Option<ArrayBuf>,
    /// The joined documents of the input's current one, when they are given one by one.
    joined: Option<Joined>,
    /// What the joins cost so far, where somebody keeps notes of it.
    reads: Reads,
}

/// Joined documents and where each lies.
struct Joined {
    documents: ArrayBuf,
    places: Vec<Range<usize>>,
    next: usize,
}

impl Joined {
    fn new(documents: ArrayBuf) -> Self {
        let list = Document::from_valid_bytes(documents.as_array().as_bytes());
        let base = list.as_bytes().as_ptr() as usize;
        let places = list
            .raw_elements()
            .map(|item| {
                // The item's bytes lie within the list's.
                let start = item.value_bytes.as_ptr() as usize - base;
                start..start + item.value_bytes.len()
            })
            .collect();
        Self {
            documents,
            places,
            next: 0,
        }
    }
}

impl LookupPlan {
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
    /// What compiling the filter under its new names says.
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

    /// The stages that the joined documents go through.
    fn all_stages(&self, equality: Option<DocumentBuf>) -> ArrayBuf {
        let mut stages = ArrayBuilder::new();
        if let Some(equality) = &equality {
            stages.push(equality);
        }
        for stage in self.pipeline.as_array().iter() {
            stages.push(stage);
        }
        if let Some(filter) = &self.filter {
            let mut stage = DocumentBuilder::new();
            stage.append("$match", &filter.to_bson());
            stages.push(&stage.finish());
        }
        stages.finish()
    }

    /// Adds a joined document.
    fn take(&self, document: Document<'_>, found: &mut ArrayBuilder) -> Result<()> {
        found.push(document);
        if found.byte_len() <= memory::LIMIT {
            return Ok(());
        }
        Err(CommandError::location(
            4568,
            format!(
                "Total size of documents in {} matching pipeline's $lookup stage exceeds {} bytes",
                self.from,
                memory::LIMIT
            ),
        ))
    }
}

impl LookupStage {
    /// Joins by one value alone without a pipeline; false when the join is of another kind.
    fn find_equal(
        &self,
        document: Document<'_>,
        found: &mut ArrayBuilder,
        cx: &mut PipelineContext<'_>,
    ) -> Result<bool> {
        let plan = &*self.plan;
        let Some((local, other)) = &plan.join else {
            return Ok(false);
        };
        if !plan.pipeline.as_array().is_empty()
            || !plan.variables.is_empty()
            || plan.from.is_empty()
        {
            return Ok(false);
        }
        let value = match local.evaluate(ValueRef::Document(document)) {
            Value::Borrowed(ValueRef::Missing) => ValueRef::Null,
            // Arrays join by each of their items; the others are matched by more than equality, or by nothing.
            Value::Borrowed(ValueRef::Array(_) | ValueRef::Regex { .. } | ValueRef::Undefined) => {
                return Ok(false);
            }
            // Strings join as the collation has it, which a plain look-up does not know of.
            Value::Borrowed(value) if plan.collation.is_simple() => value,
            _ => return Ok(false),
        };
        let database = plan.database.as_deref();
        cx.namespaces.find_equal(
            database,
            &plan.from,
            (&other.dotted(), value),
            plan.filter.as_ref(),
            &mut |document| plan.take(document, found),
        )
    }

    fn joined(&mut self, cx: &mut PipelineContext<'_>) -> Result<ArrayBuf> {
        let joined = self.join(cx);
        self.reads.add(&cx.namespaces.take_reads());
        joined
    }

    fn join(&mut self, cx: &mut PipelineContext<'_>) -> Result<ArrayBuf> {
        let plan = &*self.plan;
        let once = plan.join.is_none() && plan.variables.is_empty();
        if let Some(found) = self.uncorrelated.as_ref().filter(|_| once) {
            return Ok(found.clone());
        }
        let document = self.input.current();
        let mut found = ArrayBuilder::new();
        if self.find_equal(document, &mut found, cx)? {
            return Ok(found.finish());
        }
        let mut context = CompileContext::new(cx.env, cx.now_millis);
        context.constants.clone_from(&plan.constants);
        context.collation.clone_from(&plan.collation);
        let scope = Scope::of(ValueRef::Document(document), cx.env);
        for (name, expression) in &plan.variables {
            let value = expression.evaluate(&scope)?.into_owned();
            context.constants.push((name.clone(), value));
        }
        let equality =
            { plan.join.as_ref() }.map(|(local, other)| foreign::equality(document, local, other));
        let stages = plan.all_stages(equality);
        let mut running = if plan.from.is_empty() {
            Pipeline::compile(stages.as_array(), &context)?.start_without_source()
        } else {
            let database = plan.database.as_deref();
            cx.namespaces
                .open(database, &plan.from, stages.as_array(), &context)?
        };
        while running.advance(cx)? {
            plan.take(running.current(), &mut found)?;
        }
        let found = found.finish();
        if once {
            self.uncorrelated = Some(found.clone());
        }
        Ok(found)
    }
}

impl LookupStage {
    /// Moves to the next joined document of the stage's own unwinding.
    fn advance_unwinding(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        loop {
            if let Some(joined) = &mut self.joined
                && let Some(place) = joined.places.get(joined.next).cloned()
            {
                let position = joined.next as i64;
                joined.next += 1;
                let bytes = joined.documents.as_array().as_bytes();
                let item = bytes.get(place).unwrap_or_default();
                let item = Document::from_valid_bytes(item);
                let (plan, input) = (&self.plan, &self.input);
                write(
                    plan,
                    input.current(),
                    Some((item, position)),
                    &mut self.output,
                );
                return Ok(true);
            }
            self.joined = None;
            if !self.input.advance(cx)? {
                return Ok(false);
            }
            let joined = Joined::new(self.joined(cx)?);
            let preserve = { self.plan.unwinding.as_ref() }.is_some_and(|held| held.preserve);
            if joined.places.is_empty() && preserve {
                write(&self.plan, self.input.current(), None, &mut self.output);
                return Ok(true);
            }
            self.joined = Some(joined);
        }
    }
}

/// Writes a document with one of its joined ones and that one's position, or with neither.
fn write(
    plan: &LookupPlan,
    document: Document<'_>,
    item: Option<(Document<'_>, i64)>,
    output: &mut Output,
) {
    let value = item.map_or(ValueRef::Missing, |(item, _)| ValueRef::Document(item));
    let mut builder = output.begin();
    set(document, plan.output.parts(), value, &mut builder);
    output.finish(builder);
    let index = { plan.unwinding.as_ref() }.and_then(|unwinding| unwinding.index.as_ref());
    if let Some(index) = index {
        let position = item.map_or(ValueRef::Null, |(_, position)| ValueRef::Int64(position));
        let mut builder = DocumentBuilder::new();
        set(output.current(), index.parts(), position, &mut builder);
        output.finish(builder);
    }
}

impl Stage for LookupStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        if self.plan.unwinding.is_some() {
            return self.advance_unwinding(cx);
        }
        if !self.input.advance(cx)? {
            return Ok(false);
        }
        let joined = self.joined(cx)?;
        let mut builder = self.output.begin();
        set(
            self.input.current(),
            self.plan.output.parts(),
            ValueRef::from(&joined),
            &mut builder,
        );
        self.output.finish(builder);
        Ok(true)
    }

    fn current(&self) -> Document<'_> {
        self.output.current()
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        self.reads.append_to(builder);
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
