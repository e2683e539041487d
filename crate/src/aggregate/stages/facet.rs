//! `$facet`: several pipelines over the same input, their results as one document of arrays.
//!
//! Follows the manual's "$facet" page.

use super::super::nested;
use super::super::output::Output;
use super::super::pipeline::Pipeline;
use super::super::stage::{Flow, StagePlan};
use super::table;
use crate::bson::{Array, ArrayBuilder, DocumentBuf, DocumentBuilder, MAX_NESTING, ValueRef};
use crate::error::CommandError;
use crate::exec::memory::{LIMIT, Usage};
use crate::exec::{Documents, ExecContext, Record, Stage};
use crate::expr::{Carried, CompileContext, Dependencies};
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// Names and pipelines, in the order of the specification.
type Facets = Vec<(String, Pipeline)>;

struct FacetPlan {
    facets: Facets,
    metadata: Carried,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let fields = specification
        .as_document()
        .filter(|fields| !fields.is_empty())
        .ok_or_else(|| {
            CommandError::location(40169, "the $facet specification must be a non-empty object")
        })?;
    let mut facets = Vec::new();
    for field in fields.iter() {
        let ValueRef::Array(stages) = field.value else {
            return Err(CommandError::location(
                40170,
                format!(
                    "arguments to $facet must be arrays, {} is type {}",
                    field.name,
                    field.value.type_name()
                ),
            ));
        };
        crate::expr::path::check_field_name(field.name)?;
        check_elements(field.name, stages)?;
        check_stages(stages, 0)?;
        let pipeline = Pipeline::compile_nested(stages, context, Some("$facet"))?;
        facets.push((field.name.to_owned(), pipeline));
    }
    Ok(vec![Box::new(FacetPlan {
        facets,
        metadata: Carried::default(),
    })])
}

/// Refuses elements of a facet's pipeline that are no stages.
///
/// # Errors
/// 40171.
fn check_elements(name: &str, stages: Array<'_>) -> Result<()> {
    for stage in stages.iter() {
        if stage.as_document().is_none_or(|stage| stage.is_empty()) {
            return Err(CommandError::location(
                40171,
                format!(
                    "elements of arrays in $facet spec must be non-empty objects, {name} argument contained an element \
                     of type {}: {stage}",
                    stage.type_name()
                ),
            ));
        }
    }
    Ok(())
}

/// Refuses the stages that may not stand in a facet, nor in the pipelines of its joins and unions.
///
/// # Errors
/// 40600.
fn check_stages(stages: Array<'_>, depth: usize) -> Result<()> {
    for field in stages
        .iter()
        .filter_map(|stage| stage.as_document())
        .flat_map(|stage| stage.iter())
    {
        if !table::may_stand_in_facet(field.name, depth > 0) {
            return Err(CommandError::location(
                40600,
                format!(
                    "{} is not allowed to be used within a $facet stage",
                    field.name
                ),
            ));
        }
        if depth < MAX_NESTING {
            for stages in nested::pipelines(&field) {
                check_stages(stages, depth + 1)?;
            }
        }
    }
    Ok(())
}

impl StagePlan for FacetPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(FacetStage {
            work: Some((self.facets, input)),
            metadata: self.metadata,
            output: Output::default(),
        })
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
        for (_, pipeline) in &mut self.facets {
            pipeline.metadata = metadata.clone();
        }
    }

    fn makes_documents(&self) -> bool {
        true
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$facet");
        for (name, pipeline) in &self.facets {
            let mut stages = ArrayBuilder::new();
            pipeline.explain(&mut stages);
            builder.append(name, &stages.finish());
        }
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        for (_, pipeline) in &self.facets {
            needed.merge(&pipeline.dependencies());
        }
        Flow::Exhausts
    }
}

struct FacetStage {
    work: Option<(Facets, Box<dyn Stage>)>,
    metadata: Carried,
    output: Output,
}

impl Stage for FacetStage {
    fn advance(&mut self, cx: &ExecContext<'_>) -> Result<bool> {
        let Some((facets, mut input)) = self.work.take() else {
            return Ok(false);
        };
        let mut usage = Usage::default();
        let mut documents: Vec<DocumentBuf> = Vec::new();
        while input.advance(cx)? {
            let document = input.current().document();
            usage.add(document.as_bytes().len(), "$facet")?;
            let kept = self.metadata.keep(document);
            documents.push(DocumentBuf::from_valid_bytes(kept));
        }
        let documents = Rc::new(documents);
        let mut builder = self.output.begin();
        let mut used = 0;
        for (name, pipeline) in facets {
            let source = Documents::carrying(Rc::clone(&documents), &self.metadata);
            let mut running = pipeline.start(Box::new(source));
            let mut results = ArrayBuilder::new();
            while running.advance(cx)? {
                cx.env.checkpoint()?;
                let document = running.current().document();
                used += document.as_bytes().len();
                if used > LIMIT {
                    return Err(CommandError::location(
                        4_031_700,
                        format!(
                            "document constructed by $facet is {used} bytes, which exceeds the limit of {LIMIT} bytes"
                        ),
                    ));
                }
                results.push(document);
            }
            builder.append(&name, &results.finish());
        }
        self.metadata.forget();
        self.output.finish(builder);
        Ok(true)
    }

    fn current(&self) -> Record<'_> {
        Record::from(self.output.current())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn runs_each_pipeline_over_all() {
        gives(
            "[{$facet: {n: [{$count: 'c'}], big: [{$match: {a: {$gt: 1}}}], none: [{$match: {z: 1}}]}}]",
            "[{a: 1}, {a: 2}]",
            "[{n: [{c: 2}], big: [{a: 2}], none: []}]",
        );
        fails("[{$facet: {}}]", 40169);
        fails("[{$facet: {a: 5}}]", 40170);
        fails("[{$facet: {a: [{$facet: {b: []}}]}}]", 40600);
        fails("[{$facet: {a: [5]}}]", 40171);
        fails(
            "[{$facet: {a: [{$unionWith: {coll: 'c', pipeline: [{$indexStats: {}}]}}]}}]",
            40600,
        );
    }
}
