//! `$unionWith`: another collection's documents behind the pipeline's own.
//!
//! Follows the manual's "$unionWith" page.

use super::super::pipeline::Pipeline;
use super::super::stage::{Flow, Part, StagePlan};
use super::foreign;
use crate::bson::{Array, ArrayBuf, ArrayBuilder, DocumentBuilder, Value, ValueRef};
use crate::catalog::names;
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{Carried, CompileContext, Dependencies};

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$unionWith`.
pub struct UnionPlan {
    collection: Option<String>,
    pipeline: ArrayBuf,
    constants: Vec<(String, Value<'static>)>,
    collation: Collation,
    metadata: Carried,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let refuse = |message: String| CommandError::new(Code::FailedToParse, message);
    let mut collection = None;
    let mut stages = Array::EMPTY;
    match specification {
        ValueRef::String(name) => {
            collection = Some(foreign::source("$unionWith", names::of(name)?)?)
        }
        ValueRef::Document(fields) => {
            for field in fields.iter() {
                match (field.name, field.value) {
                    ("coll", ValueRef::String(name)) => {
                        collection = Some(foreign::source("$unionWith", names::of(name)?)?);
                    }
                    ("pipeline", ValueRef::Array(list)) => stages = list,
                    ("coll" | "pipeline", other) => {
                        return Err(CommandError::new(
                            Code::TypeMismatch,
                            format!(
                                "BSON field '$unionWith.{}' is the wrong type '{}'",
                                field.name,
                                other.type_name()
                            ),
                        ));
                    }
                    (other, _) => {
                        return Err(CommandError::new(
                            Code::IDLUnknownField,
                            format!("BSON field '$unionWith.{other}' is an unknown field."),
                        ));
                    }
                }
            }
        }
        other => {
            return Err(refuse(format!(
                "the $unionWith stage specification must be an object or string, but found {}",
                other.type_name()
            )));
        }
    }
    foreign::check(stages, "$unionWith", &[], context)?;
    if collection.is_none() {
        foreign::check_without_collection("$unionWith", stages)?;
    }
    Ok(vec![Box::new(UnionPlan {
        collection,
        pipeline: stages.to_buf(),
        constants: context.constants.clone(),
        collation: context.collation.clone(),
        metadata: Carried::default(),
    })])
}

impl StagePlan for UnionPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(UnionStage {
            plan: self,
            input,
            second: None,
        })
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$unionWith");
        if let Some(collection) = &self.collection {
            builder.append("coll", collection.as_str());
        }
        builder.append("pipeline", &self.pipeline).end();
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Union(self)
    }
}

impl UnionPlan {
    /// Has the other documents go through one more stage.
    pub fn add(&mut self, stage: &dyn StagePlan) {
        let mut specification = DocumentBuilder::new();
        stage.explain(&mut specification);
        let mut stages = ArrayBuilder::new();
        for stage in self.pipeline.as_array().iter() {
            stages.push(stage);
        }
        stages.push(&specification.finish());
        self.pipeline = stages.finish();
    }
}

struct UnionStage {
    plan: Box<UnionPlan>,
    input: Box<dyn Stage>,
    /// The other pipeline, once the own input has ended.
    second: Option<Box<dyn Stage>>,
}

impl Stage for UnionStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if let Some(second) = &mut self.second {
            return second.advance(cx);
        }
        if self.input.advance(cx)? {
            return Ok(true);
        }
        let mut context = CompileContext::new(cx.env, cx.now_millis);
        context.constants.clone_from(&self.plan.constants);
        context.collation.clone_from(&self.plan.collation);
        let stages = self.plan.pipeline.as_array();
        let mut second = match &self.plan.collection {
            Some(name) => cx.namespaces.open(None, name, stages, &context)?,
            None => Pipeline::compile(stages, &context)?.start_without_source(),
        };
        let more = second.advance(cx)?;
        // The metadata of the second pipeline's rows is known to that pipeline alone.
        self.plan.metadata.forget();
        self.second = Some(second);
        Ok(more)
    }

    fn current(&self) -> Record<'_> {
        match &self.second {
            Some(second) => second.current(),
            None => self.input.current(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives, gives_with};

    #[test]
    fn appends_another_collection() {
        gives_with(
            "[{$unionWith: {coll: 'others', pipeline: [{$match: {b: 1}}]}}]",
            "[{a: 1}]",
            "[{b: 1}, {b: 2}]",
            "[{a: 1}, {b: 1}]",
        );
        gives_with("[{$unionWith: 'others'}]", "[]", "[{b: 1}]", "[{b: 1}]");
        gives(
            "[{$unionWith: {pipeline: [{$documents: [{x: 1}]}]}}]",
            "[{a: 1}]",
            "[{a: 1}, {x: 1}]",
        );
        fails("[{$unionWith: 5}]", 9);
        fails("[{$unionWith: {pipeline: []}}]", 9);
        fails("[{$unionWith: {coll: 'x', q: 1}}]", 40415);
    }
}
