//! The log: lines about what the engine did, as `getLog` gives them.
//!
//! Manual: reference/log-messages, reference/command/getLog. Invariant: bounded, in memory only; a slow command has its
//! line whether the profiler is on or not.

use crate::bson::extended_json::{Format, to_string};
use crate::bson::{DocumentBuilder, ValueRef};

/// The most lines that are kept.
const MOST_LINES: usize = 1024;
/// A longer line is cut off, as the server's are.
const MOST_BYTES: usize = 10_240;

/// The newest lines.
#[derive(Default)]
pub struct Log {
    lines: Vec<String>,
    /// How many lines there were before those that are kept.
    dropped: usize,
}

impl Log {
    /// Adds a line of a component: the message's number and words, and its facts.
    // Apart: few commands are logged.
    #[inline(never)]
    pub fn note(
        &mut self,
        now_millis: i64,
        component: &str,
        id: i32,
        message: &str,
        tell: &dyn Fn(&mut DocumentBuilder),
    ) {
        let mut line = DocumentBuilder::new();
        line.append("t", ValueRef::DateTime(now_millis));
        line.append("s", "I").append("c", component);
        line.append("id", id).append("ctx", "conn1");
        line.append("msg", message);
        line.begin_document("attr");
        tell(&mut line);
        line.end();
        let line = line.finish();
        let mut text = to_string(ValueRef::Document(line.as_document()), Format::Relaxed);
        if text.len() > MOST_BYTES {
            let mut end = MOST_BYTES;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
        if self.lines.len() == MOST_LINES {
            self.lines.remove(0);
            self.dropped += 1;
        }
        self.lines.push(text);
    }

    /// The lines that are kept, the oldest first.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// How many lines there ever were.
    pub fn total(&self) -> usize {
        self.dropped + self.lines.len()
    }
}
