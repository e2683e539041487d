//! Groups: an opening parenthesis and its kind, such as `(`, `(?:`, `(?<name>`, `(?=`, `(?(1)`, `(*atomic:`.

use super::class::of_property;
use super::parse::{Modes, Parse, Parser};
use super::set::contains;
use super::syntax::{Node, Target, Test};
use std::cell::LazyCell;

const AFTER_QUESTION: &str = "unrecognized character after (? or (?-";
const AFTER_CONDITION: &str = "malformed number or name after (?(";
/// Longest name of a group.
const LONGEST_NAME: usize = 32;
/// The looks around and atomic groups that have a name too.
const WORDS: &[(&str, &str)] = &[
    ("*atomic:", "?>"),
    ("*nla:", "?!"),
    ("*nlb:", "?<!"),
    ("*negative_lookahead:", "?!"),
    ("*negative_lookbehind:", "?<!"),
    ("*pla:", "?="),
    ("*plb:", "?<="),
    ("*positive_lookahead:", "?="),
    ("*positive_lookbehind:", "?<="),
];

impl Parser<'_> {
    /// Reads a group; its parenthesis is taken. `None` for options that hold from here on.
    pub fn group(&mut self) -> Parse<Option<Node>> {
        let kind = match WORDS.iter().find(|(word, _)| self.rest().starts_with(word)) {
            Some((word, kind)) => {
                self.at += word.len();
                kind
            }
            None => self.kind()?,
        };
        let node = match kind {
            "" if self.modes.no_captures => self.inside(false)?,
            "" => self.capture(None)?,
            "?:" => self.inside(false)?,
            "?|" => self.inside(true)?,
            "?>" => Node::Atomic(Box::new(self.inside(false)?)),
            "?=" => self.look(false, false)?,
            "?!" => self.look(false, true)?,
            "?<=" => self.look(true, false)?,
            "?<!" => self.look(true, true)?,
            "?P=" => {
                let to = Target::Name(self.name(")")?);
                let fold = self.modes.ignore_case;
                Node::Reference { to, fold }
            }
            "?P>" | "?&" => Node::Call(Target::Name(self.name(")")?)),
            "?P<" | "?<" => {
                let name = self.name(">")?;
                self.capture(Some(name))?
            }
            "?'" => {
                let name = self.name("'")?;
                self.capture(Some(name))?
            }
            "?(" => self.condition()?,
            "*" => return self.verb().map(Some),
            _ => return self.call_or_options(),
        };
        Ok(Some(node))
    }

    /// How a group begins.
    fn kind(&mut self) -> Parse<&'static str> {
        const KINDS: &[&str] = &[
            "?:", "?|", "?>", "?=", "?!", "?<=", "?<!", "?P=", "?P>", "?P<", "?&", "?'", "?(",
            "?<", "?",
        ];
        let rest = self.rest();
        if rest.starts_with("?P")
            && !["=", ">", "<"]
                .iter()
                .any(|mark| rest[2..].starts_with(mark))
        {
            return Err("unrecognized character after (?P");
        }
        if rest.starts_with("?C") {
            return Err("callouts are not supported");
        }
        let mut after = rest.chars();
        if after.next() == Some('*')
            && after
                .next()
                .is_some_and(|mark| mark == ':' || mark.is_ascii_alphabetic())
        {
            self.at += 1;
            return Ok("*");
        }
        let kind = KINDS.iter().find(|kind| rest.starts_with(**kind));
        let kind = kind.copied().unwrap_or_default();
        self.at += kind.len();
        Ok(kind)
    }

    /// Alternatives up to the parenthesis that closes the group.
    fn inside(&mut self, reset: bool) -> Parse<Node> {
        self.enter()?;
        let modes = self.modes;
        let branches = self.branches(reset)?;
        self.modes = modes;
        self.leave()?;
        // A group of its own, so that a quantifier after it repeats the whole.
        Ok(Node::alternatives(branches))
    }

    fn capture(&mut self, name: Option<Box<str>>) -> Parse<Node> {
        self.groups += 1;
        let group = self.groups;
        if group > 65535 {
            return Err("too many capturing groups (maximum 65535)");
        }
        if let Some(name) = name {
            let mut known = self.names.iter();
            match known.find(|(other, number)| *other == name || *number == group) {
                None => self.names.push((name, group)),
                Some((other, number)) if *other == name && *number == group => {}
                Some((other, _)) if *other == name => {
                    return Err(
                        "two named subpatterns have the same name (PCRE2_DUPNAMES not set)",
                    );
                }
                Some(_) => {
                    return Err(
                        "different names for subpatterns of the same number are not allowed",
                    );
                }
            }
        }
        Ok(Node::Group(group, Box::new(self.inside(false)?)))
    }

    fn look(&mut self, behind: bool, negative: bool) -> Parse<Node> {
        self.looks += 1;
        let node = Box::new(self.inside(false)?);
        self.looks -= 1;
        Ok(Node::Look {
            behind,
            negative,
            node,
        })
    }

    /// A group's name and the mark that ends it.
    pub fn name(&mut self, close: &str) -> Parse<Box<str>> {
        // Letters, decimal digits and `_`; the host is asked where a name goes beyond ASCII.
        let env = self.env;
        let class = |name| LazyCell::new(move || of_property(name, env).unwrap_or_default());
        let (letters, digits) = (class("L"), class("Nd"));
        let is_digit = |mark: char| match mark.is_ascii() {
            true => mark.is_ascii_digit(),
            false => contains(&digits, u32::from(mark)),
        };
        let is_letter = |mark: char| match mark.is_ascii() {
            true => mark.is_ascii_alphabetic() || mark == '_',
            false => contains(&letters, u32::from(mark)),
        };
        let start = self.at;
        while self
            .peek()
            .is_some_and(|mark| is_letter(mark) || is_digit(mark))
        {
            self.next();
        }
        let name: Box<str> = self.pattern.get(start..self.at).unwrap_or_default().into();
        match name.chars().next() {
            None => return Err("subpattern name expected"),
            Some(first) if is_digit(first) => {
                return Err("subpattern name must start with a non-digit");
            }
            Some(_) if name.len() > LONGEST_NAME => {
                return Err("subpattern name is too long (maximum 32 code units)");
            }
            Some(_) => {}
        }
        if !self.take(close) {
            return Err(match close {
                ")" => "missing closing parenthesis",
                _ => "syntax error in subpattern name (missing terminator?)",
            });
        }
        Ok(name)
    }

    /// After `(?`: a call by number, or options.
    fn call_or_options(&mut self) -> Parse<Option<Node>> {
        if self.take("R)") {
            return Ok(Some(Node::Call(Target::Number(0))));
        }
        if self.take("R") {
            return Err("(?R (recursive pattern call) must be followed by a closing parenthesis");
        }
        let is_signed = self.rest().starts_with('+');
        if let Some(target) = self.number()? {
            return match self.take(")") {
                true => Ok(Some(Node::Call(target))),
                false => {
                    Err("(?R (recursive pattern call) must be followed by a closing parenthesis")
                }
            };
        }
        if is_signed {
            return Err("digit expected after (?+ or (?-");
        }
        let mut modes = if self.take("^") {
            Modes {
                ungreedy: self.modes.ungreedy,
                ..Modes::default()
            }
        } else {
            self.modes
        };
        let mut value = true;
        loop {
            match self.next() {
                Some('-') if value => value = false,
                Some('i') => modes.ignore_case = value,
                Some('m') => modes.multiline = value,
                Some('s') => modes.dot_all = value,
                Some('n') => modes.no_captures = value,
                Some('U') => modes.ungreedy = value,
                Some('x') => {
                    modes.extended = value;
                    modes.extended_more = value && self.take("x");
                }
                Some(')') => {
                    self.modes = modes;
                    return Ok(None);
                }
                Some(':') => {
                    let outer = std::mem::replace(&mut self.modes, modes);
                    let node = self.inside(false)?;
                    self.modes = outer;
                    return Ok(Some(node));
                }
                Some('J') => return Err("the inline option J is not supported"),
                Some(_) => return Err(AFTER_QUESTION),
                None => return Err("missing closing parenthesis"),
            }
        }
    }

    /// After `(?(`.
    fn condition(&mut self) -> Parse<Node> {
        self.enter()?;
        let outer = self.modes;
        let test = self.test()?;
        let mut branches = self.branches(false)?.into_iter();
        let (yes, no) = (branches.next(), branches.next());
        if matches!(test, Test::Define) && no.is_some() {
            return Err("DEFINE subpattern contains more than one branch");
        }
        if branches.next().is_some() {
            return Err("conditional subpattern contains more than two branches");
        }
        self.modes = outer;
        self.leave()?;
        Ok(Node::Condition {
            test,
            yes: Box::new(yes.unwrap_or(Node::Empty)),
            no: Box::new(no.unwrap_or(Node::Empty)),
        })
    }

    fn test(&mut self) -> Parse<Test> {
        if self.rest().starts_with(['?', '*']) {
            return match self.group()? {
                Some(look @ Node::Look { .. }) => Ok(Test::Look(Box::new(look))),
                _ => Err("assertion expected after (?( or (?(?C)"),
            };
        }
        if let Some(target) = self.number()? {
            return match target {
                Target::Number(0) => Err("invalid condition (?(0)"),
                _ => self.closed(Test::Captured(target)),
            };
        }
        for (open, close) in [("<", ">"), ("'", "'")] {
            if self.take(open) {
                let name = self.name(close)?;
                return self.closed(Test::Captured(Target::Name(name)));
            }
        }
        if self.take("R&") {
            let name = self.name(")")?;
            return Ok(Test::Called(Some(Target::Name(name))));
        }
        let rest = self.rest();
        let digits = rest.strip_prefix('R').and_then(|rest| rest.split_once(')'));
        if let Some((digits, _)) = digits
            && digits.bytes().all(|digit| digit.is_ascii_digit())
        {
            let length = digits.len() + 2;
            let group = match digits {
                "" => None,
                digits => Some(Target::Number(
                    digits.parse().map_err(|_| "number is too big")?,
                )),
            };
            self.at += length;
            return Ok(Test::Called(group));
        }
        if self.take("DEFINE)") {
            return Ok(Test::Define);
        }
        if self.rest().starts_with("VERSION") {
            return Err("(?(VERSION is not supported");
        }
        match self.name(")") {
            Ok(name) => Ok(Test::Captured(Target::Name(name))),
            Err(_) => Err(AFTER_CONDITION),
        }
    }

    fn closed(&mut self, test: Test) -> Parse<Test> {
        match self.take(")") {
            true => Ok(test),
            false => Err("missing closing parenthesis for condition"),
        }
    }

    /// After `(*`.
    fn verb(&mut self) -> Parse<Node> {
        if self.take("F)") || self.take("FAIL)") {
            return Ok(Node::Fail);
        }
        let word = self.take_while(|mark| mark.is_ascii_alphabetic() || mark == '_');
        Err(match word {
            "ACCEPT" | "COMMIT" | "MARK" | "PRUNE" | "SKIP" | "THEN" | "" => {
                "verbs other than (*FAIL) are not supported"
            }
            "UCP" => "(*UCP) is not supported",
            "napla" | "naplb" | "sr" | "asr" | "script_run" | "atomic_script_run" => {
                "script runs and non-atomic lookarounds are not supported"
            }
            _ => "(*VERB) not recognized or malformed",
        })
    }
}
