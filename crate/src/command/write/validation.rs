//! Validators of collections: their options in `create` and `collMod`, and the test of each document written.
//!
//! Manual: core/schema-validation. Invariant: a validator is compiled once and kept for as long as the collection's
//! options are the same; a document is tested before anything is stored.

use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::{Catalog, CollectionOptions, names};
use crate::command::context::CommandContext;
use crate::command::request::{Params, Request};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::query::{Matcher, describe_failure};
use std::rc::Rc;

/// The options that restrict a collection's documents, in the order in which they are listed.
pub const OPTION_NAMES: &[&str] = &["validator", "validationLevel", "validationAction"];

const LEVELS: &[&str] = &["off", "strict", "moderate"];
const ACTIONS: &[&str] = &["error", "warn", "errorAndLog"];

/// The validation options of `create` and `collMod`.
pub struct ValidationOptions<'a> {
    pub validator: Option<Document<'a>>,
    pub level: Option<&'a str>,
    pub action: Option<&'a str>,
}

impl<'a> ValidationOptions<'a> {
    /// Reads the fields.
    ///
    /// # Errors
    /// 14 `TypeMismatch`, and 2 `BadValue` for another word.
    pub fn read(params: &Params<'a>, command: &str) -> Result<Self, CommandError> {
        let word = |name: &'static str, allowed: &[&str]| match params.string(name)? {
            Some(word) if !allowed.contains(&word) => Err(CommandError::new(
                Code::BadValue,
                format!(
                    "Enumeration value '{word}' for field '{command}.{name}' is not a valid value."
                ),
            )),
            word => Ok(word),
        };
        Ok(Self {
            validator: params.document("validator")?,
            level: word("validationLevel", LEVELS)?,
            action: word("validationAction", ACTIONS)?,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.validator.is_none() && self.level.is_none() && self.action.is_none()
    }

    /// Appends the options that are given.
    pub fn append_to(&self, builder: &mut DocumentBuilder) {
        if let Some(validator) = self.validator.filter(|validator| !validator.is_empty()) {
            builder.append("validator", validator);
        }
        for (name, word) in [
            ("validationLevel", self.level),
            ("validationAction", self.action),
        ] {
            if let Some(word) = word {
                builder.append(name, word);
            }
        }
    }

    /// A collection's further options with these in place of the old ones. A new validator settles level and
    /// action too.
    pub fn replace_in(&self, others: &DocumentBuf) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        for element in others.as_document().iter() {
            if !OPTION_NAMES.contains(&element.name) {
                builder.append_raw(element.raw);
            }
        }
        let settled = |name: &str, default: Option<&'static str>| {
            others.get(name).as_str().or(match self.validator {
                Some(_) => default,
                None => None,
            })
        };
        let merged = ValidationOptions {
            validator: self
                .validator
                .or_else(|| others.get("validator").as_document()),
            level: self
                .level
                .or_else(|| settled("validationLevel", Some("strict"))),
            action: self
                .action
                .or_else(|| settled("validationAction", Some("error"))),
        };
        merged.append_to(&mut builder);
        builder.finish()
    }

    /// Refuses a validator that its collection cannot have.
    ///
    /// # Errors
    /// 72 `InvalidOptions` on the server's own databases; errors of the filter, and 2 `BadValue` for `$where`.
    pub fn check(
        &self,
        namespace: &str,
        id: &[u8; 16],
        context: &CompileContext<'_>,
    ) -> Result<(), CommandError> {
        let Some(validator) = self.validator.filter(|validator| !validator.is_empty()) else {
            return Ok(());
        };
        let (database, name) = names::split(namespace);
        if name.starts_with("system.") {
            return Err(CommandError::new(
                Code::InvalidOptions,
                format!(
                    "Document validators not allowed on system collection {namespace} with UUID {}",
                    uuid_text(id)
                ),
            ));
        }
        if matches!(database, "admin" | "config" | "local") {
            return Err(CommandError::new(
                Code::InvalidOptions,
                format!(
                    "Document validators are not allowed on collection {namespace} with UUID {} in the \
                     {database} internal database",
                    uuid_text(id)
                ),
            ));
        }
        compile(validator, context).map(drop)
    }
}

fn compile(validator: Document<'_>, context: &CompileContext<'_>) -> Result<Matcher, CommandError> {
    let context = CompileContext {
        in_validator: true,
        ..context.clone()
    };
    Matcher::compile_without_scripts(validator, &context)
}

/// A collection's validator, ready to test documents.
pub struct Validator {
    /// The options it was made of.
    options: Rc<CollectionOptions>,
    matcher: Matcher,
    /// Whether a document that failed before may be changed into another that fails.
    moderate: bool,
}

