//! Stands in for projections until the query language brings them: refuses every one.

use crate::bson::{Document, DocumentBuf};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::query::Matcher;

/// A projection that cannot be made yet.
pub struct Projection {}

impl Projection {
    pub fn compile(
        _: Document<'_>,
        _: &Matcher,
        _: &CompileContext<'_>,
    ) -> Result<Self, CommandError> {
        Err(CommandError::new(
            Code::NotImplemented,
            "projections are not supported",
        ))
    }
    pub fn apply(
        &self,
        document: Document<'_>,
        _: Option<&Matcher>,
        _: &dyn Env,
    ) -> Result<DocumentBuf, CommandError> {
        Ok(document.to_buf())
    }
    pub fn is_simple(&self) -> bool {
        false
    }
    pub fn needs_match_details(&self) -> bool {
        false
    }
    pub fn required_fields(&self) -> Option<Vec<String>> {
        None
    }
    pub fn to_bson(&self) -> DocumentBuf {
        DocumentBuf::default()
    }
}
