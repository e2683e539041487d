//! Why a value is no geometry, in the server's words, put together only when somebody asks.

use crate::bson::extended_json::{self, Format};
use crate::bson::wording::Plain;
use crate::bson::{ValueRef, float};
use crate::error::{Code, CommandError};
use std::fmt::Write;

/// The reason why a value is no geometry. The server's code for each is 2 `BadValue`.
#[derive(Debug, Clone)]
pub struct Refusal<'a>(Box<Reason<'a>>);

#[derive(Debug, Clone)]
struct Reason<'a> {
    /// The message; `%t` stands for the type of the value, `%v` for the value, `%w` for the other value, `%a` and
    /// `%b` for the numbers, `%d` for the detail.
    words: &'static str,
    value: ValueRef<'a>,
    other: ValueRef<'a>,
    numbers: [f64; 2],
    detail: String,
    stopped: Option<CommandError>,
}

impl<'a> Refusal<'a> {
    #[cold]
    #[inline(never)]
    pub(super) fn new(words: &'static str, value: ValueRef<'a>) -> Self {
        Self(Box::new(Reason {
            words,
            value,
            other: ValueRef::Missing,
            numbers: [0.0; 2],
            detail: String::new(),
            stopped: None,
        }))
    }

    pub(super) fn other(mut self, other: ValueRef<'a>) -> Self {
        self.0.other = other;
        self
    }

    pub(super) fn numbers(mut self, first: f64, second: f64) -> Self {
        self.0.numbers = [first, second];
        self
    }

    pub(super) fn detail(mut self, detail: String) -> Self {
        self.0.detail = detail;
        self
    }

    /// The server's message, without what introduces it.
    pub fn message(&self) -> String {
        let reason = &self.0;
        let mut pieces = reason.words.split('%');
        let mut message = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (mark, rest) = piece.split_at(usize::from(!piece.is_empty()));
            let shown = |value| extended_json::to_string(value, Format::Relaxed);
            // Writing to a string can't fail.
            let _ = match mark {
                "t" => message.write_str(reason.value.type_name()),
                "v" => message.write_str(&shown(reason.value)),
                "w" => message.write_str(&shown(reason.other)),
                "a" => write!(message, "{}", Plain(reason.numbers[0])),
                "b" => write!(message, "{}", Plain(reason.numbers[1])),
                _ => message.write_str(&reason.detail),
            };
            message.push_str(rest);
        }
        message
    }

    /// The error reply: 2 `BadValue` with the message, or the checkpoint's own where the command was stopped.
    pub fn into_error(self) -> CommandError {
        let message = self.message();
        self.0
            .stopped
            .unwrap_or_else(|| CommandError::new(Code::BadValue, message))
    }

    /// For matchers, which pass over what is no geometry.
    ///
    /// # Errors
    /// The checkpoint's, where the command was stopped while the geometry was read.
    pub fn pass_over(self) -> Result<(), CommandError> {
        self.0.stopped.map_or(Ok(()), Err)
    }
}

impl From<CommandError> for Refusal<'_> {
    fn from(error: CommandError) -> Self {
        let mut refusal = Self::new("", ValueRef::Missing);
        refusal.0.stopped = Some(error);
        refusal
    }
}

/// A number of degrees with seven digits after the point.
pub(super) fn write_degrees(out: &mut String, degrees: f64) {
    let scaled = (degrees * 1e7).round();
    if scaled < 0.0 {
        out.push('-');
    }
    let digits = scaled.abs() as u128;
    float::write_digits(out, digits / 10_000_000);
    out.push('.');
    let start = out.len();
    float::write_digits(out, digits % 10_000_000);
    let missing = 7_usize.saturating_sub(out.len() - start);
    out.insert_str(start, &"0".repeat(missing));
}
