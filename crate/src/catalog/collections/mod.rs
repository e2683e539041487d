//! The kinds of collection. A kind is one file here; `kind` tells the kinds apart, and has a note on the design.
//!
//! `kind` and the files of the kinds know one another, as the kinds of index do: the enum holds what a kind knows of
//! itself, and a kind implements the rules.

mod capped;
mod clustered;
pub mod kind;
mod plain;
mod series;
mod view;

pub use capped::CappedLimits;
pub use clustered::Clustered;
pub use kind::{CollectionKind, ExpiryChange, KindChanges, KindRules};
pub use series::{Buckets, Measured};
pub use view::View;
