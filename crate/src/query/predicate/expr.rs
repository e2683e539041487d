//! `$expr`: an aggregation expression over the whole document, as a predicate.
//!
//! Follows the manual's "$expr" page.

use crate::bson::ValueRef;
use crate::error::{Code, CommandError};
use crate::query::compile::{Compiler, bad_value};
use crate::query::node::MatchNode;

/// A compiled expression; it holds where its value is true.
#[derive(Clone)]
pub struct ExprTest {
    source: crate::bson::Value<'static>,
}

impl ExprTest {
    /// Adds the paths it reads; `false` when it may read any.
    pub fn collect_paths<'n>(&'n self, _: &mut Vec<&'n str>) -> bool {
        false
    }

    /// Whether the expression is true of a document.
    pub fn matches(
        &self,
        _: crate::bson::Document<'_>,
        _: &crate::query::evaluate::MatchContext<'_>,
    ) -> Result<bool, CommandError> {
        Ok(false)
    }

    /// What explain prints.
    pub fn source(&self) -> ValueRef<'_> {
        self.source.as_ref()
    }
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    _: &str,
    _: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    if compiler.nested {
        return Err(bad_value(
            "$expr can only be applied to the top-level document",
        ));
    }
    Err(CommandError::new(Code::NotImplemented, "$expr is not supported"))
}
