//! UUIDs of collections and index builds.

use crate::algorithms::hexadecimal::uuid_text;
use crate::env::Env;

/// A random UUID (version 4).
pub fn random(env: &dyn Env) -> [u8; 16] {
    let mut bytes = [0; 16];
    env.fill_random(&mut bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    bytes
}

/// Why a cursor ends whose collection is gone.
pub fn dropped_reason(uuid: &[u8; 16]) -> String {
    format!("collection dropped. UUID {}", uuid_text(uuid))
}
