//! One operation of the oplog as an event of a change stream.
//!
//! The fields stand in the server's order. Manual: reference/change-events.

use super::description;
use super::specification::{Image, Scope, Specification, text};
use super::token::Token;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Timestamp, ValueRef};
use crate::catalog::names;
use crate::catalog::views::VIEWS_COLLECTION;
use crate::error::{Code, CommandError};
use crate::exec::Namespaces;

type Result<T> = std::result::Result<T, CommandError>;

/// An operation with what its entry says of all of its operations.
pub struct Operation<'o> {
    pub fields: Document<'o>,
    pub at: u64,
    pub wall: ValueRef<'o>,
    /// Which one of a transaction it is, and the session and the number of that.
    pub within: Option<(u64, ValueRef<'o>, ValueRef<'o>)>,
}

/// An event, or the end of the stream behind one.
pub struct Event {
    pub document: DocumentBuf,
    pub token: Token,
    pub is_end: bool,
}

/// What an event tells, before its token is known.
struct Telling<'o> {
    kind: &'static str,
    namespace: String,
    /// The collection's name is told.
    has_collection: bool,
    full_document: ValueRef<'o>,
    key: ValueRef<'o>,
    description: Option<DocumentBuf>,
    diff: Option<Document<'o>>,
    state_before: Option<DocumentBuf>,
    to: &'o str,
    namespace_type: &'static str,
    hides_uuid: bool,
    /// Only with `showExpandedEvents`.
    is_expanded: bool,
}

impl Telling<'_> {
    fn of(namespace: &str) -> Self {
        Self {
            kind: "",
            namespace: namespace.to_owned(),
            has_collection: true,
            full_document: ValueRef::Missing,
            key: ValueRef::Missing,
            description: None,
            diff: None,
            state_before: None,
            to: "",
            namespace_type: "",
            hides_uuid: false,
            is_expanded: false,
        }
    }
}

fn except(document: Document<'_>, names: &[&str]) -> DocumentBuf {
    let mut kept = DocumentBuilder::new();
    for field in document.iter().filter(|field| !names.contains(&field.name)) {
        kept.append_raw(field.raw);
    }
    kept.finish()
}

fn append_namespace(
    builder: &mut DocumentBuilder,
    name: &str,
    namespace: &str,
    has_collection: bool,
) {
    let (database, collection) = names::split(namespace);
    builder.begin_document(name).append("db", database);
    if has_collection {
        builder.append("coll", collection);
    }
    builder.end();
}

/// `{indexes: [definition]}`.
fn indexes(definition: &DocumentBuf) -> DocumentBuf {
    let mut list = DocumentBuilder::new();
    list.begin_array("indexes").push_item(0, definition).end();
    list.finish()
}

