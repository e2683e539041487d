//! The plan of stages that describe a collection or the server instead of reading documents, such as `$collStats`.
//!
//! Invariant: before it starts the pipeline, the executor asks the first stage for its name and specification, and
//! hands the documents over; a pipeline names no collection itself.

use super::super::stage::{Flow, Part, StagePlan};
use super::foreign::unknown_field;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::exec::{Documents, ExecContext, Record, Stage};
use crate::expr::Dependencies;
use std::rc::Rc;

type Result<T> = std::result::Result<T, CommandError>;

/// A describing stage, with the documents once they are known.
pub struct DescribePlan {
    name: &'static str,
    specification: DocumentBuf,
    documents: Option<Rc<Vec<DocumentBuf>>>,
}

/// A stage whose specification was found valid.
pub fn plan(name: &'static str, specification: Document<'_>) -> Vec<Box<dyn StagePlan>> {
    vec![Box::new(DescribePlan {
        name,
        specification: specification.to_buf(),
        documents: None,
    })]
}

/// 14 for a field of another type.
pub fn wrong_type(field: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field '{field}' is the wrong type '{}', expected type '{expected}'",
            value.type_name()
        ),
    )
}

/// A stage whose specification holds flags alone.
///
/// # Errors
/// 40415 for a field of another name, 14 for one that is no boolean.
pub fn flagged(
    name: &'static str,
    specification: Document<'_>,
    flags: &[&str],
) -> Result<Vec<Box<dyn StagePlan>>> {
    for field in specification.iter() {
        if !flags.contains(&field.name) {
            return Err(unknown_field(name, field.name));
        }
        if !matches!(field.value, ValueRef::Boolean(_)) {
            let path = format!("{name}.{}", field.name);
            return Err(wrong_type(&path, field.value, "bool"));
        }
    }
    Ok(plan(name, specification))
}

impl DescribePlan {
    /// The stage's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The stage's specification.
    pub fn specification(&self) -> Document<'_> {
        self.specification.as_document()
    }

    /// Hands the documents over.
    pub fn provide(&mut self, documents: Vec<DocumentBuf>) {
        self.documents = Some(Rc::new(documents));
    }
}

impl StagePlan for DescribePlan {
    fn start(self: Box<Self>, _: Box<dyn Stage>) -> Box<dyn Stage> {
        match self.documents {
            Some(documents) => Box::new(Documents::new(documents)),
            None => Box::new(Unknown { name: self.name }),
        }
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.append(self.name, &self.specification);
    }

    fn dependencies(&self, _: &mut Dependencies) -> Flow {
        Flow::Exhausts
    }

    fn part(&mut self) -> Part<'_> {
        Part::Describe(self)
    }
}

/// A stage whose documents were never provided.
struct Unknown {
    name: &'static str,
}

impl Stage for Unknown {
    fn advance(&mut self, _: &ExecContext<'_>) -> Result<bool> {
        Err(CommandError::new(
            Code::NotImplemented,
            format!("{} is not supported here", self.name),
        ))
    }

    fn current(&self) -> Record<'_> {
        Record::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::fails_on;

    #[test]
    fn needs_the_executor() {
        fails_on("[{$collStats: {}}]", "[]", 238);
    }
}
