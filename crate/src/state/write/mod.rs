//! The one door to write: every change of a collection, of the catalog, or of an index.
//!
//! A `Writer` stands over the pages and the catalog that a command may change, and over its `Changes`. Invariants: no
//! other code calls the collections' writers (`tests/tidy/one_door.rs`), so that nothing is changed without being
//! noted; a refused document is not noted; what an error undoes is forgotten with the command's `Changes`.
//!
//! - `writer`: the catalog, and which collection is written to.
//! - `documents`: one collection's documents; `definitions`: its indexes and options.
//! - `replacing`: collections that are filled apart and take the place of others.

mod definitions;
mod documents;
mod replacing;
mod writer;

pub use documents::CollectionWriter;
pub use replacing::Replacement;
pub use writer::Writer;
