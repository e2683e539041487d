//! Reading a pattern into a tree, as PCRE2 10.42 reads it with the options that the server sets.
//!
//! Invariant: an error is worded as PCRE2 words it, and syntax that PCRE2 knows and this module does not is refused by
//! its name, never taken for other syntax.

use super::class::VERTICAL;
use super::fold::{fold, is_folded_to};
use super::parse_escape::Escape;
use super::search::find;
use super::set::CharSet;
use super::syntax::{Assertion, MAX_NESTING, Mode, Node, Target, UNBOUNDED};
use crate::env::Env;

/// Why a pattern is none.
pub type Refusal = &'static str;
pub type Parse<T> = Result<T, Refusal>;

/// The most that a quantifier counts to.
const MOST_REPEATS: u32 = 65535;

/// The options that `(?imsxnU)` turns on and off from its place in the pattern.
#[derive(Debug, Clone, Copy, Default)]
pub struct Modes {
    pub ignore_case: bool,
    pub multiline: bool,
    pub dot_all: bool,
    pub extended: bool,
    /// Spaces and tabs in classes do not count either.
    pub extended_more: bool,
    /// Plain parentheses do not capture.
    pub no_captures: bool,
    /// Quantifiers are lazy, and greedy with a question mark.
    pub ungreedy: bool,
}

/// A pattern that was read.
#[derive(Debug)]
pub struct Parsed {
    pub node: Node,
    /// How many groups capture.
    pub groups: u32,
    pub names: Vec<(Box<str>, u32)>,
}

impl Parsed {
    /// The number of a group.
    ///
    /// # Errors
    /// There is no such group.
    pub fn number(&self, target: &Target) -> Parse<u32> {
        let number = match target {
            Target::Number(number) => Some(*number).filter(|number| *number <= self.groups),
            Target::Name(name) => {
                let mut names = self.names.iter();
                names
                    .find(|(known, _)| known == name)
                    .map(|(_, number)| *number)
            }
        };
        number.ok_or("reference to non-existent subpattern")
    }
}

pub(super) struct Parser<'p> {
    pub pattern: &'p str,
    pub at: usize,
    pub modes: Modes,
    pub groups: u32,
    pub names: Vec<(Box<str>, u32)>,
    pub nesting: u32,
    /// How many looks around are open.
    pub looks: u32,
    pub env: &'p dyn Env,
}

/// Reads a pattern with the server's options (`i`, `m`, `s`, `x`, `u`).
///
/// # Errors
/// Why it is none.
pub fn parse(pattern: &str, options: &str, env: &dyn Env) -> Parse<Parsed> {
    let mut parser = Parser {
        pattern,
        at: 0,
        modes: Modes {
            ignore_case: options.contains('i'),
            multiline: options.contains('m'),
            dot_all: options.contains('s'),
            extended: options.contains('x'),
            ..Modes::default()
        },
        groups: 0,
        names: Vec::new(),
        nesting: 0,
        looks: 0,
        env,
    };
    // These ask for behaviour that this parser has without being asked.
    let asked = [
        "(*UTF8)",
        "(*UTF)",
        "(*NO_START_OPT)",
        "(*NO_AUTO_POSSESS)",
        "(*NO_JIT)",
        "(*LF)",
        "(*BSR_UNICODE)",
    ];
    while asked.iter().any(|word| parser.take(word)) {}
    let node = Node::alternatives(parser.branches(false)?);
    if parser.peek().is_some() {
        return Err("unmatched closing parenthesis");
    }
    Ok(Parsed {
        node,
        groups: parser.groups,
        names: parser.names,
    })
}

