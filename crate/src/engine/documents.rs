//! Commands as documents of the `bson` crate, and as types of one's own: the engine's door for programs in Rust.
//!
//! Invariant: both ways are `Engine::run` and no more, so a command has the same effect and reply here as everywhere;
//! `$db` names its database. A reply of `ok: 0` is the `Err` that it stands for.

use super::{Engine, Outcome};
use crate::bson::{Document, DocumentBuilder};
use crate::env::Env;
use crate::error::{Code, CommandError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Fields of an error reply that are no details of it.
const OF_EVERY_ERROR: [&str; 4] = ["ok", "errmsg", "code", "codeName"];

impl Engine {
    /// Runs a command, whose field `$db` names its database, and gives its reply.
    ///
    /// ```
    /// use bson::doc;
    /// use quire::{SystemEnv, engine::Engine};
    ///
    /// let env = SystemEnv::new();
    /// let mut engine = Engine::create(&env)?;
    /// let mint = doc! { "_id": 1, "name": "mint" };
    /// engine.run_command(&doc! { "insert": "herbs", "documents": [mint], "$db": "garden" }, &env)?;
    /// let query = doc! { "name": { "$regex": "^m" } };
    /// let reply = engine.run_command(&doc! { "find": "herbs", "filter": query, "$db": "garden" }, &env)?;
    /// assert_eq!(reply.get_document("cursor")?.get_array("firstBatch")?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of a reply with `ok: 0`, and 9 `FailedToParse` for a document that has no bytes (one too long, or a
    /// name with a NUL in it).
    pub fn run_command(
        &mut self,
        command: &bson::Document,
        env: &dyn Env,
    ) -> Result<bson::Document, CommandError> {
        let bytes = command.to_vec().map_err(|error| unreadable(&error))?;
        let reply = self.reply_to(&bytes, env)?;
        bson::Document::from_reader(reply.as_slice()).map_err(|error| unreadable(&error))
    }

    /// Runs a command that is a value of one type and reads its reply as another, both by serde.
    ///
    /// ```
    /// use quire::{SystemEnv, engine::Engine};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Count {
    ///     count: &'static str,
    ///     query: bson::Document,
    ///     #[serde(rename = "$db")]
    ///     database: &'static str,
    /// }
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Counted {
    ///     n: i64,
    /// }
    ///
    /// let env = SystemEnv::new();
    /// let mut engine = Engine::create(&env)?;
    /// let count = Count { count: "herbs", query: bson::doc! { "name": "mint" }, database: "garden" };
    /// let counted: Counted = engine.run_typed(&count, &env)?;
    /// assert_eq!(counted.n, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As `run_command`; and 9 `FailedToParse` for a command that is no document, and for a reply that is no `Reply`.
    pub fn run_typed<Reply: DeserializeOwned>(
        &mut self,
        command: &impl Serialize,
        env: &dyn Env,
    ) -> Result<Reply, CommandError> {
        let bytes = bson::serialize_to_vec(command).map_err(|error| unreadable(&error))?;
        let reply = self.reply_to(&bytes, env)?;
        bson::deserialize_from_slice(&reply).map_err(|error| unreadable(&error))
    }

    fn reply_to(&mut self, command: &[u8], env: &dyn Env) -> Result<Vec<u8>, CommandError> {
        let Outcome {
            reply,
            missing_page,
            ..
        } = self.run(command, env);
        let document = Document::from_valid_bytes(&reply);
        if document.get("ok").is_truthy() {
            return Ok(reply);
        }
        let mut error = error_of(document);
        error.missing_page = missing_page;
        Err(error)
    }
}

/// The error that a reply of `ok: 0` tells.
fn error_of(reply: Document<'_>) -> CommandError {
    let code = reply.get("code").as_exact_i64();
    let code = code.and_then(|code| i32::try_from(code).ok());
    let message = reply.get("errmsg").as_str().unwrap_or_default();
    let error = CommandError::location(code.unwrap_or(Code::InternalError as i32), message);
    let mut details = DocumentBuilder::new();
    for field in reply.iter() {
        if !OF_EVERY_ERROR.contains(&field.name) {
            details.append(field.name, field.value);
        }
    }
    match details.is_empty() {
        true => error,
        false => error.with_details(details.finish().into_bytes()),
    }
}

#[cold]
fn unreadable(error: &bson::error::Error) -> CommandError {
    CommandError::new(Code::FailedToParse, error.to_string())
}
