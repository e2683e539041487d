//! Moments as the catalog sees them: the note on each, the collections of one, and bringing them back.
//!
//! A moment's note is a BSON document: `time`, and where they were given `name`, `what` (the command or change before
//! which the moment was made) and `from` (the moment that the change was made on). Invariant: a collection that is
//! brought back shares its unchanged pages with the present and copies the rest; the moment itself stays as it is.

use super::collection::{Collection, Index};
use super::deployment_catalog::Catalog;
use super::filter::FilterCompiler;
use super::names;
use super::stored;
use crate::algorithms::sorting;
use crate::bson::{self, Document, DocumentBuilder, ValueRef};
use crate::env::Env;
use crate::error::{CommandError, StorageError};
use crate::storage::{Moment, Pager, Tree};
use std::rc::Rc;

/// The note on a moment, beside its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MomentNote {
    /// When it was made, in engine time.
    pub time_millis: i64,
    /// The name that keeps it from being dropped for want of room.
    pub name: Option<String>,
    /// The action before it was made.
    pub what: Option<String>,
    /// The number of the moment that the change was made on.
    pub from: Option<u64>,
}

impl MomentNote {
    /// The note's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut builder = DocumentBuilder::new();
        builder.append("time", ValueRef::DateTime(self.time_millis));
        for (field, text) in [("name", &self.name), ("what", &self.what)] {
            if let Some(text) = text {
                builder.append(field, text.as_str());
            }
        }
        if let Some(from) = self.from {
            builder.append("from", from as i64);
        }
        builder.finish().into_bytes()
    }

    /// The note of a moment.
    ///
    /// # Errors
    /// `Corrupt` for one that is no BSON.
    pub fn of(moment: &Moment) -> Result<Self, StorageError> {
        if bson::validate(&moment.note).is_err() {
            let reason = format!("moment {} has no valid note", moment.number);
            return Err(StorageError::corrupt(0, reason));
        }
        let note = Document::from_valid_bytes(&moment.note);
        let text = |field| note.get(field).as_str().map(str::to_owned);
        Ok(Self {
            time_millis: match note.get("time") {
                ValueRef::DateTime(millis) => millis,
                _ => 0,
            },
            name: text("name"),
            what: text("what"),
            from: { note.get("from").as_exact_i64() }.map(|from| from as u64),
        })
    }
}

/// Whether two states of a collection are the same, by their rows in the catalog.
pub fn is_same(one: &Collection, two: &Collection) -> bool {
    stored::write(one).as_bytes() == stored::write(two).as_bytes()
}

/// Whether two states of a collection have the same identity, options and indexes; their documents may differ.
pub fn is_defined_alike(one: &Collection, two: &Collection) -> bool {
    let definition = |collection: &Collection| {
        let mut builder = DocumentBuilder::new();
        builder.append("uuid", stored::uuid_value(&collection.uuid));
        builder.begin_document("options");
        collection.options.append_to(&mut builder);
        builder.end();
        for index in &collection.indexes {
            builder.begin_document("index");
            index.definition.append_to(&mut builder);
            builder.end();
        }
        builder.finish().into_bytes()
    };
    definition(one) == definition(two)
}

/// Whether two states of a collection are alike in all that a reader can see, the order of their documents too.
fn is_alike(
    pager: &Pager,
    one: &Collection,
    two: &Collection,
    env: &dyn Env,
) -> Result<bool, StorageError> {
    if is_same(one, two) {
        return Ok(true);
    }
    let mut differences = one.records.differences(pager, &two.records, env)?;
    Ok(is_defined_alike(one, two) && differences.next(pager)?.is_none())
}

impl Catalog {
    /// The catalog of a moment, to be read.
    ///
    /// # Errors
    /// As `open`.
    pub fn of_moment(
        pager: &Pager,
        moment: &Moment,
        compiler: &dyn FilterCompiler,
    ) -> Result<Self, CommandError> {
        Self::of_root(pager, moment.catalog, compiler)
    }

    /// Makes a namespace as it was in a past catalog; false where it is that already.
    ///
    /// # Errors
    /// 13297 `DatabaseDifferCase`; storage errors: roll back.
    pub fn restore_collection(
        &mut self,
        pager: &mut Pager,
        namespace: &str,
        past: &Catalog,
        env: &dyn Env,
    ) -> Result<bool, CommandError> {
        let now = self.named(namespace).cloned();
        let Some(past) = past.named(namespace) else {
            return Ok(self.drop_collection(pager, namespace)?.is_some());
        };
        if let Some(now) = &now
            && is_alike(pager, now, past, env)?
        {
            return Ok(false);
        }
        self.check_database_case(names::split(namespace).0)?;
        let mut restored = (**past).clone();
        let mut given_up = now.as_ref().map_or(Vec::new(), |now| now.indexes.clone());
        if let Some(now) = &now {
            restored.records = brought_back(now.records, past.records, pager, env)?;
            if now.uuid == past.uuid {
                // A RecordId is never given twice.
                restored.next_record = now.next_record.max(past.next_record);
            }
        } else {
            restored.records = brought_back(Tree::new(), past.records, pager, env)?;
        }
        for index in &mut restored.indexes {
            let now = given_up.iter().position(|now| now.name() == index.name());
            let now = now.map(|at| given_up.swap_remove(at));
            let (tree, labels) =
                now.map_or((Tree::new(), Tree::new()), |now| (now.tree, now.labels));
            index.tree = brought_back(tree, index.tree, pager, env)?;
            index.labels = brought_back(labels, index.labels, pager, env)?;
        }
        for Index { tree, labels, .. } in given_up {
            for mut tree in [tree, labels] {
                tree.drop_tree(pager)?;
            }
        }
        self.put_collection(restored);
        Ok(true)
    }

    /// The namespaces that this catalog or another has, of one database or of all, ascending.
    pub fn namespaces_with(&self, other: &Catalog, database: Option<&str>) -> Vec<Rc<str>> {
        let of = |collection: &&Rc<Collection>| {
            database.is_none_or(|wanted| names::split(&collection.namespace).0 == wanted)
                && *collection.namespace != *names::OPLOG
        };
        let both = self.collections().chain(other.collections()).filter(of);
        let mut namespaces: Vec<Rc<str>> = both
            .map(|collection| Rc::clone(&collection.namespace))
            .collect();
        sorting::sort(&mut namespaces);
        namespaces.dedup();
        namespaces
    }
}

fn brought_back(
    mut now: Tree,
    past: Tree,
    pager: &mut Pager,
    env: &dyn Env,
) -> Result<Tree, StorageError> {
    now.restore(pager, &past, env)?;
    Ok(now)
}
