//! Replies: `ok: 1` documents and error documents.

use crate::bson::{Document, DocumentBuf, DocumentBuilder};
use crate::error::CommandError;

/// Appends `ok: 1` and ends the reply.
pub fn finish_ok(mut builder: DocumentBuilder) -> DocumentBuf {
    builder.append("ok", 1.0);
    builder.finish()
}

/// The reply of a failed command: `ok: 0`, message, code, code name, and the code's own fields.
pub fn error_reply(error: &CommandError) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.append("ok", 0.0);
    builder.append("errmsg", error.message.as_str());
    builder.append("code", error.code);
    builder.append("codeName", error.code_name().as_str());
    if let Some(details) = &error.details {
        builder.append_all(Document::from_valid_bytes(details));
    }
    builder.finish()
}