impl Validator {
    /// Refuses a document that does not match; `before` is the document that it replaces.
    ///
    /// # Errors
    /// 121 `DocumentValidationFailure` with `errInfo`.
    pub fn check(
        &self,
        document: Document<'_>,
        before: Option<Document<'_>>,
        env: &dyn Env,
        now_millis: i64,
    ) -> Result<(), CommandError> {
        if self.accepts(document, env)? {
            return Ok(());
        }
        if self.moderate
            && let Some(before) = before
            && !self.accepts(before, env)?
        {
            return Ok(());
        }
        let source = self.options.others.get("validator");
        let mut context = CompileContext::new(env, now_millis);
        context.collation.clone_from(&self.options.collation);
        let mut details = DocumentBuilder::new();
        details.append(
            "errInfo",
            &describe_failure(
                source.as_document().unwrap_or(Document::EMPTY),
                document,
                &context,
            ),
        );
        Err(CommandError::new(
            Code::DocumentValidationFailure,
            "Document failed validation",
        )
        .with_details(details.finish().into_bytes()))
    }

    /// Whether a document matches. A validator that fails to be evaluated is not satisfied.
    ///
    /// # Errors
    /// Errors that end the whole command.
    pub fn accepts(&self, document: Document<'_>, env: &dyn Env) -> Result<bool, CommandError> {
        match self.matcher.matches(document, env) {
            Err(error) if error.ends_command() => Err(error),
            answer => Ok(answer.unwrap_or(false)),
        }
    }
}

/// Compiled validators of the collections that were written to last.
#[derive(Default)]
pub struct ValidatorCache {
    kept: Vec<Rc<Validator>>,
}

const MOST_KEPT: usize = 16;

/// The validator that documents written to a collection must satisfy; `None` when there is none, its level is
/// `off`, or its action is `warn`: there is no log to warn in.
///
/// # Errors
/// Errors of compiling it.
pub fn enforced(
    catalog: &Catalog,
    validators: &mut ValidatorCache,
    namespace: &str,
    env: &dyn Env,
    now_millis: i64,
) -> Result<Option<Rc<Validator>>, CommandError> {
    let Some(collection) = catalog.collection(namespace) else {
        return Ok(None);
    };
    let others = &collection.options.others;
    if others.as_document().is_empty()
        || others.get("validationLevel").as_str() == Some("off")
        || others.get("validationAction").as_str() == Some("warn")
    {
        return Ok(None);
    }
    let options = Rc::clone(&collection.options);
    of(validators, options, env, now_millis)
}

/// The compiled validator of a collection's options, at any level and action.
///
/// # Errors
/// Errors of compiling it.
pub fn of(
    validators: &mut ValidatorCache,
    options: Rc<CollectionOptions>,
    env: &dyn Env,
    now_millis: i64,
) -> Result<Option<Rc<Validator>>, CommandError> {
    let ValueRef::Document(source) = options.others.get("validator") else {
        return Ok(None);
    };
    let kept = &mut validators.kept;
    if let Some(known) = kept
        .iter()
        .find(|known| Rc::ptr_eq(&known.options, &options))
    {
        return Ok(Some(Rc::clone(known)));
    }
    let mut context = CompileContext::new(env, now_millis);
    context.collation.clone_from(&options.collation);
    let matcher = compile(source, &context)?;
    let moderate = options.others.get("validationLevel").as_str() == Some("moderate");
    // The time is compiled into the expression.
    let depends_on_time = source.as_bytes().windows(5).any(|bytes| bytes == b"$$NOW");
    let validator = Rc::new(Validator {
        options: Rc::clone(&options),
        matcher,
        moderate,
    });
    if !depends_on_time {
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push(Rc::clone(&validator));
    }
    Ok(Some(validator))
}

impl CommandContext<'_> {
    /// Notes whether a request's `bypassDocumentValidation`, which its command has read, is true. The
    /// writes of an `aggregate`'s pipeline go by the flag of the `aggregate`.
    pub fn note_bypass(&mut self, request: &Request<'_>) {
        let flag = request.document.get("bypassDocumentValidation");
        self.bypass_validation |= flag.is_truthy();
    }

    /// The validator that documents written to a collection must satisfy, unless the command passes it by.
    ///
    /// # Errors
    /// Errors of compiling it.
    pub fn validator(&mut self, namespace: &str) -> Result<Option<Rc<Validator>>, CommandError> {
        if self.bypass_validation {
            return Ok(None);
        }
        let catalog = self.unit.view().catalog;
        let validators = &mut self.deployment.validators;
        enforced(catalog, validators, namespace, self.env, self.now_millis)
    }
}
