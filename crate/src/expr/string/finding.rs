//! Finding a token in a text, byte for byte.
//!
//! Invariant: the time grows with the lengths of the two alone: the standard library searches, and where one of the two
//! is no UTF-8 it searches their images, in which each byte is a sign of its own.

use super::super::node::Result;
use crate::bson::Text;
use crate::env::Env;

/// Gives `found` where a token lies in a text, from left to right and without overlap, until it says that it has seen
/// enough.
///
/// # Errors
/// Errors of `found`, and of `Env::checkpoint` once the images are made.
pub fn each_place(
    text: Text<'_>,
    token: Text<'_>,
    env: &dyn Env,
    found: &mut dyn FnMut(usize) -> Result<bool>,
) -> Result<()> {
    if let (Some(text), Some(token)) = (text.to_str(), token.to_str()) {
        for (at, _) in text.match_indices(token) {
            if !found(at)? {
                break;
            }
        }
        return Ok(());
    }
    let (image, token) = (image(text), image(token));
    env.checkpoint()?;
    let (mut seen, mut at) = (0, 0);
    for (place, _) in image.match_indices(&token) {
        at += image
            .get(seen..place)
            .map_or(0, |part| part.chars().count());
        seen = place;
        if !found(at)? {
            break;
        }
    }
    Ok(())
}

/// A text in which each byte is the sign of that number.
fn image(text: Text<'_>) -> String {
    text.as_bytes()
        .iter()
        .map(|byte| char::from(*byte))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::testing::TestEnv;

    fn places(text: &[u8], token: &[u8]) -> Vec<usize> {
        let mut places = Vec::new();
        let done = each_place(Text(text), Text(token), &TestEnv, &mut |at| {
            places.push(at);
            Ok(places.len() < 3)
        });
        assert!(done.is_ok());
        places
    }

    #[test]
    fn finds_any_bytes() {
        assert_eq!(places(b"abcabcabcabc", b"bc"), [1, 4, 7]);
        assert_eq!(places("fü1ü".as_bytes(), "ü".as_bytes()), [1, 4]);
        assert_eq!(places(b"\xff\xfe\xff\xff", b"\xff"), [0, 2, 3]);
        assert_eq!(places(b"a\xffb\xc3\xbcb", b"b"), [2, 5]);
        // The second byte of a sign.
        assert_eq!(places("ü".as_bytes(), b"\xbc"), [1]);
        assert_eq!(places(b"\xff", b"a"), [0; 0]);
    }
}
