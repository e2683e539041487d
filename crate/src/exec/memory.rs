//! The bound on the memory of a blocking stage.
//!
//! Invariant: nothing spills to disk; a stage that would hold more than the limit fails with
//! MongoDB's code instead.

use crate::bson::DocumentBuilder;
use crate::error::{Code, CommandError};

/// The most bytes one blocking stage may hold: the server's default of 100 MiB.
pub const LIMIT: usize = 104_857_600;

/// Appends the fields that explain shows of a stage that could have spilled to disk on a server.
pub fn append_no_spills(builder: &mut DocumentBuilder) {
    builder
        .append("usedDisk", false)
        .append("spills", 0_i64)
        .append("spilledDataStorageSize", 0_i64);
}

/// Counts the bytes that one stage holds.
#[derive(Debug, Default)]
pub struct Usage {
    bytes: usize,
}

impl Usage {
    /// Counts bytes taken; over the limit is an error that names the stage.
    pub fn add(&mut self, bytes: usize, stage: &str) -> Result<(), CommandError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes <= LIMIT {
            return Ok(());
        }
        Err(CommandError::new(
            Code::QueryExceededMemoryLimitNoDiskUseAllowed,
            format!("{stage} exceeded the memory limit of {LIMIT} bytes and cannot spill to disk"),
        ))
    }

    /// Counts bytes given back.
    pub fn release(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_beyond_the_limit() {
        let mut usage = Usage::default();
        assert!(usage.add(LIMIT, "$sort").is_ok());
        assert!(usage.add(1, "$sort").is_err_and(|error| error.code == 292));
        usage.release(2);
        assert!(usage.add(1, "$sort").is_ok());
    }
}
