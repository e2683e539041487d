//! Copy-on-write B+trees: handle, search, insert, remove, sweep, cursors.
//!
//! Two circles of files are meant. Looking for many keys goes down the tree by the steps of one search, and a search
//! reads a neighbour in a leaf as they do: `search`, `descent`. An insert knows by the same measure as a removal which
//! leaves are merged, and two merged nodes are parted again as by an insert: `insert`, `remove`.

mod cell;
mod cursor;
mod descent;
mod difference;
mod entries;
mod insert;
mod insert_sorted;
mod node;
mod number_set;
mod probe;
mod range;
mod relocate;
mod remove;
mod search;
mod sweep;
#[cfg(test)]
mod sweep_tests;
mod tree;
mod unique;
mod value;
mod view;
mod walk;

pub use cursor::Cursor;
pub use descent::EachFound;
pub use difference::{Difference, Differences};
pub use entries::{Entry, EntryBuffer};
pub(crate) use node::validate_node;
pub use number_set::NumberSet;
pub use range::{Direction, RangeCursor};
pub use search::Located;
pub use tree::Tree;
pub use value::PageBytes;
pub(crate) use view::{Level, NodeView};

#[cfg(test)]
mod tests;
