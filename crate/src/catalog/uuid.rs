//! UUIDs of collections and index builds.

use crate::env::Env;
use std::fmt::Write;

/// A random UUID (version 4).
pub fn random(env: &dyn Env) -> [u8; 16] {
    let mut bytes = [0; 16];
    env.fill_random(&mut bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    bytes
}

/// The canonical text of a UUID.
pub fn to_text(uuid: &[u8; 16]) -> String {
    let mut text = String::with_capacity(36);
    for (position, byte) in uuid.iter().enumerate() {
        if matches!(position, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Why a cursor ends whose collection is gone.
pub fn dropped_reason(uuid: &[u8; 16]) -> String {
    format!("collection dropped. UUID {}", to_text(uuid))
}

#[cfg(test)]
mod tests {
    #[test]
    fn prints_the_groups() {
        assert_eq!(
            super::to_text(&[0xab; 16]),
            "abababab-abab-abab-abab-abababababab"
        );
    }
}
