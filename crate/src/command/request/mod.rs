//! The way in of a command: the fields that all commands share are read and checked here, once.

pub mod cluster_time;
pub mod incoming;
pub mod params;
mod parsed;
mod read_concern;
pub mod session;
pub mod stable_api;
mod transaction;
pub mod write_concern;

pub use incoming::Incoming;
pub use params::{Params, invalid_uuid};
pub use parsed::Request;
pub use stable_api::Unstable;
pub use transaction::Within;
pub use write_concern::Acknowledged;
