//! Why a document does not match a filter: the `errInfo.details` of error 121.
//!
//! Follows the manual's "Schema Validation" pages. Invariant: read from the filter as it was written, and only once a
//! document has failed it, so that matching itself pays nothing.

pub mod clauses;
pub mod leaf;
pub mod report;
pub mod schema;

pub use report::describe_failure;
