//! Views: names that stand for a pipeline over a collection or another view.
//!
//! Manual: core/views. Invariant: a view has no trees, and nothing is written to it.

use super::kind::{CollectionKind, KindRow, KindRules};
use crate::bson::{Array, ArrayBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};

/// The options of a view.
pub(super) const ROW: KindRow = KindRow {
    fields: &["viewOn", "pipeline"],
    read: |options| {
        let on = options.get("viewOn");
        let stages = match options.get("pipeline") {
            ValueRef::Array(stages) => stages,
            _ => Array::EMPTY,
        };
        let view = || View::new(on.as_str().unwrap_or_default(), stages).into();
        (!on.is_missing()).then(view)
    },
};

/// A pipeline over another collection or view of its database.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    on: Box<str>,
    pipeline: ArrayBuf,
}

impl View {
    pub fn new(on: &str, pipeline: Array<'_>) -> Self {
        Self {
            on: on.into(),
            pipeline: pipeline.to_buf(),
        }
    }

    /// The name that the view is over.
    pub fn on(&self) -> &str {
        &self.on
    }

    pub fn pipeline(&self) -> Array<'_> {
        self.pipeline.as_array()
    }
}

impl From<View> for CollectionKind {
    fn from(view: View) -> Self {
        Self::View(view)
    }
}

impl KindRules for View {
    fn type_name(&self) -> &'static str {
        "view"
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn counted_as(&self) -> Option<&'static str> {
        Some("views")
    }

    fn append_options(&self, options: &mut DocumentBuilder, common: &dyn Fn(&mut DocumentBuilder)) {
        options.append("viewOn", self.on());
        options.append("pipeline", self.pipeline());
        common(options);
    }

    fn check_stored(&self, namespace: &str) -> Result<(), CommandError> {
        Err(CommandError::new(
            Code::CommandNotSupportedOnView,
            format!("Namespace {namespace} is a view, not a collection"),
        ))
    }
}
