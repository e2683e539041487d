//! Databases, collections, indexes, capped and TTL state.
//!
//! - `Catalog` maps a namespace to an `Rc<Collection>`; `collection(ns)` reads, `collection_mut(ns)` writes (ask
//!   again after a savepoint). A clone of the `Rc` taken with a
//!   pager snapshot keeps reading that moment. `savepoint`/`release`/`rollback_to` go beside the pager's;
//!   `write_back` goes right before a seal; `write_changed_rows` ends a command that changes a definition and no tree.
//! - `Collection`: `records` (RecordId, 8 bytes big-endian → document) and `indexes` (the `_id` index first). An
//!   index key is its keycode components and the RecordId; its value is the type bits. A hashed field's component is
//!   its hash (`index/hashed/element_hash`), a wildcard field makes two: path and value. **Invariant:** an index
//!   holds exactly the keys of the documents; `check_pairing` proves it.
//! - Writing is done through `state::Writer` alone, which notes what was changed. One document: `insert_document`,
//!   `update_document(…, Option<&ModifiedPaths>, …)`, `delete_document`, with one `WriteScratch` a command. Every check
//!   that may refuse a document (uniqueness, parallel arrays) comes before the first page changes, so a refused
//!   document needs no rollback. After a storage error, roll back. `delete_records(ids)` deletes many: one by one, or
//!   by a sweep of each tree when they are a considerable share of the collection.
//! - Writing many: `insert_documents` gives each tree all its entries in order, under a savepoint of its own.
//!   **Invariant:** all or none; when one may be refused nothing is changed, and the command inserts that chunk one
//!   by one to word the error.
//! - Partial filters are compiled by a `FilterCompiler` that the layer above supplies
//!   (`query::PartialFilterCompiler`).
//! - `ttl` finds the expired documents, before every command once a minute of engine time has gone by.
//! - `virtual_collection(db, name)`: `system.views`, `system.indexes` and `system.namespaces` as documents.
//! - A kind of collection is one file of `collections`; all others ask what it does (`collections/kind.rs`).
//! - A view is a row of the catalog without trees (`catalog/views.rs`); `collection(ns)` never gives one, `view(ns)`
//!   does. Every command that reads goes through `command/read/views.rs::resolve`, which puts the view's stages before
//!   the reader's own.
//!
//! Four circles of files are meant. A collection holds its plan cache and the facts of its indexes, and both look at
//! the collection: `collection`, `plan_cache`, `index/facts`. Views and TTL passes read the catalog that holds them:
//! `deployment_catalog`, `views`, `ttl`. Two are those of the kinds: of index (`index`) and of
//! collection (`collections`).

pub mod build;
pub mod capped;
mod collated_keys;
pub mod collection;
pub mod collections;
pub mod delete_many;
pub mod deployment_catalog;
mod duplicate_key;
pub mod filter;
pub mod index;
pub mod insert_many;
pub mod latencies;
pub mod moments;
pub mod names;
pub mod options;
pub mod pairing;
pub mod plan_cache;
pub mod repair;
pub mod salvage;
pub mod series;
pub mod stored;
#[cfg(test)]
mod tests;
pub mod ttl;
#[cfg(test)]
mod undo_tests;
pub mod uuid;
pub mod views;
pub mod virtual_collections;
pub mod write;

pub use collection::{Collection, Index, RecordId};
pub use collections::{Buckets, CappedLimits, Clustered, CollectionKind, Measured, View};
pub use deployment_catalog::{Catalog, CatalogSavepoint};
pub use filter::{DocumentFilter, FilterCompiler};
pub use index::{FieldKind, IndexDefinition, IndexKind, KeyField, KeySet};
pub use options::CollectionOptions;
pub use series::Series;
pub use ttl::TtlStatistics;
pub use virtual_collections::is_virtual;
pub use write::{ModifiedPaths, WriteScratch};
