//! The kinds of collection that `create` and `collMod` define in their own way, and the options that make the others.
//!
//! The kinds themselves are `catalog/collections`. Invariant: every field of a row is an option of that kind alone.

use super::{capped, clustered, series, view};
use crate::bson::DocumentBuilder;
use crate::catalog::stored::uuid_value;
use crate::catalog::{Collection, CollectionKind};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};

/// The commands of one kind.
pub struct KindCommands {
    /// The options of `create` and `collMod` that only this kind has, each of which makes a `create` one of the kind.
    pub fields: &'static [&'static str],
    /// How `collMod` refuses those options on a collection of another kind.
    pub refusal: &'static str,
    /// Runs a `create` of this kind, of a namespace.
    pub create: fn(&mut CommandContext<'_>, &str, Params<'_>) -> CommandResult,
    /// Runs a `collMod` of one of this kind.
    pub modify: fn(&mut CommandContext<'_>, &Request<'_>, &Collection) -> CommandResult,
}

/// The kinds with commands of their own.
const ROWS: &[&KindCommands] = &[&view::ROW, &series::ROW];

/// Reads a kind that options of `create` make beside the common ones.
type ReadKind = fn(&Params<'_>) -> Result<Option<CollectionKind>, CommandError>;

/// The kinds that `create` makes in the common way. Each refuses the options of those behind it.
const READERS: &[ReadKind] = &[clustered::read, capped::read];

/// The commands of a kind; `None`: the common ones.
pub fn commands_of(kind: &CollectionKind) -> Option<&'static KindCommands> {
    match kind {
        CollectionKind::View(_) => Some(&view::ROW),
        CollectionKind::Measured(_) => Some(&series::ROW),
        CollectionKind::Plain
        | CollectionKind::Capped(_)
        | CollectionKind::Clustered(_)
        | CollectionKind::Buckets(_) => None,
    }
}

/// The kind with commands of its own whose options a request has.
pub fn asked(params: &Params<'_>) -> Option<&'static KindCommands> {
    let mut found = None;
    for row in ROWS {
        // All are asked for, because a field that nothing asks for is unknown.
        for field in row.fields {
            let is_given = !params.value(field).is_nullish();
            found = found.or(is_given.then_some(*row));
        }
    }
    found
}

/// The kind of a collection that `create` makes in the common way.
///
/// # Errors
/// Options that are no such kind's, or are out of range.
pub fn read(params: &Params<'_>) -> Result<CollectionKind, CommandError> {
    let mut kind = None;
    for reader in READERS {
        let read = reader(params)?;
        kind = kind.or(read);
    }
    Ok(kind.unwrap_or_default())
}

/// The error of a `create` whose name a collection of other options has already.
pub fn exists_differently(existing: &Collection) -> CommandError {
    let mut options = DocumentBuilder::new();
    if existing.has_documents() {
        options.append("uuid", uuid_value(&existing.uuid));
    }
    existing.options.append_to(&mut options);
    CommandError::new(
        Code::NamespaceExists,
        format!(
            "namespace {} already exists, but with different options: {}",
            existing.namespace,
            options.finish().as_document()
        ),
    )
}
