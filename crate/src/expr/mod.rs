//! Aggregation expressions: compiled once, evaluated per document over raw bytes.
//!
//! Compiled once from a `ValueRef` with a `CompileContext` (host, time, `let` variables), evaluated per document
//! over raw bytes.
//!
//! - `expr::compile(value, &CompileContext) -> Expression`; `evaluate(&Scope) -> Value`; `dependencies()`.
//! - An operator whose value grows asks `expr/growth.rs` before each step. `$reduce` lends its value to the expression
//!   and lets `Function::Joining` append to it (`growth::grow`); a call that looks in one array again and again sorts
//!   it once (`item_index.rs`: scopes and frames have serial numbers).
//!
//! Two circles of files are meant. An operator's arguments are expressions, compiled by the table that the operator has
//! its row in: `compile`, `table`, `form`. Evaluating a node may grow a value or look into an array, and both evaluate
//! nodes: `node`, `growth`, `item_index`.

pub mod arguments;
pub mod arithmetic;
pub mod array;
pub mod bitwise;
pub mod boolean;
pub mod comparison;
pub mod compile;
pub mod conditional;
pub mod context;
pub mod data_size;
pub mod date;
pub mod expression;
pub mod form;
pub mod growth;
pub mod item_index;
pub mod metadata;
pub mod miscellaneous;
pub mod node;
pub mod object;
pub mod path;
pub mod serialize;
pub mod set;
pub mod statistics;
pub mod string;
pub mod table;
#[cfg(test)]
pub mod testing;
pub mod timestamp;
pub mod trigonometry;
pub mod types;
pub mod variable;

pub use compile::{Compiler, compile};
pub use context::{Bound, BoundValue, CompileContext, EndPlace, Ends, Frame, Scope};
pub use expression::{Dependencies, Expression};
pub use metadata::{Carried, MetaKind, Metadata, SharedMetadata};
pub use node::{Call, Node};
pub use path::FieldPath;