impl<'p> Parser<'p> {
    #[inline(never)]
    pub fn rest(&self) -> &'p str {
        self.pattern.get(self.at..).unwrap_or_default()
    }

    #[inline(never)]
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    #[inline(never)]
    pub fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes `word` if the rest of the pattern begins with it.
    #[inline(never)]
    pub fn take(&mut self, word: &str) -> bool {
        let is_here = self.rest().starts_with(word);
        if is_here {
            self.at += word.len();
        }
        is_here
    }

    /// Takes the characters of a kind that come.
    #[inline(never)]
    pub fn take_while(&mut self, kind: fn(char) -> bool) -> &'p str {
        let start = self.at;
        while self.peek().is_some_and(kind) {
            self.next();
        }
        self.pattern.get(start..self.at).unwrap_or_default()
    }

    /// Alternatives up to a closing parenthesis or the end. With `reset`, all of them number their groups alike.
    pub fn branches(&mut self, reset: bool) -> Parse<Vec<Node>> {
        let first = self.groups;
        let mut most = first;
        let mut branches = Vec::new();
        loop {
            branches.push(self.branch()?);
            most = most.max(self.groups);
            if !self.take("|") {
                self.groups = most;
                return Ok(branches);
            }
            if reset {
                self.groups = first;
            }
        }
    }

    fn branch(&mut self) -> Parse<Node> {
        let mut parts: Vec<Node> = Vec::new();
        // Whether a quantifier may follow.
        let mut repeatable = false;
        while let Some(next) = self.peek() {
            match next {
                '|' | ')' => break,
                '\\' if self.take("\\Q") => {
                    let rest = self.rest();
                    let length = find(rest.as_bytes(), 0, b"\\E").unwrap_or(rest.len());
                    let quoted = rest.get(..length).unwrap_or_default().to_owned();
                    self.at += length;
                    self.take("\\E");
                    parts.extend(quoted.chars().map(|character| self.literal(character)));
                    repeatable |= !quoted.is_empty();
                    continue;
                }
                '\\' if self.take("\\E") => continue,
                '*' | '+' | '?' | '{' => {
                    if let Some((min, max)) = self.quantifier()? {
                        let Some(part) = parts.pop().filter(|_| repeatable) else {
                            return Err("quantifier does not follow a repeatable item");
                        };
                        parts.push(self.repeated(part, min, max));
                        repeatable = false;
                        continue;
                    }
                }
                '#' if self.modes.extended => {
                    self.take_while(|other| other != '\n');
                    continue;
                }
                space if self.modes.extended && is_space(space) => {
                    self.next();
                    continue;
                }
                '(' if self.rest().starts_with("(?#") => {
                    let end = self.rest().find(')').ok_or("missing ) after (?# comment")?;
                    self.at += end + 1;
                    continue;
                }
                _ => {}
            }
            self.next();
            repeatable = true;
            parts.push(match next {
                '\\' => match self.escape(false)? {
                    Escape::Character(character) => self.literal(character),
                    Escape::Class(ranges) => Node::set(CharSet::of(&ranges)),
                    Escape::Node(node) => {
                        repeatable = !matches!(node, Node::Assert(_) | Node::Keep);
                        node
                    }
                },
                '[' => match self.word_edge() {
                    Some(edge) => edge,
                    None => self.class()?,
                },
                '(' => match self.group()? {
                    Some(node) => node,
                    // Options were set.
                    None => {
                        repeatable = false;
                        continue;
                    }
                },
                '.' if self.modes.dot_all => Node::set(CharSet::of(&[(0, 0x10FFFF)])),
                '.' => Node::set(any_but_line_end()),
                '^' | '$' => {
                    repeatable = false;
                    Node::Assert(match (next, self.modes.multiline) {
                        ('^', false) => Assertion::TextStart,
                        ('^', true) => Assertion::LineStart,
                        (_, false) => Assertion::LastLineEnd,
                        (_, true) => Assertion::LineEnd,
                    })
                }
                other => self.literal(other),
            });
        }
        Ok(Node::sequence(parts))
    }

    /// A character that stands for itself, in all its cases where case does not count.
    pub fn literal(&self, character: char) -> Node {
        let is_cased = character.is_ascii_lowercase()
            || fold(character) != character
            || is_folded_to(character);
        if self.modes.ignore_case && is_cased {
            Node::set(CharSet::any_case(character))
        } else {
            Node::Char(character)
        }
    }

    /// The bounds of a quantifier; `None` for a brace that is text.
    fn quantifier(&mut self) -> Parse<Option<(u32, u32)>> {
        let simple = match self.peek() {
            Some('*') => (0, UNBOUNDED),
            Some('+') => (1, UNBOUNDED),
            Some('?') => (0, 1),
            _ => return self.counted(),
        };
        self.next();
        Ok(Some(simple))
    }

    fn counted(&mut self) -> Parse<Option<(u32, u32)>> {
        let start = self.at;
        self.next();
        let min = self.count();
        let has_comma = self.take(",");
        let max = self.count();
        let (Some(min), true) = (min, self.take("}")) else {
            self.at = start;
            return Ok(None);
        };
        let max = match (max, has_comma) {
            (Some(max), _) => max,
            (None, true) => UNBOUNDED,
            (None, false) => min,
        };
        if min > MOST_REPEATS || (max > MOST_REPEATS && max != UNBOUNDED) {
            return Err("number too big in {} quantifier");
        }
        if min > max {
            return Err("numbers out of order in {} quantifier");
        }
        Ok(Some((min, max)))
    }

    /// Whether the brace that comes is a quantifier.
    pub fn counts(&mut self) -> bool {
        let start = self.at;
        let counted = self.counted();
        self.at = start;
        !matches!(counted, Ok(None))
    }

    fn count(&mut self) -> Option<u32> {
        let digits = self.take_while(|digit| digit.is_ascii_digit());
        // A count that overflows is above `MOST_REPEATS` in any case, so the caller refuses it.
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(UNBOUNDED - 1))
    }

    fn repeated(&mut self, node: Node, min: u32, max: u32) -> Node {
        let mode = if self.take("+") {
            Mode::Possessive
        } else if self.take("?") != self.modes.ungreedy {
            Mode::Lazy
        } else {
            Mode::Greedy
        };
        let (min, max) = match node {
            // Once says all.
            Node::Look { .. } => (min.min(1), max.min(1)),
            _ => (min, max),
        };
        if (min, max) == (1, 1) {
            return match mode {
                Mode::Possessive => Node::Atomic(Box::new(node)),
                _ => node,
            };
        }
        Node::Repeat {
            node: Box::new(node),
            min,
            max,
            mode,
        }
    }

    /// `[[:<:]]` and `[[:>:]]`: where a word begins and where it ends. The bracket before is taken.
    fn word_edge(&mut self) -> Option<Node> {
        let behind = if self.take("[:<:]]") {
            false
        } else if self.take("[:>:]]") {
            true
        } else {
            return None;
        };
        let word = super::class::of_letter('w').unwrap_or_default();
        Some(Node::Sequence(vec![
            Node::Assert(Assertion::WordBoundary),
            Node::Look {
                behind,
                negative: false,
                node: Box::new(Node::set(CharSet::of(&word))),
            },
        ]))
    }

    /// Goes into a group.
    pub fn enter(&mut self) -> Parse<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err("parentheses are too deeply nested");
        }
        Ok(())
    }

    /// Leaves a group at its closing parenthesis.
    pub fn leave(&mut self) -> Parse<()> {
        self.nesting -= 1;
        if !self.take(")") {
            return Err("missing closing parenthesis");
        }
        Ok(())
    }
}

/// `\N`, and the dot where it does not take line ends.
pub(super) fn any_but_line_end() -> CharSet {
    CharSet::of(&[(0, 9), (11, 0x10FFFF)])
}

/// `\R`: a line end of any kind.
pub(super) fn line_end() -> Node {
    Node::Atomic(Box::new(Node::Alternatives(vec![
        Node::Sequence(vec![Node::Char('\r'), Node::Char('\n')]),
        Node::set(CharSet::of(VERTICAL)),
    ])))
}

/// White space that does not count in an extended pattern.
fn is_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r' | ' ' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
    )
}
