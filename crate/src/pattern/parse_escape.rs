//! Escapes: a backslash and the letters behind it, such as `\d`, `\x{e9}`, `\p{Greek}`, `\k<name>`.

use super::class::{of_letter, of_property};
use super::parse::{Parse, Parser, any_but_line_end, line_end};
use super::set::{Range, complement};
use super::syntax::{Assertion, Node, Target};

const NO_REFERENCE: &str =
    "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number";
const NO_NAME: &str = "\\k is not followed by a braced, angle-bracketed, or quoted name";

/// The meaning of an escape.
pub(super) enum Escape {
    Character(char),
    Class(Vec<Range>),
    Node(Node),
}

impl Parser<'_> {
    /// Reads an escape; the backslash is taken.
    pub fn escape(&mut self, in_class: bool) -> Parse<Escape> {
        let Some(letter) = self.peek() else {
            return Err("\\ at end of pattern");
        };
        if letter.is_ascii_digit() {
            return self.digits(in_class);
        }
        self.next();
        if let Some(ranges) = of_letter(letter) {
            return Ok(Escape::Class(ranges));
        }
        let node = match letter {
            'a' => return Ok(Escape::Character('\x07')),
            'e' => return Ok(Escape::Character('\x1b')),
            'f' => return Ok(Escape::Character('\x0c')),
            'n' => return Ok(Escape::Character('\n')),
            'r' => return Ok(Escape::Character('\r')),
            't' => return Ok(Escape::Character('\t')),
            'b' if in_class => return Ok(Escape::Character('\x08')),
            'c' => return self.control(),
            'o' => {
                if !self.take("{") {
                    return Err("missing opening brace after \\o");
                }
                return self.braced_code(8);
            }
            'x' if self.take("{") => return self.braced_code(16),
            'x' => return self.code(16, 2),
            'p' | 'P' => return self.property(letter == 'P'),
            'N' if self.take("{U+") => return self.braced_code(16),
            'N' if in_class => return Err("\\N is not supported in a class"),
            'B' | 'R' | 'X' if in_class => {
                return Err("invalid escape sequence in character class");
            }
            'F' | 'L' | 'l' | 'U' | 'u' => {
                return Err("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
            }
            'X' => return Err("\\X is not supported"),
            'C' => return Err("\\C is not supported"),
            'N' if self.rest().starts_with('{') && !self.counts() => {
                return Err("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
            }
            'N' => Node::set(any_but_line_end()),
            'R' => line_end(),
            'A' if !in_class => Node::Assert(Assertion::TextStart),
            'Z' if !in_class => Node::Assert(Assertion::LastLineEnd),
            'z' if !in_class => Node::Assert(Assertion::TextEnd),
            'G' if !in_class => Node::Assert(Assertion::SearchStart),
            'b' => Node::Assert(Assertion::WordBoundary),
            'B' => Node::Assert(Assertion::NotWordBoundary),
            'K' if !in_class && self.looks > 0 => {
                return Err(
                    "\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)",
                );
            }
            'K' if !in_class => Node::Keep,
            'g' if !in_class => return self.reference(),
            'k' if !in_class => {
                let close = self.opened(NO_NAME)?;
                let name = self.name(close)?;
                return Ok(self.reference_to(Target::Name(name)));
            }
            other if other.is_ascii_alphanumeric() => {
                return Err("unrecognized character follows \\");
            }
            other => return Ok(Escape::Character(other)),
        };
        Ok(Escape::Node(node))
    }

    fn reference_to(&self, to: Target) -> Escape {
        Escape::Node(Node::Reference {
            to,
            fold: self.modes.ignore_case,
        })
    }

    /// The bracket that closes the one that comes.
    fn opened(&mut self, refusal: &'static str) -> Parse<&'static str> {
        Ok(match self.next() {
            Some('<') => ">",
            Some('\'') => "'",
            Some('{') => "}",
            _ => return Err(refusal),
        })
    }

    /// After `\g`: a reference in braces or plain, a call in angle brackets or quotes.
    fn reference(&mut self) -> Parse<Escape> {
        if let Some(target) = self.number()? {
            return Ok(self.reference_to(target));
        }
        let close = self.opened(NO_REFERENCE)?;
        let target = match self.number()? {
            Some(target) if self.take(close) => target,
            Some(_) => return Err(NO_REFERENCE),
            None => Target::Name(self.name(close)?),
        };
        if close == "}" {
            return match target {
                Target::Number(0) => Err("a numbered reference must not be zero"),
                target => Ok(self.reference_to(target)),
            };
        }
        Ok(Escape::Node(Node::Call(target)))
    }

    /// A group's number, counted from here with a sign; `None` where none comes.
    pub fn number(&mut self) -> Parse<Option<Target>> {
        let start = self.at;
        let sign = self
            .peek()
            .filter(|sign| matches!(sign, '+' | '-'))
            .inspect(|_| self.at += 1);
        let digits = self.take_while(|digit| digit.is_ascii_digit());
        if digits.is_empty() {
            self.at = start;
            return Ok(None);
        }
        let number: u32 = digits.parse().map_err(|_| "number is too big")?;
        let counted = match sign {
            _ if number > 65535 => return Err("number is too big"),
            None => Some(number),
            Some(_) if number == 0 => {
                return Err("(?+ or (?- or (?(+ or (?(- or \\g+ or \\g- cannot be followed by 0");
            }
            Some('-') => (self.groups + 1)
                .checked_sub(number)
                .filter(|group| *group > 0),
            Some(_) => Some(self.groups + number),
        };
        match counted {
            Some(number) => Ok(Some(Target::Number(number))),
            None => Err("reference to non-existent subpattern"),
        }
    }

    /// `\1`: a reference outside a class where there are so many groups or it has one digit; otherwise octal.
    fn digits(&mut self, in_class: bool) -> Parse<Escape> {
        let start = self.at;
        let digits = self.take_while(|digit| digit.is_ascii_digit());
        let (first, length) = (digits.as_bytes()[0], digits.len());
        let number = digits.parse().unwrap_or(u32::MAX);
        if !in_class && first != b'0' && (length == 1 || first >= b'8' || number <= self.groups) {
            if number > 65535 {
                return Err("number is too big");
            }
            return Ok(self.reference_to(Target::Number(number)));
        }
        self.at = start;
        if first >= b'8' {
            self.next();
            return Ok(Escape::Character(char::from(first)));
        }
        self.code(8, 3)
    }

    /// A character by its code, of so many digits at most.
    fn code(&mut self, radix: u32, most: usize) -> Parse<Escape> {
        let mut point = 0;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|digit| digit.to_digit(radix)) else {
                break;
            };
            self.next();
            point = point * radix + digit;
        }
        Ok(Escape::Character(char::from_u32(point).unwrap_or_default()))
    }

    /// A character by its code; the brace before is taken.
    fn braced_code(&mut self, radix: u32) -> Parse<Escape> {
        let digits = self.take_while(match radix {
            8 => |digit| digit.is_digit(8),
            _ => |digit| digit.is_ascii_hexdigit(),
        });
        let (is_empty, point) = (digits.is_empty(), u32::from_str_radix(digits, radix));
        if !self.take("}") {
            return Err(match radix {
                8 => "non-octal character in \\o{} (closing brace missing?)",
                _ => "non-hex character in \\x{} (closing brace missing?)",
            });
        }
        if is_empty {
            return Err("digits missing in \\x{} or \\o{} or \\N{U+}");
        }
        let point = point.unwrap_or(u32::MAX);
        match char::from_u32(point) {
            Some(character) => Ok(Escape::Character(character)),
            None if point < 0xE000 => Err("disallowed Unicode code point (>= 0xd800 && <= 0xdfff)"),
            None => Err("character code point value in \\x{} or \\o{} is too large"),
        }
    }

    fn control(&mut self) -> Parse<Escape> {
        match self.next() {
            Some(mark @ ' '..='~') => {
                let code = u32::from(mark.to_ascii_uppercase()) ^ 0x40;
                Ok(Escape::Character(char::from_u32(code).unwrap_or_default()))
            }
            Some(_) => Err("\\c must be followed by a printable ASCII character"),
            None => Err("\\c at end of pattern"),
        }
    }

    fn property(&mut self, is_capital: bool) -> Parse<Escape> {
        const MALFORMED: &str = "malformed \\P or \\p sequence";
        let mut negated = is_capital;
        let name = if self.take("{") {
            let rest = self.rest();
            let length = rest.find('}').ok_or(MALFORMED)?;
            let inside = rest.get(..length).unwrap_or_default();
            let name = inside.strip_prefix('^').unwrap_or(inside);
            negated ^= name.len() < inside.len();
            let name = name.trim().to_owned();
            self.at += length + 1;
            name
        } else {
            String::from(
                self.next()
                    .filter(char::is_ascii_alphabetic)
                    .ok_or(MALFORMED)?,
            )
        };
        let members = of_property(&name, self.env).ok_or("unknown property after \\P or \\p")?;
        Ok(Escape::Class(if negated {
            complement(&members)
        } else {
            members
        }))
    }
}
