//! `$documents`: the documents an expression gives, in a collection's place.
//!
//! Follows the manual's "$documents (aggregation)" page.

use super::super::stage::{Flow, StagePlan};
use crate::bson::{DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::exec::{Documents, Stage};
use crate::expr::{CompileContext, Dependencies, Scope, compile as compile_expression};
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

struct DocumentsPlan {
    documents: Rc<Vec<DocumentBuf>>,
}

/// Compiles the stage; its expression sees no document, so it is evaluated here.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let refuse = |found: ValueRef<'_>| {
        CommandError::location(
            5_858_203,
            format!(
                "an array of documents is expected, found: {}",
                found.type_name()
            ),
        )
    };
    let expression = compile_expression(specification, context)?;
    let value = expression.evaluate(&Scope::of(ValueRef::Missing, context.env))?;
    let items = value.as_ref().as_array();
    let items = items.ok_or_else(|| refuse(value.as_ref()))?;
    let mut documents = Vec::new();
    for item in items.iter() {
        let document = item.as_document().ok_or_else(|| refuse(item))?;
        documents.push(document.to_buf());
    }
    Ok(vec![Box::new(DocumentsPlan {
        documents: Rc::new(documents),
    })])
}

impl StagePlan for DocumentsPlan {
    fn start(self: Box<Self>, _: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(Documents::new(self.documents))
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_array("$documents");
        let mut buffer = [0; 20];
        for (position, document) in self.documents.iter().enumerate() {
            let name = super::super::output::position_name(position, &mut buffer);
            builder.append(name, document);
        }
        builder.end();
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Exhausts
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};

    #[test]
    fn gives_its_documents() {
        gives(
            "[{$documents: [{a: 1}, {a: {$add: [1, 1]}}]}, {$match: {a: 2}}]",
            "[{z: 1}]",
            "[{a: 2}]",
        );
        fails("[{$documents: 5}]", 5_858_203);
        fails("[{$documents: [5]}]", 5_858_203);
    }
}
