//! `$lookup`: documents of another collection joined into an array.
//!
//! Follows the manual's "$lookup" page: by equality, by a pipeline with variables, or both.
//! Invariant: the joined pipeline is planned anew for each document with its values in place, so that
//! an index on the foreign field is used; one that depends on nothing runs once.

use super::super::memory;
use super::super::output::Output;
use super::super::pipeline::Pipeline;
use super::super::source::PipelineContext;
use super::super::stage::{Flow, Stage, StagePlan, paths_touch};
use super::foreign;
use super::unwind::set;
use crate::bson::{ArrayBuf, ArrayBuilder, Document, DocumentBuilder, Value, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, Dependencies, Expression, FieldPath, Scope};

type Result<T> = std::result::Result<T, CommandError>;

struct LookupPlan {
    from: String,
    database: Option<String>,
    join: Option<(FieldPath, FieldPath)>,
    variables: Vec<(String, Expression)>,
    pipeline: ArrayBuf,
    has_pipeline: bool,
    output: FieldPath,
    /// The command's own variables.
    constants: Vec<(String, Value<'static>)>,
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
        if self.has_pipeline {
            builder.begin_document("let");
            for (name, expression) in &self.variables {
                expression.to_bson(name, builder);
            }
            builder.end();
            builder.append("pipeline", &self.pipeline);
        }
        builder.end();
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

    fn lets_match_through(&self, paths: &[String]) -> bool {
        let output = self.output.dotted();
        !paths.iter().any(|path| paths_touch(&output, path))
    }

    fn is_one_to_one(&self) -> bool {
        true
    }
}

struct LookupStage {
    plan: Box<LookupPlan>,
    input: Box<dyn Stage>,
    output: Output,
    /// The joined documents, once known, of a pipeline that depends on nothing.
    uncorrelated: Option<ArrayBuf>,
}

impl LookupPlan {
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
            Value::Borrowed(value) => value,
            _ => return Ok(false),
        };
        let database = plan.database.as_deref();
        cx.namespaces.find_equal(
            database,
            &plan.from,
            &other.dotted(),
            value,
            &mut |document| plan.take(document, found),
        )
    }

    fn joined(&mut self, cx: &mut PipelineContext<'_>) -> Result<ArrayBuf> {
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
        let scope = Scope::of(ValueRef::Document(document), cx.env);
        for (name, expression) in &plan.variables {
            let value = expression.evaluate(&scope)?.into_owned();
            context.constants.push((name.clone(), value));
        }
        let mut stages = ArrayBuilder::new();
        if let Some((local, other)) = &plan.join {
            stages.push(&foreign::equality(document, local, other));
        }
        for stage in plan.pipeline.as_array().iter() {
            stages.push(stage);
        }
        let stages = stages.finish();
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

impl Stage for LookupStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
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
