//! Salvage: every readable document of a damaged deployment, copied into a new one.
//!
//! Collections are found by the catalog as far as it can be read, then by catalog leaves among the pages that nothing
//! reaches; documents by their trees, then among such pages too. Documents whose collection cannot be named come into
//! `lost.collection_1` and so on. Invariants: the damaged pages are only read; where fewer documents or collections are
//! found than the header and the catalog count, the report says how many.

use super::collection::{Collection, Index, RecordId};
use super::filter::FilterCompiler;
use super::options::CollectionOptions;
use super::repair::{Orphans, orphan_trees};
use super::stored;
use super::uuid;
use super::write::WriteScratch;
use crate::bson::{self, Document};
use crate::env::Env;
use crate::error::CommandError;
use crate::storage::{LeafEntries, PageNumber, Pager, Reach, Survey, SurveyedEntry, Tree};
use std::rc::Rc;

/// The documents and losses of one collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SalvagedCollection {
    pub namespace: String,
    pub documents: u64,
    /// Documents among these that were found below lost branch pages.
    pub recovered: u64,
    /// The losses, in words.
    pub lost: Vec<String>,
    /// Indexes that could not be built from the documents.
    pub lost_indexes: Vec<String>,
}

impl Salvaged {
    /// Whether nothing was lost.
    pub fn is_whole(&self) -> bool {
        let is_whole =
            |one: &SalvagedCollection| one.lost.is_empty() && one.lost_indexes.is_empty();
        self.lost.is_empty() && self.collections.iter().all(is_whole)
    }
}

impl SalvagedCollection {
    /// Tells of documents that were found and are not kept.
    fn refused(&mut self, count: u64) {
        if count > 0 {
            self.lost
                .push(format!("{count} documents with the _id of another one"));
        }
    }
}

/// The report on a salvaged deployment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Salvaged {
    pub collections: Vec<SalvagedCollection>,
    /// The parts of the catalog that could not be read, in words.
    pub lost: Vec<String>,
}

struct Salvage<'p> {
    old: &'p Pager,
    env: &'p dyn Env,
    survey: Survey<'p>,
    report: Salvaged,
}

/// Copies the readable documents of a page space into new collections, which `put` is given. Without `has_header` the
/// catalog's root is unknown.
///
/// # Errors
/// Errors of writing to the new deployment, and errors of `Env::checkpoint`.
pub fn salvage(
    old: &Pager,
    has_header: bool,
    pager: &mut Pager,
    compiler: &dyn FilterCompiler,
    env: &dyn Env,
    put: &mut dyn FnMut(Collection),
) -> Result<Salvaged, CommandError> {
    let mut salvage = Salvage {
        old,
        env,
        survey: Survey::new(old, env),
        report: Salvaged::default(),
    };
    // Pages that only moments reach count as met, so they are no orphans: their documents are older versions of
    // present ones, or were deleted.
    salvage.survey.moments(old)?;
    if !has_header {
        salvage.report.lost.push("the header".to_owned());
    }
    let found = salvage.find_collections(compiler)?;
    let mut collections = Vec::with_capacity(found.len());
    for collection in found {
        let reach = salvage.survey.tree(old, &collection.records)?;
        for index in &collection.indexes {
            salvage.survey.tree(old, &index.tree)?;
            salvage.survey.tree(old, &index.labels)?;
        }
        collections.push((collection, reach));
    }
    let mut orphans = orphan_trees(&mut salvage.survey, old)?;
    let damaged = collections
        .iter()
        .filter(|(_, reach)| !reach.losses.is_empty())
        .count();
    // Without the free list, pages of older states look like lost ones.
    let is_complete = salvage.report.lost.is_empty();
    let knows_free = old.has_free_list();
    for (collection, reach) in &collections {
        let is_only_claimant = knows_free && is_complete && damaged == 1;
        let copy = salvage.copy(pager, collection, reach, &mut orphans, is_only_claimant)?;
        put(copy);
    }
    if knows_free || !is_complete {
        for documents in salvage.unnamed(&orphans)? {
            let number = salvage.report.collections.len() + 1 - collections.len();
            let name = format!("lost.collection_{number}");
            let copy = salvage.copy_unnamed(pager, &name, uuid::random(env), documents)?;
            put(copy);
        }
    }
    Ok(salvage.report)
}

