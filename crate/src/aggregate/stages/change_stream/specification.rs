//! The options of a change stream, and which changes are of it.

use super::super::describe::wrong_type;
use super::super::foreign::unknown_field;
use super::token::Token;
use crate::bson::{Document, Timestamp, ValueRef};
use crate::catalog::names;
use crate::error::{Code, CommandError};

type Result<T> = std::result::Result<T, CommandError>;

const NAME: &str = "$changeStream";

/// Whether an event shows a document beside the change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Image {
    #[default]
    Off,
    /// The document as it is when the event is read.
    Lookup,
    WhenAvailable,
    Required,
}

/// Where a stream begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Now,
    /// With the first change of a time or behind it.
    Time(u64),
    Behind(Token),
    /// Behind the entry of a time.
    BehindEntry(u64),
}

/// The options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    pub full_document: Image,
    pub before_change: Image,
    pub start: Start,
    pub is_expanded: bool,
    pub is_raw: bool,
    shows_system: bool,
    is_of_all: bool,
    is_allowed_on_config: bool,
    is_allowed_on_system: bool,
}

/// The changes that a stream tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Of a collection: its namespace.
    Collection(String),
    Database(String),
    All,
}

fn boolean(value: ValueRef<'_>, field: &str) -> Result<bool> {
    match value {
        ValueRef::Boolean(flag) => Ok(flag),
        ValueRef::Null => Ok(false),
        other => match other.as_number() {
            Some(_) => Ok(other.is_truthy()),
            None => Err(wrong_type(
                &format!("{NAME}.{field}"),
                other,
                "bool', 'int', 'long', 'double', 'decimal",
            )),
        },
    }
}

fn mode(value: ValueRef<'_>, field: &str, modes: &[(&str, Image)]) -> Result<Image> {
    let path = format!("{NAME}.{field}");
    let Some(name) = value.as_str() else {
        return Err(wrong_type(&path, value, "string"));
    };
    let found = modes.iter().find(|(known, _)| *known == name);
    found.map(|(_, image)| *image).ok_or_else(|| {
        CommandError::new(
            Code::BadValue,
            format!("Enumeration value '{name}' for field '{path}' is not a valid value."),
        )
    })
}

fn token(value: ValueRef<'_>, field: &str) -> Result<Token> {
    match value {
        ValueRef::Document(token) => Token::read(token),
        other => Err(wrong_type(&format!("{NAME}.{field}"), other, "object")),
    }
}

