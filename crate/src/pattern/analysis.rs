//! Facts about a pattern, read from its tree before it runs: the length of a part, the bytes that a match can begin
//! with, the text that every match contains.

use super::set::CharSet;
use super::syntax::{Assertion, Node};

/// How many characters a part takes, if it is always the same number.
pub fn fixed_length(node: &Node) -> Option<u32> {
    match node {
        Node::Char(_) | Node::Set(_) => Some(1),
        Node::Empty | Node::Fail | Node::Assert(_) | Node::Keep | Node::Look { .. } => Some(0),
        Node::Sequence(parts) => parts
            .iter()
            .try_fold(0u32, |sum, part| sum.checked_add(fixed_length(part)?)),
        Node::Alternatives(branches) => same_length(branches),
        Node::Repeat { node, min, max, .. } if min == max => fixed_length(node)?.checked_mul(*min),
        Node::Group(_, node) | Node::Atomic(node) => fixed_length(node),
        Node::Condition { yes, no, .. } => {
            fixed_length(yes).filter(|length| fixed_length(no) == Some(*length))
        }
        Node::Repeat { .. } | Node::Reference { .. } | Node::Call(_) => None,
    }
}

fn same_length(branches: &[Node]) -> Option<u32> {
    let first = fixed_length(branches.first()?)?;
    branches
        .iter()
        .all(|branch| fixed_length(branch) == Some(first))
        .then_some(first)
}

/// Whether a part may take nothing.
pub fn is_nullable(node: &Node) -> bool {
    match node {
        Node::Char(_) | Node::Set(_) | Node::Fail => false,
        Node::Sequence(parts) => parts.iter().all(is_nullable),
        Node::Alternatives(branches) => branches.iter().any(is_nullable),
        Node::Repeat { node, min, .. } => *min == 0 || is_nullable(node),
        Node::Group(_, node) | Node::Atomic(node) => is_nullable(node),
        Node::Condition { yes, no, .. } => is_nullable(yes) || is_nullable(no),
        _ => true,
    }
}

/// Whether a match can only begin where the text does.
pub fn is_anchored(node: &Node) -> bool {
    match node {
        Node::Assert(Assertion::TextStart) => true,
        Node::Sequence(parts) => parts
            .iter()
            .find(|part| !matches!(part, Node::Keep | Node::Empty))
            .is_some_and(is_anchored),
        Node::Alternatives(branches) => branches.iter().all(is_anchored),
        Node::Repeat { node, min, .. } => *min > 0 && is_anchored(node),
        Node::Group(_, node) | Node::Atomic(node) => is_anchored(node),
        _ => false,
    }
}

/// Adds the bytes that a part may begin with: `a` and `b` for `(?:a|b)c`. `false`: the part may take nothing, so the
/// parts after it count too; `None`: it may begin with anything.
pub fn first_bytes(node: &Node, bytes: &mut [bool; 256]) -> Option<bool> {
    match node {
        Node::Char(character) => {
            let mut buffer = [0; 4];
            let first = character.encode_utf8(&mut buffer).as_bytes()[0];
            bytes[usize::from(first)] = true;
            Some(true)
        }
        Node::Set(set) => {
            add_set(set, bytes);
            Some(true)
        }
        Node::Fail => Some(true),
        Node::Empty | Node::Assert(_) | Node::Keep | Node::Look { .. } => Some(false),
        Node::Sequence(parts) => {
            for part in parts {
                if first_bytes(part, bytes)? {
                    return Some(true);
                }
            }
            Some(false)
        }
        Node::Alternatives(branches) => {
            let mut takes = true;
            for branch in branches {
                takes &= first_bytes(branch, bytes)?;
            }
            Some(takes)
        }
        Node::Repeat { max: 0, .. } => Some(false),
        Node::Repeat { node, min, .. } => Some(first_bytes(node, bytes)? && *min > 0),
        Node::Group(_, node) | Node::Atomic(node) => first_bytes(node, bytes),
        Node::Reference { .. } | Node::Call(_) | Node::Condition { .. } => None,
    }
}

fn add_set(set: &CharSet, bytes: &mut [bool; 256]) {
    for byte in 0..128 {
        bytes[usize::from(byte)] |= set.has_ascii(byte);
    }
    if set.may_be_non_ascii() {
        bytes[0xC2..=0xF4].fill(true);
    }
}

/// The bytes that every match begins with.
pub fn prefix(node: &Node, bytes: &mut Vec<u8>) -> bool {
    match node {
        Node::Char(character) => {
            let mut buffer = [0; 4];
            bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            true
        }
        Node::Sequence(parts) => parts.iter().all(|part| prefix(part, bytes)),
        Node::Group(_, node) | Node::Atomic(node) => prefix(node, bytes),
        Node::Empty => true,
        Node::Repeat { node, min, max, .. } if *min > 0 => {
            prefix(node, bytes) && (*min, *max) == (1, 1)
        }
        _ => false,
    }
}

/// The longest literal that every match contains.
pub fn required(node: &Node) -> Vec<u8> {
    let parts = match node {
        Node::Sequence(parts) => parts.as_slice(),
        Node::Group(_, node) | Node::Atomic(node) => return required(node),
        Node::Repeat { node, min, .. } if *min > 0 => return required(node),
        single => std::slice::from_ref(single),
    };
    let mut longest = Vec::new();
    let mut current = Vec::new();
    for part in parts {
        if let Node::Char(_) = part {
            prefix(part, &mut current);
            continue;
        }
        let inside = match part {
            Node::Assert(_) | Node::Look { .. } | Node::Keep | Node::Empty => continue,
            Node::Group(..) | Node::Atomic(_) | Node::Sequence(_) => required(part),
            Node::Repeat { min: 1.., .. } => required(part),
            _ => Vec::new(),
        };
        for found in [std::mem::take(&mut current), inside] {
            if found.len() > longest.len() {
                longest = found;
            }
        }
    }
    if current.len() > longest.len() {
        longest = current;
    }
    longest
}

/// The set of a part that is one character.
pub fn single(node: &Node) -> Option<CharSet> {
    match node {
        Node::Char(character) => {
            let point = u32::from(*character);
            Some(CharSet::of(&[(point, point)]))
        }
        Node::Set(set) => Some((**set).clone()),
        _ => None,
    }
}

/// Whether remembering failed positions would be wrong: captures or calls decide too, as in `(a|b)\1`.
pub fn depends_on_history(node: &Node) -> bool {
    match node {
        Node::Reference { .. } | Node::Call(_) | Node::Condition { .. } => true,
        Node::Sequence(parts) | Node::Alternatives(parts) => parts.iter().any(depends_on_history),
        Node::Repeat { node, .. }
        | Node::Group(_, node)
        | Node::Atomic(node)
        | Node::Look { node, .. } => depends_on_history(node),
        _ => false,
    }
}
