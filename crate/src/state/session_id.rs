//! The identity of a logical session: its own id, and the digest of its user, who is nobody.
//!
//! Manual: reference/server-sessions. Replies, entries of the oplog and documents of retryable writes have it alike.

use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::stored::uuid_value;

/// The digest of nobody, which sessions have for their user: SHA-256 of the empty name.
pub const NOBODY: [u8; 32] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
];
/// The identifier of a session.
pub type SessionId = [u8; 16];

/// A session as the server words it: its id and the digest of nobody.
pub fn session_text(session: &SessionId) -> String {
    let id = uuid_text(session);
    format!("{id} - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - ")
}

/// Appends a session's id.
pub fn append_session_id(builder: &mut DocumentBuilder, id: &SessionId) {
    builder.append("id", uuid_value(id));
}

/// Appends a session's identity: its id and the digest of its user.
pub fn append_identity(builder: &mut DocumentBuilder, name: &str, id: &SessionId) {
    builder.begin_document(name);
    append_session_id(builder, id);
    builder.append(
        "uid",
        ValueRef::Binary {
            subtype: 0,
            bytes: &NOBODY,
        },
    );
    builder.end();
}
