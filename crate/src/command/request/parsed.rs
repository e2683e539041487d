//! A request as commands see it: its document, and the fields common to all commands, read.

use super::params::Params;
use super::transaction::Within;
use crate::bson::{Document, Text, ValueRef};
use crate::catalog::names;
use crate::command::topology::Topology;
use crate::error::{Code, CommandError};
use crate::state::session_id::SessionId;

/// A validated command document, with the fields common to all commands, read.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub document: Document<'a>,
    /// The first field's name: the client's spelling of the command, such as `findandmodify`.
    pub name: &'a str,
    /// The first field's value (`find: "posts"`).
    pub argument: ValueRef<'a>,
    pub database: &'a str,
    /// How deep the whole command nests.
    pub nesting: usize,
    /// 0 means no limit.
    pub max_time_millis: i64,
    pub comment: ValueRef<'a>,
    pub session: Option<SessionId>,
    /// The number under which its statements can be retried.
    pub write_number: Option<i64>,
    /// What the deployment presents itself as.
    pub topology: Topology,
    /// The transaction that the command is of.
    pub transaction: Option<Within>,
}

impl<'a> Request<'a> {
    /// The value of the command field itself (`find: "posts"`).
    pub fn argument(&self) -> ValueRef<'a> {
        self.argument
    }

    /// The collection a command names, checked to be a non-empty string.
    pub fn collection(&self) -> Result<&'a str, CommandError> {
        match self.argument() {
            ValueRef::String(Text(b"")) => Err(CommandError::new(
                Code::InvalidNamespace,
                format!("Invalid namespace specified '{}.'", self.database),
            )),
            ValueRef::String(name) if name.as_bytes().contains(&0) => Err(CommandError::new(
                Code::InvalidNamespace,
                "namespaces cannot have embedded null characters",
            )),
            ValueRef::String(name) => names::of(name),
            ValueRef::Symbol(name) if !name.is_empty() => names::of(name),
            other => Err(CommandError::new(
                Code::InvalidNamespace,
                format!("collection name has invalid type {}", other.type_name()),
            )),
        }
    }

    /// `database.collection`.
    pub fn namespace(&self) -> Result<String, CommandError> {
        let collection = self.collection()?;
        let mut namespace = String::with_capacity(self.database.len() + 1 + collection.len());
        namespace.push_str(self.database);
        namespace.push('.');
        namespace.push_str(collection);
        Ok(namespace)
    }

    /// The error of a command field of the wrong type; a null one counts as absent.
    pub fn wrong_argument(&self, expected: &str) -> CommandError {
        let params = self.params();
        match self.argument {
            ValueRef::Null => params.missing(self.name),
            given => params.wrong_type(self.name, given, expected),
        }
    }

    /// The typed parameters, without the command field and the generic ones.
    pub fn params(&self) -> Params<'a> {
        Params::new(self.document, self.name, Some(self.name))
    }

    /// The same, where messages name the request's type and not the command.
    pub fn params_of(&self, context: &'static str) -> Params<'a> {
        Params::new(self.document, context, Some(self.name))
    }
}
