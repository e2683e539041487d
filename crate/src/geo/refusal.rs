//! Why a value is no geometry, in the server's words, put together only when somebody asks.

use crate::bson::ValueRef;
use crate::error::CommandError;

/// The reason why a value is no geometry. The server's code for each is 2 `BadValue`.
#[derive(Debug, Clone)]
pub struct Refusal<'a> {
    pub(super) words: &'static str,
    pub(super) value: ValueRef<'a>,
    pub(super) stopped: Option<CommandError>,
}

impl Refusal<'_> {
    /// The server's message, without what introduces it.
    pub fn message(&self) -> String {
        todo!()
    }

    /// The error reply: 2 `BadValue` with the message, or the checkpoint's own where the command was stopped.
    pub fn into_error(self) -> CommandError {
        todo!()
    }

    /// For matchers, which pass over what is no geometry.
    ///
    /// # Errors
    /// The checkpoint's, where the command was stopped while the geometry was read.
    pub fn pass_over(self) -> Result<(), CommandError> {
        self.stopped.map_or(Ok(()), Err)
    }
}
