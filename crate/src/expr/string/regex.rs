//! Regular expressions of `$regexFind`, `$regexFindAll` and `$regexMatch`.
//!
//! Invariant: the program of a constant pattern is compiled once per call site.

use super::super::arguments::error;
use super::super::form::Names;
use super::super::node::{CachedRegex, Invocation, Result};
use crate::bson::{ArrayBuilder, DocumentBuf, DocumentBuilder, Text, Value, ValueRef};
use crate::error::CommandError;
use crate::pattern::{Match, Pattern, Stopped, utf8_fault};
use std::rc::Rc;

/// The arguments of the three operators.
pub const NAMES: Names = Names {
    names: &["input", "regex", "options"],
    missing: &[31022, 31023],
    not_object: 51103,
    unknown: 31024,
};

/// The text and the program, or `None` when one of them is null.
pub fn prepare<'a>(
    arguments: &'a [Value<'_>],
    call: Invocation<'_>,
) -> Result<Option<(&'a str, Rc<Pattern>)>> {
    let name = call.name;
    let given = match arguments[2].as_ref() {
        ValueRef::String(options) => options,
        value if value.is_nullish() => Text(b""),
        _ => {
            return Err(error(
                51106,
                format!("{name} needs 'options' to be of type string"),
            ));
        }
    };
    let (pattern, options) = match arguments[1].as_ref() {
        ValueRef::String(pattern) => (Some(pattern), given),
        ValueRef::Regex { options, .. }
            if !options.is_empty() && !arguments[2].as_ref().is_nullish() =>
        {
            return Err(error(
                51107,
                format!(
                    "{name}: found regex option(s) specified in both 'regex' and 'option' fields"
                ),
            ));
        }
        ValueRef::Regex { pattern, options } => (
            Some(pattern),
            if given.is_empty() { options } else { given },
        ),
        value if value.is_nullish() => (None, given),
        _ => {
            return Err(error(
                51105,
                format!("{name} needs 'regex' to be of type string or regex"),
            ));
        }
    };
    // Bytes that are no UTF-8 are no option either.
    let options = &*options.lossy();
    if pattern.is_some_and(|pattern| pattern.as_bytes().contains(&0)) {
        return Err(error(
            51109,
            format!("{name}: regular expression cannot contain an embedded null byte"),
        ));
    }
    if options.contains('\0') {
        return Err(error(
            51110,
            format!("{name}: regex options cannot contain an embedded null byte"),
        ));
    }
    let program = match pattern {
        Some(pattern) => {
            if let Some(wrong) = options.chars().find(|c| !"imsxu".contains(*c)) {
                return Err(error(
                    51108,
                    format!("{name} invalid flag in regex options: {wrong}"),
                ));
            }
            Some(program(pattern, options, call)?)
        }
        None => None,
    };
    // The pattern is looked at before the text.
    let input = match arguments[0].as_ref() {
        ValueRef::String(text) if program.is_some() => match text.to_str() {
            Some(text) => Some(text),
            None => return Err(stopped(Stopped::Limit(utf8_fault(text)), name)),
        },
        ValueRef::String(_) => None,
        value if value.is_nullish() => None,
        _ => {
            return Err(error(
                51104,
                format!("{name} needs 'input' to be of type string"),
            ));
        }
    };
    Ok(input.zip(program))
}

fn program(pattern: Text<'_>, options: &str, call: Invocation<'_>) -> Result<Rc<Pattern>> {
    let invalid = |reason: &str| error(51111, format!("Invalid Regex in {}: {reason}", call.name));
    let pattern = (pattern.to_str()).ok_or_else(|| invalid(utf8_fault(pattern)))?;
    let mut cache = call.regex.borrow_mut();
    if let Some(held) = cache.as_ref()
        && held.pattern == pattern
        && held.options == options
    {
        return Ok(Rc::clone(&held.program));
    }
    let program = Pattern::compile(pattern, options, call.env).map_err(invalid)?;
    let program = Rc::new(program);
    *cache = Some(CachedRegex {
        pattern: pattern.to_owned(),
        options: options.to_owned(),
        program: Rc::clone(&program),
    });
    Ok(program)
}

/// The error of a match that was given up.
#[cold]
#[inline(never)]
pub fn stopped(reason: Stopped, name: &str) -> CommandError {
    match reason {
        Stopped::Command(error) => error,
        Stopped::Limit(limit) => error(
            51156,
            format!(
                "Error occurred while executing the regular expression in {name}. Result code: {limit}"
            ),
        ),
    }
}

/// The first match at or after a byte.
pub fn find(
    program: &Pattern,
    text: &str,
    start: usize,
    call: Invocation<'_>,
) -> Result<Option<Match>> {
    let found = program.find_at(text, start, call.env);
    found.map_err(|reason| stopped(reason, call.name))
}

/// How many code points lie between two places of a text.
pub fn code_points(text: &str, start: usize, end: usize) -> usize {
    text.get(start..end).map_or(0, |part| part.chars().count())
}

/// The document `{match, idx, captures}` of a match that begins behind so many code points.
pub fn describe(text: &str, found: &Match, before: usize) -> DocumentBuf {
    let part = |start: usize, end: usize| text.get(start..end).unwrap_or("");
    let mut captures = ArrayBuilder::new();
    for group in &found.groups {
        match group {
            Some((start, end)) => captures.push(part(*start, *end)),
            None => captures.push(ValueRef::Null),
        };
    }
    let mut builder = DocumentBuilder::new();
    builder
        .append("match", part(found.start, found.end))
        .append("idx", i32::try_from(before).unwrap_or(i32::MAX))
        .append("captures", &captures.finish());
    builder.finish()
}
