//! The place of a change stream, which its running stages and its cursor share.
//!
//! Invariant: to resume after `token` gives the events behind those that were handed out.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use std::cell::{Cell, RefCell};

/// Where a change stream is.
#[derive(Debug, Default)]
pub struct Stream {
    /// The token of the last event, or of the time up to which there was none.
    token: RefCell<DocumentBuf>,
    /// The token before that.
    before: RefCell<DocumentBuf>,
    ended: Cell<bool>,
}

impl Stream {
    /// Goes on to a token.
    pub fn pass(&self, token: DocumentBuf) {
        let before = self.token.replace(token);
        self.before.replace(before);
    }

    /// Notes that no event comes after the last one: the stream was invalidated.
    pub fn end(&self) {
        self.ended.set(true);
    }

    /// Whether no event comes any more.
    pub fn is_ended(&self) -> bool {
        self.ended.get()
    }

    /// Appends the token to resume after; `waits`: the last event was not handed out yet.
    pub fn append_to(&self, builder: &mut DocumentBuilder, waits: bool) {
        let token = match waits {
            true => self.before.borrow(),
            false => self.token.borrow(),
        };
        if !token.as_document().is_empty() {
            builder.append("postBatchResumeToken", &*token);
        }
    }

    /// Checks that the stages behind the stream left an event's token alone.
    ///
    /// # Errors
    /// 280 `ChangeStreamFatalError`.
    pub fn check(&self, event: Document<'_>) -> Result<(), CommandError> {
        let (found, token) = (event.get("_id"), self.token.borrow());
        if found
            .as_document()
            .is_some_and(|id| id.as_bytes() == token.as_bytes())
        {
            return Ok(());
        }
        let worded = |value: ValueRef<'_>| match value {
            ValueRef::Missing => "none".to_owned(),
            value => format!("{{ _id: {value} }}"),
        };
        Err(CommandError::new(
            Code::ChangeStreamFatalError,
            format!(
                "Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. \
                 Modifying the _id field of an event makes it impossible to resume the stream from that point. Only \
                 transformations that retain the unmodified _id field are allowed. Expected: {} but found: {}",
                worded(ValueRef::Document(token.as_document())),
                worded(found)
            ),
        ))
    }
}
