//! `$collStats`, `$indexStats`, `$planCacheStats` and `$currentOp`: documents that describe a collection or the server.
//!
//! Follows the manual's pages of those names. What the documents say comes from the executor.

use super::super::source::{DocumentsStage, PipelineContext};
use super::super::stage::{Flow, Stage, StagePlan};
use super::foreign;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::{CompileContext, Dependencies};
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

struct DescribePlan {
    name: &'static str,
    specification: DocumentBuf,
}

/// Compiles one of the stages.
pub fn compile(
    name: &'static str,
    specification: ValueRef<'_>,
    _: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let fields = foreign::specification_fields(name, specification)?;
    if name == "$indexStats" && !fields.is_empty() {
        return Err(CommandError::location(
            28803,
            "The $indexStats stage specification must be an empty object",
        ));
    }
    if name == "$planCacheStats"
        && let Some(field) = fields.iter().next()
    {
        return Err(CommandError::new(
            Code::FailedToParse,
            format!(
                "$planCacheStats parameters object may contain only 'allHosts' field. Found: {}",
                field.name
            ),
        ));
    }
    Ok(vec![Box::new(DescribePlan {
        name,
        specification: fields.to_buf(),
    })])
}

impl StagePlan for DescribePlan {
    fn start(self: Box<Self>, _: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(DescribeStage {
            plan: self,
            documents: None,
        })
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append(self.name, &self.specification);
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Exhausts
    }
}

struct DescribeStage {
    plan: Box<DescribePlan>,
    documents: Option<DocumentsStage>,
}

impl Stage for DescribeStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        let documents = match &mut self.documents {
            Some(documents) => documents,
            empty => {
                let specification = ValueRef::from(&self.plan.specification);
                let found = cx.namespaces.describe(self.plan.name, specification)?;
                empty.insert(DocumentsStage::new(Rc::new(found)))
            }
        };
        documents.advance(cx)
    }

    fn current(&self) -> Document<'_> {
        match &self.documents {
            Some(documents) => documents.current(),
            None => Document::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, fails_on};

    #[test]
    fn comes_first_and_asks_the_executor() {
        fails("[{$match: {}}, {$indexStats: {}}]", 40602);
        fails("[{$indexStats: {a: 1}}]", 28803);
        fails("[{$collStats: 5}]", 9);
        fails_on("[{$collStats: {}}]", "[]", 238);
    }
}
