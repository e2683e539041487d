//! Accumulators as expressions, and the running statistics that both share.

pub mod covariance;
pub mod inputs;
pub mod median;
pub mod min_max;
pub mod percentile;
pub mod percentiles;
pub mod state;
pub mod std_dev;
pub mod sum;
