//! Classes in brackets.

use super::class::of_posix;
use super::parse::{Parse, Parser};
use super::parse_escape::Escape;
use super::set::{Range, SetBuilder, complement};
use super::syntax::Node;

const INVALID_RANGE: &str = "invalid range in character class";

/// The item of a class that was read last: it decides what a hyphen behind it means.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// The beginning of the class, or the end of a range: a hyphen is text.
    Edge,
    /// A character, which may begin a range.
    Character(char),
    /// A named class: a hyphen may only end the class.
    Named,
}

impl Parser<'_> {
    /// Reads a class; the bracket is taken.
    pub fn class(&mut self) -> Parse<Node> {
        if self.posix_end().is_some() {
            return Err("POSIX named classes are supported only within a class");
        }
        let mut builder = SetBuilder {
            is_negated: self.take("^"),
            ..SetBuilder::default()
        };
        let mut last = Last::Edge;
        let mut is_first = true;
        loop {
            if self.take("\\E") || self.blank_in_class() {
                continue;
            }
            if self.take("\\Q") {
                is_first &= self.rest().starts_with("\\E");
                self.quoted(&mut builder, &mut last);
                continue;
            }
            if !is_first && self.take("]") {
                break;
            }
            is_first = false;
            if self.rest().starts_with('-')
                && last != Last::Edge
                && !self.rest().starts_with("-]")
                && self.at + 1 < self.pattern.len()
            {
                let Last::Character(from) = last else {
                    return Err(INVALID_RANGE);
                };
                self.next();
                let Ok(to) = self.member()? else {
                    return Err(INVALID_RANGE);
                };
                if from > to {
                    return Err("range out of order in character class");
                }
                builder.written.push((from.into(), to.into()));
                last = Last::Edge;
                continue;
            }
            last = match self.member()? {
                Ok(character) => {
                    builder.written.push((character.into(), character.into()));
                    Last::Character(character)
                }
                Err(named) => {
                    builder.named.extend(named);
                    Last::Named
                }
            };
        }
        Ok(Node::set(builder.build(self.modes.ignore_case)))
    }

    fn blank_in_class(&mut self) -> bool {
        self.modes.extended_more && (self.take(" ") || self.take("\t"))
    }

    /// Takes characters up to `\E`.
    fn quoted(&mut self, builder: &mut SetBuilder, last: &mut Last) {
        while !self.rest().is_empty() && !self.take("\\E") {
            if let Some(character) = self.next() {
                builder.written.push((character.into(), character.into()));
                *last = Last::Character(character);
            }
        }
    }

    /// One character, or the members of a named class.
    fn member(&mut self) -> Parse<Result<char, Vec<Range>>> {
        if let Some(length) = self.posix_end_in_class() {
            return self.posix(length).map(Err);
        }
        match self.next() {
            None => Err("missing terminating ] for character class"),
            Some('\\') => match self.escape(true)? {
                Escape::Character(character) => Ok(Ok(character)),
                Escape::Class(ranges) => Ok(Err(ranges)),
                Escape::Node(_) => Err("invalid escape sequence in character class"),
            },
            Some(character) => Ok(Ok(character)),
        }
    }

    fn posix_end_in_class(&self) -> Option<usize> {
        let rest = self.rest().strip_prefix('[')?;
        posix_end(rest)
    }

    fn posix_end(&self) -> Option<usize> {
        posix_end(self.rest())
    }

    /// A POSIX class from its bracket on; `length` is that of colon, name and colon.
    fn posix(&mut self, length: usize) -> Parse<Vec<Range>> {
        let inside = self.pattern.get(self.at + 1..self.at + 1 + length);
        let inside = inside.unwrap_or_default();
        let Some(name) = inside
            .strip_prefix(':')
            .and_then(|name| name.strip_suffix(':'))
        else {
            return Err("POSIX collating elements are not supported");
        };
        let bare = name.strip_prefix('^').unwrap_or(name);
        let members = of_posix(bare, self.modes.ignore_case).ok_or("unknown POSIX class name")?;
        let is_negated = bare.len() < name.len();
        self.at += length + 2;
        Ok(if is_negated {
            complement(members)
        } else {
            members.to_vec()
        })
    }
}

/// The length of `:name:`, `.name.` or `=name=` where it ends with a bracket.
fn posix_end(rest: &str) -> Option<usize> {
    let mark = rest.chars().next().filter(|mark| ":.=".contains(*mark))?;
    let name = rest.get(1..)?;
    let end = name.find([']', '[', '\\'])?;
    (end > 0 && name.as_bytes()[end] == b']' && name.as_bytes()[end - 1] == mark as u8)
        .then_some(end + 1)
}
