//! How often each command was run and how often it failed: `serverStatus.metrics.commands`.
//!
//! Invariant: in memory only; counts begin with the engine.

use crate::bson::DocumentBuilder;
use crate::command::row::CommandRow;

/// The commands that were run, sorted by name, with how often they failed and how often they were run at all.
#[derive(Default)]
pub struct CommandCounts {
    counts: Vec<(&'static str, i64, i64)>,
    /// How often there was no such command.
    pub unknown: i64,
}

impl CommandCounts {
    /// Counts one run of a command.
    pub fn note(&mut self, row: &CommandRow, has_failed: bool) {
        let place = self
            .counts
            .binary_search_by(|(name, ..)| (*name).cmp(row.name));
        let at = place.unwrap_or_else(|at| {
            self.counts.insert(at, (row.name, 0, 0));
            at
        });
        if let Some((_, failed, total)) = self.counts.get_mut(at) {
            *failed += i64::from(has_failed);
            *total += 1;
        }
    }

    pub fn append(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("commands");
        builder.append("<UNKNOWN>", self.unknown);
        for (name, failed, total) in &self.counts {
            builder.begin_document(name);
            builder.append("failed", *failed);
            builder.append("total", *total).end();
        }
        builder.end();
    }
}
