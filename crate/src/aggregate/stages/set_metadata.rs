//! `$setMetadata`: says of each document what its score is, and how that came about.
//!
//! The stages of hybrid search stand for others, of which this is one, as on the server. The documents stay as they
//! are.

use super::super::output::Output;
use super::super::stage::{Flow, StagePlan};
use crate::bson::{DocumentBuilder, Value, ValueRef};
use crate::error::{Code, CommandError};
use crate::exec::{ExecContext, Record, Stage};
use crate::expr::{
    Carried, CompileContext, Dependencies, Expression, MetaKind, Metadata, Scope,
    compile as compile_expression,
};

type Result<T> = std::result::Result<T, CommandError>;

struct MetadataPlan {
    kind: MetaKind,
    value: Expression,
    metadata: Carried,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let fields = specification.as_document().unwrap_or_default();
    let mut given = fields.iter();
    let (Some(field), None) = (given.next(), given.next()) else {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "$setMetadata only permits setting exactly one metadata field, but input specification has {} fields",
                fields.iter().count()
            ),
        ));
    };
    let kind = MetaKind::parse(field.name.into())?;
    let value = compile_expression(field.value, context)?;
    Metadata::offer(&context.metadata, kind);
    let metadata = Carried::default();
    Ok(vec![Box::new(MetadataPlan {
        kind,
        value,
        metadata,
    })])
}

impl StagePlan for MetadataPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(MetadataStage {
            plan: self,
            input,
            output: Output::default(),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$setMetadata");
        self.value.to_bson(self.kind.name(), builder);
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.merge(&self.value.dependencies());
        Flow::Passes
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn is_one_to_one(&self) -> bool {
        true
    }
}

struct MetadataStage {
    plan: Box<MetadataPlan>,
    input: Box<dyn Stage>,
    /// A copy: a stage before this one may put its own metadata back whenever it is asked for the document.
    output: Output,
}

impl Stage for MetadataStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        if !self.input.advance(cx)? {
            return Ok(false);
        }
        let plan = &self.plan;
        self.output.copy(self.input.current().document());
        let scope = Scope::of(ValueRef::Document(self.output.current()), cx.env);
        let mut value = plan.value.evaluate(&scope)?.into_owned();
        if plan.kind == MetaKind::SCORE {
            let Some(number) = value.as_ref().as_number() else {
                return Err(CommandError::new(
                    Code::TypeMismatch,
                    format!(
                        "Cannot set score metadata to a non-numeric value of type {}",
                        value.as_ref().type_name()
                    ),
                ));
            };
            value = Value::from(number.to_f64());
        }
        if let Some(metadata) = plan.metadata.metadata() {
            metadata.add(plan.kind, value.as_ref());
        }
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}
