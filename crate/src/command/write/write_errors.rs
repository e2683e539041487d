//! Limits and errors of batch writes: how many statements, and the errors that belong to one statement.

use crate::bson::{Array, Document, DocumentBuilder, ValueRef};
use crate::command::identity::MAX_WRITE_BATCH_SIZE;
use crate::command::request::Params;
use crate::error::{Code, CommandError};

/// Whether an error fails a whole command, because the pages cannot be read or written, or the command
/// was stopped.
pub fn is_fatal(error: &CommandError) -> bool {
    const FATAL: &[Code] = &[
        Code::InternalError,
        Code::FileStreamFailed,
        Code::ExceededMemoryLimit,
        Code::DataCorruptionDetected,
        Code::OutOfDiskSpace,
    ];
    error.ends_command() || FATAL.iter().any(|code| *code as i32 == error.code)
}

/// The errors of single statements, which do not fail the command.
#[derive(Default)]
pub struct WriteErrors {
    entries: Vec<(usize, CommandError)>,
}

impl WriteErrors {
    /// Each error with its statement's position.
    pub fn iter(&self) -> impl Iterator<Item = &(usize, CommandError)> {
        self.entries.iter()
    }

    /// Whether no statement was refused.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Notes a statement's error; or gives it back when it must fail the whole command, because the
    /// pages cannot be read or written, or the command was stopped.
    ///
    /// # Errors
    /// The error itself.
    pub fn note(&mut self, index: usize, error: CommandError) -> Result<(), CommandError> {
        self.entries.push((index, unless_fatal(error)?));
        Ok(())
    }

    /// The errors at the positions that those of a part of the statements have in the whole.
    pub fn placed(mut self, places: &[usize]) -> Self {
        for (index, _) in &mut self.entries {
            *index = places.get(*index).copied().unwrap_or(*index);
        }
        self
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

/// The error of one statement; as an `Err` when it must fail the whole command.
///
/// # Errors
/// The error itself.
pub fn unless_fatal(error: CommandError) -> Result<CommandError, CommandError> {
    match is_fatal(&error) {
        true => Err(error),
        false => Ok(error),
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
    let statements = documents(params, command, name)?;
    if !params.is_lacking() {
        check_batch_size(statements.len())?;
    }
    Ok(statements)
}

/// The items of a required array, each of which must be a document.
///
/// # Errors
/// 14 `TypeMismatch` for another type. An absent one is empty, and told by `Params::finish`.
pub fn documents<'a>(
    params: &Params<'a>,
    command: &str,
    name: &'static str,
) -> Result<Vec<Document<'a>>, CommandError> {
    let array: Array<'a> = params.required_array(name)?;
    let mut documents = Vec::new();
    for (position, item) in array.iter().enumerate() {
        match item {
            ValueRef::Document(document) => documents.push(document),
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
    Ok(documents)
}

/// Refuses an empty batch and one too long.
///
/// # Errors
/// 16 `InvalidLength`.
pub fn check_batch_size(operations: usize) -> Result<(), CommandError> {
    if (1..=MAX_WRITE_BATCH_SIZE as usize).contains(&operations) {
        return Ok(());
    }
    Err(CommandError::new(
        Code::InvalidLength,
        format!(
            "Write batch sizes must be between 1 and {MAX_WRITE_BATCH_SIZE}. Got {operations} operations."
        ),
    ))
}

/// Words an error that came up while a plan was changing documents.
pub fn while_executing(command: &str, error: CommandError) -> CommandError {
    const PLAIN: [Code; 2] = [
        Code::WriteConflict,
        Code::OperationNotSupportedInTransaction,
    ];
    if PLAIN.iter().any(|code| *code as i32 == error.code) {
        return error;
    }
    error.within(&format!("Plan executor error during {command}"))
}
