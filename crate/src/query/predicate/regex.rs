//! `$regex` and `$options`: strings that match a regular expression.
//!
//! Follows the manual's "$regex" page. A regular expression also equals itself when stored. Invariant: a pattern is
//! compiled once; the prefix for index bounds is read from its text, as the server's planner reads it.

use crate::bson::document::RawElement;
use crate::bson::{DocumentBuilder, Text, ValueRef};
use crate::env::Env;
use crate::error::CommandError;
use crate::pattern::{Pattern, utf8_fault};
use crate::query::compile::{Compiler, Operand, bad_value};
use crate::query::evaluate::MatchContext;
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;
use std::rc::Rc;

/// `path matches /pattern/options`.
#[derive(Clone)]
pub struct RegexTest {
    pub path: QueryPath,
    pub pattern: Box<str>,
    pub options: Box<str>,
    program: Rc<Pattern>,
}

/// The text that every matching string starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegexPrefix {
    pub prefix: String,
    /// Whether every string with that prefix matches, so that index bounds alone answer.
    pub exact: bool,
}

impl RegexTest {
    /// Compiles the pattern; 51091 for a pattern that is not valid, 51108 for an unknown option.
    pub fn compile(
        path: QueryPath,
        pattern: Text<'_>,
        options: Text<'_>,
        env: &dyn Env,
    ) -> Result<Self, CommandError> {
        let invalid = |reason: &str| {
            CommandError::location(51091, format!("Regular expression is invalid: {reason}"))
        };
        let pattern = pattern
            .to_str()
            .ok_or_else(|| invalid(utf8_fault(pattern)))?;
        // Bytes that are no UTF-8 are no flag either.
        let options = &*options.lossy();
        if pattern.contains('\0') {
            return Err(bad_value(
                "Regular expression cannot contain an embedded null byte",
            ));
        }
        if let Some(flag) = options.chars().find(|flag| !"imsxu".contains(*flag)) {
            return Err(CommandError::location(
                51108,
                format!("invalid flag in regex options: {flag}"),
            ));
        }
        let program = Pattern::compile(pattern, options, env).map_err(invalid)?;
        Ok(Self {
            path,
            pattern: pattern.into(),
            options: options.into(),
            program: Rc::new(program),
        })
    }

    /// Whether one value (or `MISSING`) satisfies the predicate.
    pub fn matches(&self, element: &RawElement<'_>, context: &MatchContext<'_>) -> bool {
        match element.value() {
            ValueRef::String(text) | ValueRef::Symbol(text) => self.is_match(text, context),
            ValueRef::Regex { pattern, options } => {
                pattern == *self.pattern && options == *self.options
            }
            _ => false,
        }
    }

    /// Whether a text matches. A match that a limit ends is none, as on the server. An error that ends the command is
    /// left in the context. A text that is no UTF-8 does not match: the server's library
    /// refuses to look at it.
    pub fn is_match(&self, text: Text<'_>, context: &MatchContext<'_>) -> bool {
        if context.is_stopped() {
            return false;
        }
        // An array may have a million short texts, each of which is matched too soon for a match to ask.
        if let Err(error) = context.env.checkpoint() {
            return context.stop(Err(error));
        }
        let Some(text) = text.to_str() else {
            return false;
        };
        let matched = self.program.is_match(text, context.env);
        matched.unwrap_or_else(|stopped| context.stop(stopped.as_no_match()))
    }

    /// Whether the two are the same expression on the same path.
    pub fn is_same(&self, other: &Self) -> bool {
        self.path == other.path && self.pattern == other.pattern && self.options == other.options
    }

    /// The literal that every match starts with, for index bounds; `None` when the pattern is not anchored.
    pub fn prefix(&self) -> Option<RegexPrefix> {
        prefix(&self.pattern, &self.options)
    }

    /// Writes `{$regex: …, $options: …}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        builder.append("$regex", &*self.pattern);
        if !self.options.is_empty() {
            builder.append("$options", &*self.options);
        }
    }
}

/// The literal prefix of an anchored pattern, read as the server's planner reads it.
fn prefix(pattern: &str, options: &str) -> Option<RegexPrefix> {
    let multiline = options.contains('m');
    let extended = options.contains('x');
    if options.contains('i') {
        return None;
    }
    let rest = match (pattern.strip_prefix("\\A"), pattern.strip_prefix('^')) {
        (Some(rest), _) => rest,
        // With `m` the caret also matches after a line's end.
        (None, Some(rest)) if !multiline => rest,
        _ => return None,
    };
    let mut prefix = String::new();
    let mut marks = rest.chars().peekable();
    let mut exact = true;
    while let Some(mark) = marks.next() {
        match mark {
            '*' | '?' => {
                // The last literal may be absent.
                exact = false;
                prefix.pop();
                break;
            }
            '|' => return None,
            '\\' => match marks.next() {
                Some('Q') => {
                    let quoted: String = marks.clone().collect();
                    let (literal, after) =
                        quoted.split_once("\\E").unwrap_or((quoted.as_str(), ""));
                    prefix.push_str(literal);
                    exact = after.is_empty();
                    break;
                }
                Some('E') => {}
                Some(escaped) if !escaped.is_ascii_alphanumeric() => prefix.push(escaped),
                _ => {
                    exact = false;
                    break;
                }
            },
            '^' | '$' | '.' | '[' | '(' | ')' | '+' | '{' | '}' | ']' => {
                let tail: String = marks.collect();
                // `^literal.*` says no more than `^literal` does, when the dot takes line ends too.
                exact = mark == '.' && tail == "*" && options.contains('s');
                if mark == '{' {
                    prefix.pop();
                }
                marks = "".chars().peekable();
            }
            '#' if extended => {
                exact = false;
                break;
            }
            space if extended && space.is_whitespace() => {}
            literal => prefix.push(literal),
        }
    }
    // An alternative further on could match without the prefix.
    if has_alternative(rest) {
        return None;
    }
    (!prefix.is_empty()).then_some(RegexPrefix { prefix, exact })
}