/// The first and the last key of a leaf.
type KeyRange = (Vec<u8>, Vec<u8>);

/// Leaves of trees that nothing reaches, those that were used taken out.
type OrphanTrees = Vec<Vec<PageNumber>>;

impl Salvage<'_> {
    /// The collections and views of every catalog row that can be read.
    fn find_collections(
        &mut self,
        compiler: &dyn FilterCompiler,
    ) -> Result<Vec<Collection>, CommandError> {
        let mut found = Vec::new();
        let mut ranges: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        let root = self.old.catalog_root();
        let reach = self.survey.tree(self.old, &root)?;
        for leaf in &reach.leaves {
            let is_read = self.read_rows(*leaf, compiler, true, &mut ranges, &mut found)?;
            if !is_read && !root.is_empty() {
                let lost = format!("page {leaf} of the catalog: it tells of no collection");
                self.report.lost.push(lost);
            }
        }
        for loss in &reach.losses {
            let lost = format!("page {} of the catalog: {}", loss.page, loss.reason);
            self.report.lost.push(lost);
        }
        let counted = |found: usize| {
            format!(
                "the catalog: {found} collections and views were found of {}",
                root.len()
            )
        };
        // Rows that another state had in the place of the present ones.
        let is_another = self.report.lost.is_empty() && found.len() as u64 != root.len();
        if is_another {
            self.report.lost.push(counted(found.len()));
        }
        if !self.report.lost.is_empty() {
            // Of several versions of a leaf the newest is taken, which comes first.
            for (page, level) in self.survey.unmet_pages(self.old) {
                self.env.checkpoint()?;
                if level == 0 && self.read_rows(page, compiler, false, &mut ranges, &mut found)? {
                    self.survey.orphan(self.old, page)?;
                }
            }
            if !is_another && (found.len() as u64) < root.len() {
                self.report.lost.push(counted(found.len()));
            }
        }
        Ok(found)
    }

    /// Reads a leaf's catalog rows, when it has such and none of their names is in a range that was read; false
    /// otherwise. A leaf of the catalog may have rows that all are damaged.
    fn read_rows(
        &mut self,
        leaf: PageNumber,
        compiler: &dyn FilterCompiler,
        is_of_catalog: bool,
        ranges: &mut Vec<(Vec<u8>, Vec<u8>)>,
        found: &mut Vec<Collection>,
    ) -> Result<bool, CommandError> {
        let entries = self.entries(leaf)?;
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return Ok(false);
        };
        let is_name = |entry: &SurveyedEntry| {
            std::str::from_utf8(&entry.key).is_ok_and(|name| name.contains('.'))
                && !entry.key.contains(&0)
        };
        let overlaps = |(from, to): &(Vec<u8>, Vec<u8>)| first.key <= *to && last.key >= *from;
        if !entries.iter().all(is_name) || ranges.iter().any(overlaps) {
            return Ok(false);
        }
        let mut rows = Vec::with_capacity(entries.len());
        let mut lost = Vec::new();
        for entry in &entries {
            let name = String::from_utf8_lossy(&entry.key);
            match &entry.value {
                Ok(row) => match stored::read(&entry.key, row, compiler) {
                    Ok(collection) => rows.push(collection),
                    Err(error) => lost.push(error.message.clone()),
                },
                Err(loss) => lost.push(format!("{name}: page {}: {}", loss.page, loss.reason)),
            }
        }
        if rows.is_empty() && !is_of_catalog {
            return Ok(false);
        }
        self.report.lost.append(&mut lost);
        ranges.push((first.key.clone(), last.key.clone()));
        found.append(&mut rows);
        Ok(true)
    }

    /// A collection's copy: its documents under their RecordIds, and its indexes built from them.
    fn copy(
        &mut self,
        pager: &mut Pager,
        collection: &Collection,
        reach: &Reach,
        orphans: &mut OrphanTrees,
        is_only_claimant: bool,
    ) -> Result<Collection, CommandError> {
        let mut told = SalvagedCollection {
            namespace: collection.namespace.to_string(),
            ..SalvagedCollection::default()
        };
        let mut copy = collection.clone();
        copy.records = Tree::new();
        copy.records.plant(pager)?;
        copy.indexes = Vec::with_capacity(collection.indexes.len());
        for leaf in &reach.leaves {
            let mut entries = LeafEntries::of(*leaf);
            while let Some(entry) = entries.next(self.old)? {
                self.env.checkpoint()?;
                let Some(RecordId(id)) = RecordId::from_bytes(&entry.key) else {
                    told.lost.push(format!("page {leaf}: it holds no records"));
                    break;
                };
                match entry.value {
                    Ok(document) if bson::validate(&document).is_ok() => {
                        copy.records.put(pager, &entry.key, &document)?;
                    }
                    Ok(_) => told.lost.push(format!("record {id} is not valid BSON")),
                    Err(loss) => told.lost.push(loss.worded(id, id)),
                }
            }
        }
        for loss in &reach.losses {
            let id = |key: &Option<Vec<u8>>| {
                let id = key.as_deref().and_then(RecordId::from_bytes);
                id.map(|id| id.0)
            };
            let (from, to) = (id(&loss.from).unwrap_or(1), id(&loss.to));
            let to = to.unwrap_or(collection.next_record.0).saturating_sub(1);
            told.lost.push(loss.worded(from, to));
        }
        for leaves in orphans {
            let claim = Orphans {
                leaves: &[],
                is_only_claimant,
            };
            let mut left = Vec::new();
            for leaf in std::mem::take(leaves) {
                self.env.checkpoint()?;
                let adopted = collection.adoptable(self.old, leaf, &reach.losses, claim)?;
                if adopted.is_empty() {
                    left.push(leaf);
                }
                for (key, document) in adopted {
                    let is_new = copy.records.insert(pager, &key, &document)?;
                    told.recovered += u64::from(is_new);
                }
            }
            *leaves = left;
        }
        copy.next_record = copy.next_record.max(copy.next_free_record(pager)?);
        for index in &collection.indexes {
            let mut built = Index::new(Rc::clone(&index.definition));
            built.tree.plant(pager)?;
            match copy.fill_index(pager, &mut built, self.env) {
                Ok(()) => {}
                Err(error) if error.ends_command() => return Err(error),
                Err(error) => {
                    told.lost_indexes
                        .push(format!("{}: {}", index.name(), error.message));
                    continue;
                }
            }
            copy.indexes.push(built);
        }
        if copy.indexes.is_empty() && !collection.indexes.is_empty() {
            // Older versions of documents are among those found: each _id is kept once.
            let documents = all_documents(&copy, pager, self.env)?;
            let mut one_by_one =
                Collection::new(&copy.namespace, copy.uuid, (*copy.options).clone());
            one_by_one.plant(pager)?;
            told.refused(insert_each(pager, &mut one_by_one, &documents, self.env)?);
            copy = one_by_one;
        }
        told.documents = copy.count();
        let counted = collection.records.len();
        if told.documents != counted {
            let found = told.documents;
            told.lost
                .push(format!("{found} documents were found of {counted}"));
        }
        self.report.collections.push(told);
        Ok(copy)
    }

    /// All entries of a leaf.
    fn entries(&self, leaf: PageNumber) -> Result<Vec<SurveyedEntry>, CommandError> {
        let mut entries = LeafEntries::of(leaf);
        let mut all = Vec::new();
        while let Some(entry) = entries.next(self.old)? {
            self.env.checkpoint()?;
            all.push(entry);
        }
        Ok(all)
    }

    /// Documents in leaves that no collection claims, in groups that may have been collections. Leaves that hang
    /// together in one tree are a group; single leaves whose RecordIds do not overlap are put together.
    fn unnamed(&self, orphans: &OrphanTrees) -> Result<Vec<Vec<Vec<u8>>>, CommandError> {
        let mut groups: Vec<(Vec<KeyRange>, Vec<Vec<u8>>)> = Vec::new();
        for leaves in orphans {
            let (mut ranges, mut documents) = (Vec::new(), Vec::new());
            for leaf in leaves {
                self.env.checkpoint()?;
                let entries = self.entries(*leaf)?;
                let is_record = |entry: &SurveyedEntry| {
                    let value = entry.value.as_ref();
                    RecordId::from_bytes(&entry.key).is_some()
                        && value.is_ok_and(|value| bson::validate(value).is_ok())
                };
                let records = entries.into_iter().filter(is_record);
                let records: Vec<SurveyedEntry> = records.collect();
                if let (Some(first), Some(last)) = (records.first(), records.last()) {
                    ranges.push((first.key.clone(), last.key.clone()));
                    documents.extend(records.into_iter().filter_map(|entry| entry.value.ok()));
                }
            }
            if documents.is_empty() {
                continue;
            }
            let overlaps = |known: &[KeyRange]| {
                let mut pairs = known
                    .iter()
                    .flat_map(|one| ranges.iter().map(move |two| (one, two)));
                pairs.any(|(one, two)| one.0 <= two.1 && two.0 <= one.1)
            };
            match groups.iter_mut().find(|(known, _)| !overlaps(known)) {
                Some((known, group)) if leaves.len() == 1 => {
                    known.append(&mut ranges);
                    group.append(&mut documents);
                }
                _ => groups.push((ranges, documents)),
            }
        }
        Ok(groups.into_iter().map(|(_, documents)| documents).collect())
    }

    fn copy_unnamed(
        &mut self,
        pager: &mut Pager,
        name: &str,
        uuid: [u8; 16],
        documents: Vec<Vec<u8>>,
    ) -> Result<Collection, CommandError> {
        let mut copy = Collection::new(name, uuid, CollectionOptions::default());
        copy.plant(pager)?;
        let mut told = SalvagedCollection {
            namespace: name.to_owned(),
            ..SalvagedCollection::default()
        };
        told.refused(insert_each(pager, &mut copy, &documents, self.env)?);
        told.documents = copy.count();
        told.recovered = copy.count();
        self.report.collections.push(told);
        Ok(copy)
    }
}

