//! From a query to a plan: candidate indexes, their bounds, the choice among them.
//!
//! ```text
//! QueryRequest ─┬─ express ──────────────────────────────────────────────┬─► Planned { winner, rejected }
//!               └─ candidates ─ finish ─┬─ one plan ─────────────────────┤
//!                                       └─ several ─ plan cache, trials ─┘
//! ```
//!
//! - `prepared`: a read of one field's value or range, of a shape that was planned before, is neither compiled nor
//!   planned. All other reads go through `choose`.
//! - `express`: where the server makes no plan for one value, none is made here.
//! - `candidates`: one access for each index, and one for an `$or` whose branches all have one. Branches over one index
//!   become one scan (`union`). What depends on the kind of an index is in `kinds`: a wildcard index, for example, is
//!   planned as one index for each path of the filter.
//! - `text`: a `$text` has one way to be answered: the keys of its terms in the collection's text index.
//! - `finish`: sort, skip, projection and limit on top, with documents fetched as late as possible.
//! - Several plans are run in turns by `plan::Trials`, which the executor implements (`exec/trial.rs`). A `Plan` is
//!   data: `exec` prints and runs it.
//! - `memory`: the winners of a collection's query shapes (`shape`), its prepared reads and its index filters, kept
//!   in the collection (`catalog::plan_cache`).
//! - **Invariant:** every document that matches has a key inside the bounds; predicates that bounds do not decide stay
//!   in a filter.
//! - **Invariant:** on a field with arrays one predicate makes the bounds; of two fields below one array only the
//!   first is bounded.
//!
//! One circle of files is meant. The bounds of a predicate depend on the kind of the component, and kinds take the
//! bounds of predicates inside predicates: `kinds/rules` and the kinds.

pub mod access;
pub mod candidates;
pub mod choose;
mod collated;
pub mod express;
pub mod expression;
pub mod field_range;
pub mod finish;
pub mod intersection;
pub mod key_range;
pub mod kinds;
pub mod memory;
pub mod ordering;
pub mod prepared;
pub mod request;
pub mod shape;
pub mod text;
pub mod union;

pub use choose::{Grouping, choose, choose_distinct, choose_grouping};
pub use request::{Hint, Planned, QueryRequest, Reader};