fn has_alternative(pattern: &str) -> bool {
    let mut marks = pattern.chars();
    while let Some(mark) = marks.next() {
        let escaped = if mark == '\\' { marks.next() } else { None };
        if escaped == Some('Q') {
            return pattern.split("\\E").skip(1).any(has_alternative);
        }
        if mark == '|' {
            return true;
        }
    }
    false
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let (mut pattern, mut options) = (Text(b""), Text(b""));
    let both = |code| {
        Err(CommandError::location(
            code,
            "options set in both $regex and $options",
        ))
    };
    for element in operand.siblings.iter() {
        match (element.name, element.value) {
            ("$regex", ValueRef::String(text)) => pattern = text,
            (
                "$regex",
                ValueRef::Regex {
                    pattern: text,
                    options: flags,
                },
            ) => {
                pattern = text;
                if !flags.is_empty() {
                    if !options.is_empty() {
                        return both(51074);
                    }
                    options = flags;
                }
            }
            ("$regex", _) => return Err(bad_value("$regex has to be a string")),
            ("$options", ValueRef::String(flags)) => {
                if !options.is_empty() {
                    return both(51075);
                }
                options = flags;
            }
            ("$options", _) => return Err(bad_value("$options has to be a string")),
            _ => {}
        }
    }
    let regex = compiler.regex(operand.path.clone(), pattern, options)?;
    Ok(Some(MatchNode::Regex(regex)))
}

pub(super) fn parse_options(
    _: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    // `$options` is read together with `$regex`, which may stand before or behind it.
    if operand.siblings.get("$regex").is_missing() {
        return Err(bad_value("$options needs a $regex"));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::prefix;
    use crate::query::testing::{matches, refusal};

    #[test]
    fn strings_match() {
        assert!(matches("{a: /^gar/}", "{a: \"garden\"}"));
        assert!(matches(
            "{a: {$regex: \"DEN\", $options: \"i\"}}",
            "{a: \"garden\"}"
        ));
        assert!(matches(
            "{a: {$options: \"i\", $regex: /DEN/}}",
            "{a: \"garden\"}"
        ));
        assert!(matches("{a: /b/}", "{a: [\"a\", \"b\"]}"));
        assert!(!matches("{a: /5/}", "{a: 5}"));
        assert!(matches("{a: /x/i}", "{a: /x/i}"));
        assert!(!matches("{a: /x/i}", "{a: /x/}"));
        assert!(matches("{a: {$regex: \"\", $eq: \"x\"}}", "{a: \"x\"}"));
    }

    #[test]
    fn anchored_patterns_have_a_prefix() {
        let read =
            |pattern, options| prefix(pattern, options).map(|found| (found.prefix, found.exact));
        assert_eq!(read("^abc", ""), Some(("abc".to_owned(), true)));
        assert_eq!(read("^abc", "i"), None);
        assert_eq!(read("^abc", "m"), None);
        assert_eq!(read("\\Aabc", "m"), Some(("abc".to_owned(), true)));
        assert_eq!(read("^abc?d", ""), Some(("ab".to_owned(), false)));
        assert_eq!(read("^ab.*", "s"), Some(("ab".to_owned(), true)));
        assert_eq!(read("^ab.c", ""), Some(("ab".to_owned(), false)));
        assert_eq!(read("^a\\.b", ""), Some(("a.b".to_owned(), true)));
        assert_eq!(read("^ab+", ""), Some(("ab".to_owned(), false)));
        assert_eq!(read("^a|b", ""), None);
        assert_eq!(read("^a(b|c)", ""), None);
        assert_eq!(read("^ab{0,2}", ""), Some(("a".to_owned(), false)));
        assert_eq!(read("^a\\d", ""), Some(("a".to_owned(), false)));
        assert_eq!(read("abc", ""), None);
        assert_eq!(read("^", ""), None);
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(refusal("{a: {$regex: 5}}"), "2: $regex has to be a string");
        assert_eq!(
            refusal("{a: {$options: \"i\"}}"),
            "2: $options needs a $regex"
        );
        assert_eq!(
            refusal("{a: {$regex: /x/i, $options: \"i\"}}"),
            "51075: options set in both $regex and $options"
        );
        assert_eq!(
            refusal("{a: {$regex: \"x\", $options: \"q\"}}"),
            "51108: invalid flag in regex options: q"
        );
        assert!(
            refusal("{a: {$regex: \"(\"}}").starts_with("51091: Regular expression is invalid: ")
        );
    }
}