fn all_documents(
    collection: &Collection,
    pager: &Pager,
    env: &dyn Env,
) -> Result<Vec<Vec<u8>>, CommandError> {
    let mut documents = Vec::new();
    let mut cursor = collection.records.cursor();
    while cursor.next(pager)? {
        env.checkpoint()?;
        documents.push(cursor.value_ref(pager)?.into_owned());
    }
    Ok(documents)
}

/// Inserts the documents that can be inserted: of several documents with one `_id` the first. Gives how many were
/// refused.
fn insert_each(
    pager: &mut Pager,
    collection: &mut Collection,
    documents: &[Vec<u8>],
    env: &dyn Env,
) -> Result<u64, CommandError> {
    let mut scratch = WriteScratch::default();
    let mut refused = 0;
    for document in documents {
        env.checkpoint()?;
        let document = Document::from_valid_bytes(document);
        match collection.insert_document(pager, document, &mut scratch) {
            Ok(newest) => {
                while let Some(oldest) = collection.oldest_beyond_limits(pager, newest)? {
                    collection.delete_record(pager, oldest, &mut scratch)?;
                }
            }
            Err(error) if error.ends_command() => return Err(error),
            // A document that is refused leaves nothing behind.
            Err(_) => refused += 1,
        }
    }
    Ok(refused)
}
