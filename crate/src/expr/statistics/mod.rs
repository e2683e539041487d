//! Accumulators as expressions, and the running statistics that both share.

pub mod avg;
pub mod inputs;
pub mod max;
pub mod median;
pub mod min;
pub mod percentile;
pub mod percentiles;
pub mod state;
pub mod std_dev_pop;
pub mod std_dev_samp;
pub mod sum;
