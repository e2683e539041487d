//! Filters of partial indexes: the query language behind the catalog's traits.

use crate::bson::Document;
use crate::catalog::{DocumentFilter, FilterCompiler};
use crate::env::Env;
use crate::error::{Code, CommandError};
use std::rc::Rc;

/// Compiles `partialFilterExpression`.
pub struct PartialFilterCompiler<'e> {
    pub env: &'e dyn Env,
}

impl FilterCompiler for PartialFilterCompiler<'_> {
    fn compile(&self, _: Document<'_>) -> Result<Rc<dyn DocumentFilter>, CommandError> {
        Err(CommandError::new(
            Code::NotImplemented,
            "partial indexes are not supported",
        ))
    }
}
