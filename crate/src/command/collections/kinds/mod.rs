//! What `create` and `collMod` do for a kind of collection.

mod capped;
mod clustered;
pub mod row;
pub mod series;
mod view;