impl<'o> Operation<'o> {
    fn get(&self, name: &str) -> ValueRef<'o> {
        self.fields.get(name)
    }

    fn document(&self, name: &str) -> Document<'o> {
        self.get(name).as_document().unwrap_or_default()
    }

    /// What the operation is an event of; none for those that no stream tells.
    fn telling(&self) -> Option<Telling<'o>> {
        let namespace = text(self.fields, "ns");
        let (o, o2) = (self.document("o"), self.get("o2"));
        let (database, collection) = names::split(namespace);
        let mut telling = Telling::of(namespace);
        let op = text(self.fields, "op");
        if collection == VIEWS_COLLECTION && op != "c" {
            return self.telling_of_view(op);
        }
        match op {
            "i" => {
                (telling.kind, telling.key) = ("insert", o2);
                telling.full_document = ValueRef::Document(o);
            }
            "d" => (telling.kind, telling.key) = ("delete", ValueRef::Document(o)),
            "u" => {
                telling.key = o2;
                match o.get("$v").as_exact_i64() {
                    Some(2) => {
                        telling.kind = "update";
                        telling.diff = o.get("diff").as_document();
                    }
                    _ => {
                        telling.kind = "replace";
                        telling.full_document = ValueRef::Document(o);
                    }
                }
            }
            "c" => {
                let command = o.iter().next()?;
                let name = command.name;
                telling.namespace =
                    format!("{database}.{}", command.value.as_str().unwrap_or_default());
                telling.is_expanded = true;
                let rest = except(o, &[name]);
                match name {
                    "drop" => (telling.kind, telling.is_expanded) = ("drop", false),
                    "dropDatabase" => {
                        (telling.kind, telling.is_expanded) = ("dropDatabase", false);
                        telling.has_collection = false;
                    }
                    "renameCollection" => {
                        (telling.kind, telling.is_expanded) = ("rename", false);
                        telling.namespace = text(o, name).to_owned();
                        telling.to = text(o, "to");
                        let mut description = DocumentBuilder::new();
                        append_namespace(&mut description, "to", telling.to, true);
                        description.append("dropTarget", o.get("dropTarget"));
                        telling.description = Some(description.finish());
                    }
                    "create" => {
                        (telling.kind, telling.namespace_type) = ("create", "collection");
                        telling.description = Some(rest);
                    }
                    "createIndexes" => {
                        telling.kind = "createIndexes";
                        telling.description = Some(indexes(&rest));
                    }
                    "dropIndexes" => {
                        telling.kind = "dropIndexes";
                        let definition = o2.as_document().unwrap_or_default().to_buf();
                        telling.description = Some(indexes(&definition));
                    }
                    "collMod" => {
                        telling.kind = "modify";
                        telling.description = Some(rest);
                        let old = o2.as_document().unwrap_or_default();
                        let mut before = DocumentBuilder::new();
                        before.append("collectionOptions", old.get("collectionOptions_old"));
                        before.append("indexOptions", old.get("indexOptions_old"));
                        telling.state_before = Some(before.finish());
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(telling)
    }

    /// A view is a document of `system.views`.
    fn telling_of_view(&self, op: &str) -> Option<Telling<'o>> {
        let o = self.document("o");
        let (kind, namespace_type) = match op {
            "i" => ("create", "view"),
            "u" => ("modify", ""),
            "d" => ("drop", ""),
            _ => return None,
        };
        Some(Telling {
            kind,
            namespace_type,
            is_expanded: true,
            hides_uuid: true,
            description: (op != "d").then(|| except(o, &["_id"])),
            ..Telling::of(text(o, "_id"))
        })
    }

    /// The events that the operation is of a stream, without those that the stream does not tell.
    ///
    /// # Errors
    /// 47 `NoMatchingDocument` where an image is required and is not there; storage errors.
    pub fn events(
        &self,
        specification: &Specification,
        scope: &Scope,
        namespaces: &dyn Namespaces,
        tell: &mut dyn FnMut(Event) -> Result<()>,
    ) -> Result<()> {
        let Some(telling) = self.telling() else {
            return Ok(());
        };
        let is_of_one = matches!(scope, Scope::Collection(_));
        let tells = match telling.has_collection {
            true => {
                specification.tells(scope, &telling.namespace)
                    || !telling.to.is_empty() && specification.tells(scope, telling.to)
            }
            false => !is_of_one && specification.tells(scope, &telling.namespace),
        };
        let is_hidden =
            telling.is_expanded && !specification.is_expanded || telling.hides_uuid && is_of_one;
        if !tells || is_hidden {
            return Ok(());
        }
        let token = Token {
            at: self.at,
            is_event: true,
            index: self.within.map_or(0, |(index, ..)| index),
            is_invalidation: false,
            uuid: match self.get("ui") {
                ValueRef::Binary { bytes, .. } => bytes.try_into().ok(),
                _ => None,
            },
            fragment: None,
        };
        let ends = match scope {
            Scope::Collection(_) => matches!(telling.kind, "drop" | "rename"),
            Scope::Database(_) => telling.kind == "dropDatabase",
            Scope::All => false,
        };
        let document = self.document_of(specification, &telling, token, namespaces)?;
        tell(Event {
            document,
            token,
            is_end: false,
        })?;
        if ends {
            let token = Token {
                is_invalidation: true,
                ..token
            };
            let mut builder = DocumentBuilder::new();
            builder.append("_id", &token.to_document("invalidate"));
            builder.append("operationType", "invalidate");
            builder.append("clusterTime", Timestamp::from_bits(self.at));
            builder.append("wallTime", self.wall);
            tell(Event {
                document: builder.finish(),
                token,
                is_end: true,
            })?;
        }
        Ok(())
    }

    fn document_of(
        &self,
        specification: &Specification,
        telling: &Telling<'_>,
        token: Token,
        namespaces: &dyn Namespaces,
    ) -> Result<DocumentBuf> {
        let mut builder = DocumentBuilder::new();
        if !telling.to.is_empty() {
            append_namespace(&mut builder, "to", telling.to, true);
        }
        if let Some((_, session, number)) = self.within {
            builder.append("txnNumber", number).append("lsid", session);
        }
        builder.append("_id", &token.to_document(telling.kind));
        builder.append("operationType", telling.kind);
        builder.append("clusterTime", Timestamp::from_bits(self.at));
        if specification.is_expanded && !telling.hides_uuid {
            builder.append("collectionUUID", self.get("ui"));
        }
        builder.append("wallTime", self.wall);
        builder.append("fullDocument", telling.full_document);
        append_namespace(
            &mut builder,
            "ns",
            &telling.namespace,
            telling.has_collection,
        );
        builder.append("documentKey", telling.key);
        if let (Some(description), true) = (&telling.description, specification.is_expanded) {
            builder.append("operationDescription", description);
        }
        match telling.diff {
            Some(_) if specification.is_raw => {
                builder.append("rawUpdateDescription", self.get("o"));
            }
            Some(diff) => description::append(diff, specification.is_expanded, &mut builder),
            None => {}
        }
        if let Some(state) = &telling.state_before {
            builder.append("stateBeforeChange", state);
        }
        if !telling.namespace_type.is_empty() {
            builder.append("nsType", telling.namespace_type);
        }
        let has_before = matches!(telling.kind, "update" | "replace" | "delete");
        if has_before && specification.before_change != Image::Off {
            let is_required = specification.before_change == Image::Required;
            let what = "pre-image for all update, delete and replace events, but the pre-image";
            let image = self.image("preImageOpTime", namespaces)?;
            append_image(
                "fullDocumentBeforeChange",
                image,
                is_required.then_some(what),
                &mut builder,
            )?;
        }
        if telling.kind == "update" {
            match specification.full_document {
                Image::Off => {}
                Image::Lookup => {
                    let id = telling.key.as_document().unwrap_or_default().get("_id");
                    let found = namespaces.find_by_id(&telling.namespace, id)?;
                    append_image("fullDocument", found, None, &mut builder)?;
                }
                mode => {
                    let what = "post-image for all update events, but the post-image";
                    let image = self.image("postImageOpTime", namespaces)?;
                    let is_required = mode == Image::Required;
                    append_image(
                        "fullDocument",
                        image,
                        is_required.then_some(what),
                        &mut builder,
                    )?;
                }
            }
        }
        Ok(builder.finish())
    }

    /// The image that the operation names.
    fn image(&self, name: &str, namespaces: &dyn Namespaces) -> Result<Option<DocumentBuf>> {
        let Some(at) = self
            .get(name)
            .as_document()
            .and_then(|place| Timestamp::of(place.get("ts")).map(Timestamp::to_bits))
        else {
            return Ok(None);
        };
        if matches!(self.wall, ValueRef::DateTime(wall) if wall <= namespaces.images_expired()?) {
            return Ok(None);
        }
        let mut image = None;
        namespaces.visit_oplog(at, &mut |found, entry| {
            if found == at {
                image = entry.get("o").as_document().map(Document::to_buf);
            }
            Ok(false)
        })?;
        Ok(image)
    }
}

/// Appends an image, or null; where it is required, `required` words the error.
fn append_image(
    name: &str,
    image: Option<DocumentBuf>,
    required: Option<&str>,
    builder: &mut DocumentBuilder,
) -> Result<()> {
    match (image, required) {
        (Some(image), _) => drop(builder.append(name, &image)),
        (None, None) => drop(builder.append(name, ValueRef::Null)),
        (None, Some(what)) => {
            let event = std::mem::take(builder).finish();
            return Err(CommandError::new(
                Code::NoMatchingDocument,
                format!(
                    "Change stream was configured to require a {what} was not found for event: {}",
                    event.as_document()
                ),
            ));
        }
    }
    Ok(())
}
