//! Accumulators of `$group` and its like.

pub mod accumulator;
pub mod add_to_set;
pub mod concat_arrays;
pub mod count;
pub mod first;
pub mod first_last_n;
pub mod last;
pub mod median;
pub mod merge_objects;
pub mod min_max;
pub mod min_max_n;
pub mod percentile;
pub mod push;
pub mod ranked;
pub mod ranking;
pub mod script;
pub mod set_union;
pub mod several;
pub mod spreading;
pub mod std_dev;
pub mod sum;
pub mod table;

pub use accumulator::{Accumulator, AccumulatorPlan};
