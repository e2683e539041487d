//! Databases, collections, indexes, capped and TTL state.

pub mod build;
pub mod capped;
mod collated_keys;
pub mod collection;
pub mod delete_many;
pub mod deployment_catalog;
mod duplicate_key;
pub mod filter;
mod hashed_keys;
pub mod index_keys;
pub mod index_spec;
pub mod index_validation;
pub mod insert_many;
pub mod latencies;
pub mod names;
pub mod options;
pub mod pairing;
pub mod repair;
pub mod salvage;
pub mod stored;
#[cfg(test)]
mod tests;
pub mod ttl;
pub mod uuid;
pub mod views;
pub mod virtual_collections;
mod wildcard_keys;
pub mod wildcard_spec;
pub mod write;

pub use collection::{Collection, Index, RecordId};
pub use deployment_catalog::{Catalog, CatalogSavepoint};
pub use filter::{DocumentFilter, FilterCompiler};
pub use index_keys::KeySet;
pub use index_spec::{FieldKind, IndexDefinition, IndexKind, KeyField};
pub use options::{CappedLimits, Clustered, CollectionOptions};
pub use ttl::TtlStatistics;
pub use virtual_collections::is_virtual;
pub use write::{ModifiedPaths, WriteScratch};