impl Specification {
    /// Reads the options.
    ///
    /// # Errors
    /// 6188500, 40415 for unknown fields, 14 and 2 for their values, those of tokens, 50865 and 40674 for several
    /// beginnings, 260 `InvalidResumeToken`.
    pub fn read(value: ValueRef<'_>) -> Result<Self> {
        let ValueRef::Document(fields) = value else {
            return Err(CommandError::location(
                6_188_500,
                format!("{NAME} must take a nested object but found: {NAME}: {value}"),
            ));
        };
        let mut read = Self {
            full_document: Image::Off,
            before_change: Image::Off,
            start: Start::Now,
            is_expanded: false,
            is_raw: false,
            shows_system: false,
            is_of_all: false,
            is_allowed_on_config: false,
            is_allowed_on_system: false,
        };
        let (mut after, mut start_after, mut time) = (None, None, None);
        let kept = [
            ("whenAvailable", Image::WhenAvailable),
            ("required", Image::Required),
        ];
        for field in fields.iter() {
            let (name, value) = (field.name, field.value);
            let is_strict = matches!(name, "showExpandedEvents" | "allChangesForCluster");
            if is_strict && !matches!(value, ValueRef::Boolean(_)) {
                return Err(wrong_type(&format!("{NAME}.{name}"), value, "bool"));
            }
            let flag = match name {
                "showExpandedEvents" => &mut read.is_expanded,
                "showRawUpdateDescription" => &mut read.is_raw,
                "showSystemEvents" => &mut read.shows_system,
                "allChangesForCluster" => &mut read.is_of_all,
                "allowToRunOnConfigDB" => &mut read.is_allowed_on_config,
                "allowToRunOnSystemNS" => &mut read.is_allowed_on_system,
                "showMigrationEvents" => {
                    boolean(value, name)?;
                    continue;
                }
                "fullDocument"
                | "fullDocumentBeforeChange"
                | "resumeAfter"
                | "startAfter"
                | "startAtOperationTime"
                    if value.is_nullish() =>
                {
                    continue;
                }
                "fullDocument" => {
                    let more = [("default", Image::Off), ("updateLookup", Image::Lookup)];
                    read.full_document = mode(value, name, &[&kept[..], &more].concat())?;
                    continue;
                }
                "fullDocumentBeforeChange" => {
                    let more = [("off", Image::Off)];
                    read.before_change = mode(value, name, &[&kept[..], &more].concat())?;
                    continue;
                }
                "resumeAfter" => {
                    after = Some(token(value, name)?);
                    continue;
                }
                "startAfter" => {
                    start_after = Some(token(value, name)?);
                    continue;
                }
                "startAtOperationTime" => {
                    let given = Timestamp::of(value).map(Timestamp::to_bits);
                    let path = format!("{NAME}.{name}");
                    time = Some(given.ok_or_else(|| wrong_type(&path, value, "timestamp"))?);
                    continue;
                }
                _ => return Err(unknown_field(NAME, name)),
            };
            *flag = boolean(value, name)?;
        }
        read.start = match (after, start_after, time) {
            (Some(_), Some(_), _) => {
                return Err(CommandError::location(
                    50865,
                    "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage",
                ));
            }
            (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
                return Err(CommandError::location(
                    40674,
                    "Only one type of resume option is allowed, but multiple were found",
                ));
            }
            (Some(token), None, None) if token.is_invalidation => {
                return Err(CommandError::new(
                    Code::InvalidResumeToken,
                    "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate \
                     notification",
                ));
            }
            (Some(token), ..) | (_, Some(token), _) => match token.is_event {
                true => Start::Behind(token),
                false if token == Token::behind_entry(token.at) => Start::BehindEntry(token.at),
                false => Start::Time(token.at),
            },
            (None, None, Some(time)) => Start::Time(time),
            (None, None, None) => Start::Now,
        };
        Ok(read)
    }

    /// The changes that the stream tells on a namespace, which may be a database's alone.
    ///
    /// # Errors
    /// 72 `InvalidOptions`, 73 `InvalidNamespace` where no stream may be opened.
    pub fn scope(&self, namespace: &str, has_collection: bool) -> Result<Scope> {
        let (database, collection) = names::split(namespace);
        if self.is_of_all && (database != "admin" || has_collection) {
            return Err(CommandError::new(
                Code::InvalidOptions,
                format!(
                    "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database, and \
                     with no collection name; found {namespace}"
                ),
            ));
        }
        let refuse = |what: String| Err(CommandError::new(Code::InvalidNamespace, what));
        let is_open = match database {
            "admin" => self.is_of_all,
            "config" => self.is_allowed_on_config,
            other => other != "local",
        };
        if !is_open {
            return refuse(format!(
                "$changeStream may not be opened on the internal {database} database"
            ));
        }
        if has_collection && names::is_system(collection) && !self.is_allowed_on_system {
            return refuse(format!(
                "$changeStream may not be opened on the internal {namespace} collection"
            ));
        }
        if let (Start::Behind(Token { uuid: None, .. }), true) = (self.start, has_collection) {
            return Err(CommandError::new(
                Code::InvalidResumeToken,
                "Attempted to resume a single-collection stream, but the resume token does not include a UUID",
            ));
        }
        Ok(match (self.is_of_all, has_collection) {
            (true, _) => Scope::All,
            (_, true) => Scope::Collection(namespace.to_owned()),
            _ => Scope::Database(database.to_owned()),
        })
    }

    /// Whether a change of a namespace is told.
    pub fn tells(&self, scope: &Scope, namespace: &str) -> bool {
        let (database, collection) = names::split(namespace);
        let is_shown = self.shows_system || !names::is_system(collection);
        match scope {
            Scope::Collection(own) => *own == namespace,
            Scope::Database(own) => *own == database && is_shown,
            Scope::All => !matches!(database, "admin" | "config" | "local") && is_shown,
        }
    }
}

/// The fields of an operation, as events need them.
pub fn text<'d>(document: Document<'d>, name: &str) -> &'d str {
    document.get(name).as_str().unwrap_or_default()
}
