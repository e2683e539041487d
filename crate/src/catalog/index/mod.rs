//! Indexes: what a specification may say, what the definition made of it knows, and the keys of a document.
//!
//! A kind of index (`kind`) is one implementation: `ordered`, `clustered`, `hashed`, `wildcard`, `flat` (2d), `sphere`
//! (2dsphere), `text`. Each makes its keys into the one `KeySet`, and `kind` is the only file that knows them all; so
//! `kind`, the kinds, `field` and `definition` name one another, which is meant.

mod clustered;
pub mod definition;
pub mod facts;
mod field;
pub mod flat;
pub mod hashed;
pub mod keys;
#[cfg(test)]
mod keys_tests;
pub mod kind;
pub mod ordered;
pub mod overlap;
mod paths;
pub mod specification;
pub mod sphere;
pub mod text;
pub mod validation;
pub mod wildcard;

pub use clustered::Clustered;
pub use definition::IndexDefinition;
pub use field::{FieldKind, KeyField};
pub use keys::KeySet;
pub use kind::{GeoKind, IndexKind};
pub use validation::check_key as check_key_pattern;
