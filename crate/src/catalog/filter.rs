//! Filters of partial indexes, as the catalog sees them.
//!
//! The catalog lies below the query language, so it stores a compiled filter behind a trait and asks
//! a compiler that its caller supplies.

use crate::bson::Document;
use crate::collation::Collation;
use crate::env::Words;
use crate::error::CommandError;
use std::rc::Rc;

/// A compiled `partialFilterExpression`.
pub trait DocumentFilter {
    /// Whether a partial index holds the document.
    ///
    /// # Errors
    /// Errors of evaluating the filter.
    fn matches(&self, document: Document<'_>) -> Result<bool, CommandError>;
}

/// Compiles collations, and `partialFilterExpression`s.
pub trait FilterCompiler {
    /// Refuses what a partial index does not allow.
    ///
    /// # Errors
    /// 67 `CannotCreateIndex` or a parse error.
    fn check(&self, expression: Document<'_>, collation: &Collation) -> Result<(), CommandError>;

    /// Compiles an expression that a partial index may have.
    ///
    /// # Errors
    /// A parse error.
    fn compile(
        &self,
        expression: Document<'_>,
        collation: &Collation,
    ) -> Result<Rc<dyn DocumentFilter>, CommandError>;

    /// The collation of a document.
    ///
    /// # Errors
    /// A document that is no collation, and a locale or option that the host does not offer.
    fn collation(&self, document: Document<'_>) -> Result<Collation, CommandError>;

    /// What the host knows of the words of languages.
    fn words(&self) -> Rc<dyn Words>;
}
