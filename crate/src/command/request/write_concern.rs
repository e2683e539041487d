//! Write concern: how durable a command wants its changes to be when it is answered.
//!
//! Follows the manual's "Write Concern" page: `w: 1` is acknowledged once applied in memory, `j: true` and
//! `w: "majority"` wait for the device. A replica set makes the changes and then says that there are no more members
//! (`writeConcernError`), where a standalone refuses the command.

use super::params::Params;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Number, ValueRef};
use crate::command::reply::finish_ok;
use crate::command::topology::Topology;
use crate::error::{Code, CommandError};
use crate::storage::Durability;

/// How a command's changes are acknowledged.
pub struct Acknowledged {
    pub durability: Durability,
    /// Why not as it was asked.
    lacks: Option<Lack>,
}

/// An acknowledgement that a set of one member cannot give.
struct Lack {
    code: Code,
    message: String,
    /// The write concern, as the error shows it.
    asked: DocumentBuf,
}

impl From<Durability> for Acknowledged {
    fn from(durability: Durability) -> Self {
        Self {
            durability,
            lacks: None,
        }
    }
}

impl Acknowledged {
    /// Why it cannot be acknowledged as it was asked.
    pub fn refusal(&self) -> Option<CommandError> {
        { self.lacks.as_ref() }.map(|lack| CommandError::new(lack.code, &*lack.message))
    }

    /// A reply with the error of its write concern, where there is one.
    pub fn told_in(&self, reply: DocumentBuf) -> DocumentBuf {
        match &self.lacks {
            None => reply,
            Some(lack) => lack.told_in(reply.as_document()),
        }
    }
}

impl Lack {
    #[inline(never)]
    fn told_in(&self, reply: Document<'_>) -> DocumentBuf {
        let mut told = DocumentBuilder::new();
        for element in reply.iter().filter(|element| element.name != "ok") {
            told.append_raw(element.raw);
        }
        let error = CommandError::new(self.code, &*self.message);
        told.begin_document("writeConcernError")
            .append("code", self.code as i32)
            .append("codeName", error.code_name().as_str())
            .append("errmsg", self.message.as_str());
        told.begin_document("errInfo");
        told.append("writeConcern", &self.asked).end().end();
        finish_ok(told)
    }
}

/// Reads a command's `writeConcern`; absent means `w: 1`. `is_supported` says whether the command may have
/// one.
///
/// # Errors
/// 72 `InvalidOptions` where there is nothing to write; the errors of a malformed write concern.
pub(in crate::command) fn parse(
    concern: ValueRef<'_>,
    is_supported: bool,
    topology: Topology,
) -> Result<Acknowledged, CommandError> {
    let concern = match concern {
        ValueRef::Missing | ValueRef::Null => return Ok(Durability::Relaxed.into()),
        ValueRef::Document(_) if !is_supported => {
            return Err(CommandError::new(
                Code::InvalidOptions,
                "Command does not support writeConcern",
            ));
        }
        ValueRef::Document(concern) => concern,
        other => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field 'writeConcern' is the wrong type '{}', expected type 'object'",
                    other.type_name()
                ),
            ));
        }
    };
    let params = Params::new(concern, "writeConcern", None);
    let journal = params.safe_bool("j")?;
    params.safe_bool("fsync")?;
    let timeout = params.value("wtimeout");
    check_timeout(timeout)?;
    check_provenance(&params)?;
    let w = params.value("w");
    params.finish()?;
    let is_set = topology.is_replica_set();
    let mut lacks = None;
    let mut lack = |code: Code, message: String| {
        let mut asked = DocumentBuilder::new();
        asked.append("w", w);
        if let Some(journal) = journal {
            asked.append("j", journal);
        }
        let millis = timeout.as_number().map_or(0, Number::to_i64_saturating);
        asked.append_integer("wtimeout", millis.max(0));
        asked.append("provenance", "clientSupplied");
        lacks = Some(Lack {
            code,
            message,
            asked: asked.finish(),
        });
        false
    };
    let no_nodes = "Not enough data-bearing nodes";
    let majority = match w {
        ValueRef::Missing => false,
        ValueRef::String(text) if text == "majority" => true,
        ValueRef::Null | ValueRef::String(_) if is_set => lack(
            Code::UnknownReplWriteConcern,
            format!(
                "No write concern mode named '{}' found in replica set configuration",
                w.as_text()
                    .map_or_else(String::new, |mode| mode.lossy().into_owned())
            ),
        ),
        ValueRef::Null => return Err(no_mode("")),
        ValueRef::String(mode) => return Err(no_mode(&mode.lossy())),
        // Without a replica set no member is counted.
        ValueRef::Document(tags) => {
            check_tags(tags)?;
            is_set && lack(Code::UnsatisfiableWriteConcern, no_nodes.to_owned())
        }
        other => {
            let count = other.as_number().ok_or_else(|| {
                CommandError::new(
                    Code::FailedToParse,
                    "w has to be a number, string, or object",
                )
            })?;
            match count.to_i64_saturating() {
                members if count.is_nan() || !(0..=50).contains(&members) => {
                    return Err(CommandError::new(
                        Code::FailedToParse,
                        "w has to be a non-negative number and not greater than 50",
                    ));
                }
                0 | 1 => false,
                _ if is_set => lack(Code::UnsatisfiableWriteConcern, no_nodes.to_owned()),
                _ => {
                    return Err(CommandError::new(
                        Code::BadValue,
                        "cannot use 'w' > 1 when a host is not replicated",
                    ));
                }
            }
        }
    };
    let wants_journal = journal == Some(true) || (majority && journal != Some(false));
    Ok(Acknowledged {
        durability: match wants_journal {
            true => Durability::Strict,
            false => Durability::Relaxed,
        },
        lacks,
    })
}

/// Only a replica set can have modes beside the majority.
fn no_mode(mode: &str) -> CommandError {
    CommandError::new(
        Code::BadValue,
        format!(
            "cannot use non-majority 'w' mode {mode} when a host is not a member of a replica set"
        ),
    )
}

/// Checks a `w` that counts the members of each tag.
fn check_tags(tags: Document<'_>) -> Result<(), CommandError> {
    let refused = |message: &str| Err(CommandError::new(Code::FailedToParse, message));
    if tags.is_empty() {
        return refused("tagged write concern requires tags");
    }
    match tags.iter().all(|tag| tag.value.as_number().is_some()) {
        true => Ok(()),
        false => refused("tags must be a single level document with only number values"),
    }
}

/// Any value is a timeout; one that is no number, or below zero, is none.
fn check_timeout(value: ValueRef<'_>) -> Result<(), CommandError> {
    match value.as_number().map(Number::to_i64_saturating) {
        Some(millis) if millis > i64::from(i32::MAX) => Err(CommandError::new(
            Code::FailedToParse,
            "wtimeout must be a 32-bit integer",
        )),
        _ => Ok(()),
    }
}

/// Where a concern came from, as a driver may tell.
const PROVENANCES: &[&str] = &[
    "clientSupplied",
    "customDefault",
    "getLastErrorDefaults",
    "implicitDefault",
    "internalWriteDefault",
];

pub(super) fn check_provenance(params: &Params<'_>) -> Result<(), CommandError> {
    match params.string("provenance")? {
        Some(given) if !PROVENANCES.contains(&given) => {
            Err(params.no_such_value("provenance", given))
        }
        _ => Ok(()),
    }
}
