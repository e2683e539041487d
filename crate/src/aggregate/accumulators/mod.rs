//! Accumulators of `$group` and its like.

pub mod accumulator;
pub mod add_to_set;
pub mod avg;
pub mod bottom;
pub mod bottom_n;
pub mod count;
pub mod extremes;
pub mod first;
pub mod first_n;
pub mod last;
pub mod last_n;
pub mod max;
pub mod max_n;
pub mod median;
pub mod merge_objects;
pub mod min;
pub mod min_n;
pub mod percentile;
pub mod push;
pub mod ranked;
pub mod ranking;
pub mod script;
pub mod several;
pub mod std_dev_pop;
pub mod std_dev_samp;
pub mod sum;
pub mod table;
pub mod top;
pub mod top_n;

pub use accumulator::{Accumulator, AccumulatorPlan};
