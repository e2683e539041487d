//! `$out`: replaces a collection with what comes in, and gives nothing.
//!
//! Follows the manual's "$out (aggregation)" page. Invariant: the collection changes only once every
//! document came in.

use super::super::memory::Usage;
use super::super::source::PipelineContext;
use super::super::stage::{Flow, Stage, StagePlan};
use super::foreign;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, Dependencies};

type Result<T> = std::result::Result<T, CommandError>;

struct OutPlan {
    database: Option<String>,
    collection: String,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    if let ValueRef::Document(fields) = specification
        && !fields.get("timeseries").is_missing()
    {
        return Err(CommandError::new(
            Code::NotImplemented,
            "$out to a time series collection is not implemented",
        ));
    }
    let (database, collection) = match specification {
        ValueRef::String(_) | ValueRef::Document(_) => foreign::namespace("$out", specification)?,
        other => {
            return Err(CommandError::location(
                16990,
                format!(
                    "$out only supports a string or object argument, not {}",
                    other.type_name()
                ),
            ));
        }
    };
    if collection.is_empty() {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            "Invalid $out target namespace",
        ));
    }
    Ok(vec![Box::new(OutPlan {
        database,
        collection,
    })])
}

impl StagePlan for OutPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(OutStage {
            plan: self,
            input: Some(input),
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$out");
        if let Some(database) = &self.database {
            builder.append("db", database.as_str());
        }
        builder.append("coll", self.collection.as_str()).end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        needed.whole_document = true;
        Flow::Exhausts
    }
}

struct OutStage {
    plan: Box<OutPlan>,
    input: Option<Box<dyn Stage>>,
}

impl Stage for OutStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        let Some(mut input) = self.input.take() else {
            return Ok(false);
        };
        let mut documents: Vec<DocumentBuf> = Vec::new();
        let mut usage = Usage::default();
        while input.advance(cx)? {
            let document = input.current();
            usage.add(document.as_bytes().len(), "$out")?;
            documents.push(document.to_buf());
        }
        let database = self.plan.database.as_deref();
        cx.namespaces
            .replace_collection(database, &self.plan.collection, &documents)?;
        Ok(false)
    }

    fn current(&self) -> Document<'_> {
        Document::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn hands_everything_over() {
        // The test's namespaces list what was written behind what came out.
        gives(
            "[{$match: {a: {$gt: 1}}}, {$out: 'target'}]",
            "[{a: 1}, {a: 2}]",
            "[{a: 2}]",
        );
        fails("[{$out: 5}]", 16990);
        fails("[{$facet: {x: [{$out: 'y'}]}}]", 40600);
    }
}
