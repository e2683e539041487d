//! A pattern as a tree.
//!
//! Invariant: groups nest at most `MAX_NESTING` deep, so functions over the tree may recurse.

use super::set::CharSet;

/// The most groups inside one another, as PCRE2 counts them.
pub const MAX_NESTING: u32 = 250;

/// No upper bound of a repetition.
pub const UNBOUNDED: u32 = u32::MAX;

/// A part of a pattern.
#[derive(Debug)]
pub enum Node {
    Empty,
    /// Never matches.
    Fail,
    /// One character, exactly.
    Char(char),
    /// One character of a set.
    Set(Box<CharSet>),
    Assert(Assertion),
    /// `\K`: the match begins here.
    Keep,
    Sequence(Vec<Node>),
    /// The first alternative that lets the rest match.
    Alternatives(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: u32,
        mode: Mode,
    },
    /// A capturing group.
    Group(u32, Box<Node>),
    /// Once its inside has matched, no other way through it is tried.
    Atomic(Box<Node>),
    Look {
        behind: bool,
        negative: bool,
        node: Box<Node>,
    },
    /// The text that a group captured.
    Reference {
        to: Target,
        fold: bool,
    },
    /// A group's pattern once more.
    Call(Target),
    Condition {
        test: Test,
        yes: Box<Node>,
        no: Box<Node>,
    },
}

/// How a repetition chooses its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Greedy,
    Lazy,
    Possessive,
}

/// A condition on a position: it takes no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assertion {
    TextStart,
    /// After a line's end, but not at the end of the text.
    LineStart,
    TextEnd,
    /// At the end of the text, or before the line end that ends it.
    LastLineEnd,
    LineEnd,
    WordBoundary,
    NotWordBoundary,
    /// Where the search began.
    SearchStart,
}

/// A group, as a pattern names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Number(u32),
    Name(Box<str>),
}

/// The question of a conditional group, `(?(…)yes|no)`.
#[derive(Debug)]
pub enum Test {
    /// Whether the group took part.
    Captured(Target),
    /// Whether the pattern is being called (this group of it, if one is named).
    Called(Option<Target>),
    /// A look around.
    Look(Box<Node>),
    /// Never: the group is there to be called.
    Define,
}

impl Node {
    /// The sequence of some parts.
    pub fn sequence(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            0 => Self::Empty,
            1 => parts.pop().unwrap_or(Self::Empty),
            _ => Self::Sequence(parts),
        }
    }

    /// One of some alternatives.
    pub fn alternatives(mut branches: Vec<Self>) -> Self {
        match branches.len() {
            1 => branches.pop().unwrap_or(Self::Empty),
            _ => Self::Alternatives(branches),
        }
    }

    pub fn set(set: CharSet) -> Self {
        Self::Set(Box::new(set))
    }
}
