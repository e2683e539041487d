//! What the batch write commands share: statement limits, and errors that belong to one statement.

use super::params::Params;
use crate::bson::{Array, Document, DocumentBuilder, ValueRef};
use crate::command::names::MAX_WRITE_BATCH_SIZE;
use crate::error::{Code, CommandError};

/// The errors of single statements, which do not fail the command.
#[derive(Default)]
pub struct WriteErrors {
    entries: Vec<(usize, CommandError)>,
}

impl WriteErrors {
    /// Notes a statement's error; or gives it back when it must fail the whole command, because the
    /// pages cannot be read or written, or the command was stopped.
    ///
    /// # Errors
    /// The error itself.
    pub fn note(&mut self, index: usize, error: CommandError) -> Result<(), CommandError> {
        const FATAL: &[Code] = &[
            Code::InternalError,
            Code::FileStreamFailed,
            Code::MaxTimeMSExpired,
            Code::DataCorruptionDetected,
            Code::Interrupted,
            Code::OutOfDiskSpace,
        ];
        let fatal = FATAL.iter().any(|code| *code as i32 == error.code);
        if fatal || error.missing_page.is_some() {
            return Err(error);
        }
        self.entries.push((index, error));
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Appends `writeErrors`, if there are any.
    pub fn append_to(&self, reply: &mut DocumentBuilder) {
        if self.entries.is_empty() {
            return;
        }
        reply.begin_array("writeErrors");
        for (position, (index, error)) in self.entries.iter().enumerate() {
            reply
                .begin_document(&position.to_string())
                .append("index", *index as i32)
                .append("code", error.code);
            if let Some(details) = &error.details {
                reply.append_all(Document::from_valid_bytes(details));
            }
            reply.append("errmsg", error.message.as_str()).end();
        }
        reply.end();
    }
}

/// The statements of a batch, each of which must be a document.
///
/// # Errors
/// 16 `InvalidLength` for none or too many, 14 `TypeMismatch` for another type.
pub fn statements<'a>(
    params: &Params<'a>,
    command: &str,
    name: &'static str,
) -> Result<Vec<Document<'a>>, CommandError> {
    let array: Array<'a> = params.required_array(name)?;
    let mut statements = Vec::new();
    for (position, item) in array.iter().enumerate() {
        match item {
            ValueRef::Document(statement) => statements.push(statement),
            other => {
                return Err(CommandError::new(
                    Code::TypeMismatch,
                    format!(
                        "BSON field '{command}.{name}.{position}' is the wrong type '{}', expected type 'object'",
                        other.type_name()
                    ),
                ));
            }
        }
    }
    if statements.is_empty() || statements.len() > MAX_WRITE_BATCH_SIZE as usize {
        return Err(CommandError::new(
            Code::InvalidLength,
            format!(
                "Write batch sizes must be between 1 and {MAX_WRITE_BATCH_SIZE}. Got {} operations.",
                statements.len()
            ),
        ));
    }
    Ok(statements)
}

/// Words an error that came up while a plan was changing documents.
pub fn while_executing(command: &str, error: CommandError) -> CommandError {
    error.within(&format!("Plan executor error during {command}"))
}
