//! Named classes of characters: `\d` and its like, POSIX names, Unicode properties.
//!
//! Without PCRE2's UCP option, which the server does not set, `\d`, `\s`, `\w` and the POSIX names mean ASCII.

use super::set::{Range, complement};
use crate::env::Env;

const DIGIT: &[Range] = &[(0x30, 0x39)];
const SPACE: &[Range] = &[(9, 13), (32, 32)];
const WORD: &[Range] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
const HORIZONTAL: &[Range] = &[
    (9, 9),
    (32, 32),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x180E, 0x180E),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];
/// Line ends, each one character.
pub const VERTICAL: &[Range] = &[(10, 13), (0x85, 0x85), (0x2028, 0x2029)];

/// The class that an escape's letter stands for; capitals stand for all other characters.
pub fn of_letter(letter: char) -> Option<Vec<Range>> {
    let members = match letter.to_ascii_lowercase() {
        'd' => DIGIT,
        's' => SPACE,
        'w' => WORD,
        'h' => HORIZONTAL,
        'v' => VERTICAL,
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() {
        complement(members)
    } else {
        members.to_vec()
    })
}

/// The members of a POSIX class. Where case does not count, upper and lower are alpha.
pub fn of_posix(name: &str, ignore_case: bool) -> Option<&'static [Range]> {
    const ALPHA: &[Range] = &[(0x41, 0x5A), (0x61, 0x7A)];
    Some(match name {
        "alnum" => &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)],
        "alpha" => ALPHA,
        "upper" | "lower" if ignore_case => ALPHA,
        "upper" => &[(0x41, 0x5A)],
        "lower" => &[(0x61, 0x7A)],
        "ascii" => &[(0, 0x7F)],
        "blank" => &[(9, 9), (32, 32)],
        "cntrl" => &[(0, 0x1F), (0x7F, 0x7F)],
        "digit" => DIGIT,
        "graph" => &[(0x21, 0x7E)],
        "print" => &[(0x20, 0x7E)],
        "punct" => &[(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)],
        "space" => SPACE,
        "word" => WORD,
        "xdigit" => &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)],
        _ => return None,
    })
}

/// The members of a Unicode property, as the host knows it; PCRE2's own names are put together here.
pub fn of_property(name: &str, env: &dyn Env) -> Option<Vec<Range>> {
    let parts: &[&str] = match name {
        "Any" => return Some(vec![(0, 0x10FFFF)]),
        "L&" => &["Lu", "Ll", "Lt"],
        "Xan" => &["L", "N"],
        "Xwd" => &["L", "N", "_"],
        "Xsp" | "Xps" => &["Z", "\t"],
        _ => return env.unicode_class(name),
    };
    let mut members = Vec::new();
    for part in parts {
        match *part {
            "_" => members.push((0x5F, 0x5F)),
            "\t" => members.extend([(9, 13), (0x85, 0x85), (0x180E, 0x180E)]),
            name => members.extend(env.unicode_class(name)?),
        }
    }
    Some(members)
}
