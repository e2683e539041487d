//! Turns a plan into running stages.

use super::and_sorted::AndSorted;
use super::collection_scan::CollectionScan;
use super::count_scan::CountScan;
use super::distinct_scan::DistinctScan;
use super::documents::Documents;
use super::eof::Eof;
use super::fetch::Fetch;
use super::geo_near::GeoNear;
use super::index_scan::IndexScan;
use super::key_look_up::KeyLookUp;
use super::key_ranges::KeyRanges;
use super::limit::Limit;
use super::merge_sort::MergeSort;
use super::metadata::{ShownKey, TellMetadata};
use super::or::Or;
use super::projection::{Project, ProjectionSource};
use super::range_read::RangeRead;
use super::return_key::ReturnKey;
use super::skip::Skip;
use super::sort::{Keeps, Sort, Sorting};
use super::sort_key::SortKeySource;
use super::sorter::Memory;
use super::stage::Stage;
use super::text_match::TextMatch;
use super::text_or::TextOr;
use super::watch::Metered;
use crate::bson::Value;
use crate::catalog::Collection;
use crate::catalog::index::facts::IndexFacts;
use crate::catalog::plan_cache::{KeyAccess, KeyRead};
use crate::expr::{Carried, MetaKind};
use crate::plan::{Plan, ProjectionKind};
use crate::query::Projection;
use crate::storage::Tree;
use std::rc::Rc;

/// How stages are built.
#[derive(Clone, Copy, Default)]
pub struct Build {
    /// Whether a part of a plan that only reads keys and documents becomes one stage. Explain and trial
    /// runs want a stage for each.
    pub joined: bool,
    /// Whether only the records are asked for, so that the document of a single key is not read.
    pub records_only: bool,
    /// How many rows are wanted at once, where that is known.
    pub wanted: Option<u64>,
    /// Whether each stage has a meter.
    pub is_metered: bool,
    /// Whether keys are asked for above documents.
    pub return_key: bool,
}

/// The first stage of a read. Most reads look up one key, and that stage needs no allocation.
pub enum Root {
    Key(KeyLookUp),
    Stage(Box<dyn Stage>),
}

impl Root {
    pub fn boxed(self) -> Box<dyn Stage> {
        match self {
            Self::Key(stage) => Box::new(stage),
            Self::Stage(stage) => stage,
        }
    }

    pub fn stage(&mut self) -> &mut dyn Stage {
        match self {
            Self::Key(stage) => stage,
            Self::Stage(stage) => stage.as_mut(),
        }
    }
}

impl Build {
    /// For a reader that wants this number of rows at once.
    pub fn wanting(rows: u64) -> Self {
        Self {
            wanted: Some(rows),
            ..Self::default()
        }
    }
}

/// Builds the stage that reads by keys, over a collection as it is now.
pub fn build_read(mut read: KeyRead, collection: &Rc<Collection>, how: Build) -> Root {
    if read.access.is_one_key {
        let leaves = read.access.reads_documents && how.records_only;
        read.access.reads_documents &= !how.records_only;
        let collection = Rc::clone(collection);
        let mut look_up = KeyLookUp::new(collection, read.start, read.access);
        look_up.leaves_document = leaves;
        return Root::Key(look_up);
    }
    let tree = index_tree(collection, read.access.index);
    Root::Stage(Box::new(RangeRead::new(
        collection, &tree, read, how.wanted,
    )))
}

/// The keys that a plan reads records by, where it does nothing else.
fn key_read(plan: &Plan, limit: Option<u64>) -> Option<KeyRead> {
    let ((scan, _), access) = (plan.key_scan()?, plan.key_access()?);
    let [start, end] = KeyRanges::encode(&scan.bounds, scan.direction.is_forward()).into_run()?;
    Some(KeyRead {
        access,
        start: start.unwrap_or_default(),
        end,
        limit,
    })
}

/// Builds a plan's stages, over a collection as it is now.
pub fn build(plan: &Plan, collection: &Rc<Collection>, how: Build) -> Box<dyn Stage> {
    metered(build_plain(plan, collection, how), how)
}

fn metered(stage: Box<dyn Stage>, how: Build) -> Box<dyn Stage> {
    match how.is_metered {
        true => Box::new(Metered::new(stage)),
        false => stage,
    }
}

fn build_plain(plan: &Plan, collection: &Rc<Collection>, how: Build) -> Box<dyn Stage> {
    let how = Build {
        return_key: how.return_key
            || match plan {
                Plan::ReturnKey { .. } => true,
                Plan::Metadata { metadata, .. } => metadata.wants(MetaKind::INDEX_KEY),
                _ => false,
            },
        wanted: match plan {
            Plan::Limit { limit, .. } => {
                Some(how.wanted.map_or(*limit, |wanted| wanted.min(*limit)))
            }
            Plan::Fetch { .. } | Plan::CountScan(_) | Plan::Project { .. } => how.wanted,
            _ => None,
        },
        ..how
    };
    if how.joined && !how.return_key {
        let (read, limit) = match plan {
            Plan::Limit { input, limit } => (&**input, Some(*limit)),
            _ => (plan, None),
        };
        if let Some(read) = key_read(read, limit) {
            return build_read(read, collection, how).boxed();
        }
    }
    let return_key = how.return_key;
    let below = |input: &Plan| build(input, collection, how);
    match plan {
        Plan::Eof => Box::<Eof>::default(),
        Plan::CollectionScan {
            filter, direction, ..
        } => Box::new(CollectionScan::new(collection, *direction, filter.clone())),
        Plan::Virtual { documents, filter } => {
            Box::new(Documents::filtered(Rc::clone(documents), filter.clone()))
        }
        Plan::Express {
            index,
            key,
            projection,
        } => key_look_up(index, key, projection.clone(), collection, how),
        Plan::IdLookUp { index, key } => key_look_up(index, key, None, collection, how),
        Plan::IndexScan(scan) => Box::new(IndexScan::new(
            &index_tree(collection, scan.index.position),
            scan,
            true,
        )),
        Plan::GeoNear(near) => {
            let tree = index_tree(collection, near.scan.index.position);
            Box::new(GeoNear::new(near, tree, collection))
        }
        Plan::CountScan(scan) => Box::new(CountScan::new(
            &index_tree(collection, scan.index.position),
            scan,
        )),
        Plan::DistinctScan { scan, field } => Box::new(DistinctScan::new(
            &index_tree(collection, scan.index.position),
            scan,
            *field,
        )),
        Plan::Fetch { input, filter } => Box::new(Fetch::new(
            match &**input {
                // Above the fetch only a `returnKey` reads the key.
                Plan::IndexScan(scan) => {
                    let tree = index_tree(collection, scan.index.position);
                    metered(Box::new(IndexScan::new(&tree, scan, return_key)), how)
                }
                input => below(input),
            },
            Rc::clone(collection),
            filter.clone(),
        )),
        Plan::AndSorted { inputs } => Box::new(AndSorted::new(inputs.iter().map(below).collect())),
        Plan::Or { inputs } => Box::new(Or::new(inputs.iter().map(below).collect())),
        Plan::TextMatch { input, text } => Box::new(TextMatch::new(below(input), Rc::clone(text))),
        Plan::TextOr { inputs, text } => Box::new(TextOr::new(
            inputs.iter().map(below).collect(),
            Rc::clone(collection),
            Rc::clone(text),
        )),
        Plan::MergeSort { inputs, pattern } => {
            let inputs = inputs
                .iter()
                .map(|input| {
                    let key = match key_source(input) {
                        Some(fields) => SortKeySource::IndexKey(fields),
                        None => SortKeySource::Document,
                    };
                    (below(input), key)
                })
                .collect();
            Box::new(MergeSort::new(inputs, Rc::clone(pattern)))
        }
        Plan::Sort {
            input,
            pattern,
            limit,
            unbounded,
        } => {
            let key = match key_source(input) {
                Some(fields) => SortKeySource::IndexKey(fields),
                None => SortKeySource::Document,
            };
            let keeps = match key {
                SortKeySource::IndexKey(_) => Keeps::IndexKey,
                SortKeySource::Document if return_key => Keeps::IndexKey,
                SortKeySource::Document => Keeps::RecordId,
            };
            let sorting = Sorting {
                pattern: Rc::clone(pattern),
                source: key,
                keeps,
                limit: *limit,
                memory: match unbounded {
                    true => Memory::Unbounded,
                    false => Memory::NoDiskUse,
                },
                metadata: Carried::from(input.text_metadata()),
            };
            Box::new(Sort::new(below(input), sorting))
        }
        Plan::Skip { input, skip } => Box::new(Skip::new(below(input), *skip)),
        Plan::Limit { input, limit } => Box::new(Limit::new(below(input), *limit)),
        Plan::Project {
            input,
            projection,
            kind,
        } => {
            let source = match kind {
                ProjectionKind::Covered => ProjectionSource::IndexKey(index_fields(input)),
                ProjectionKind::Document => ProjectionSource::Document,
                ProjectionKind::Read => ProjectionSource::InPlace,
            };
            Box::new(Project::new(below(input), Rc::clone(projection), source))
        }
        Plan::Metadata {
            input,
            metadata,
            sort,
            near,
            ..
        } => Box::new(TellMetadata {
            input: below(input),
            metadata: Rc::clone(metadata),
            sort: sort.clone(),
            near: near.clone(),
            key_fields: index_fields(input),
            shown: shown_key(input),
            statistics: Default::default(),
        }),
        Plan::ReturnKey { input, sort_key } => Box::new(ReturnKey {
            input: below(input),
            fields: index_fields(input),
            sort_key: sort_key.clone(),
            shown: Default::default(),
            statistics: Default::default(),
        }),
    }
}

/// The stage of a plan's look-up of one key.
fn key_look_up(
    index: &IndexFacts,
    key: &Value<'static>,
    projection: Option<Rc<Projection>>,
    collection: &Rc<Collection>,
    how: Build,
) -> Box<dyn Stage> {
    let mut access = KeyAccess::look_up(index);
    access.reads_documents = !how.records_only;
    let key = access.key_of(key.as_ref());
    let mut look_up = KeyLookUp::new(Rc::clone(collection), key, access);
    look_up.leaves_document = how.records_only;
    (look_up.projection, look_up.tells_key) = (projection, how.return_key);
    Box::new(look_up)
}

/// The tree of the index a plan names; an empty one when the index is gone.
fn index_tree(collection: &Collection, position: usize) -> Tree {
    collection
        .indexes
        .get(position)
        .map(|index| index.tree)
        .unwrap_or_default()
}

/// The key pattern of a plan whose rows are index keys without documents.
fn key_source(plan: &Plan) -> Option<Vec<(String, bool)>> {
    match plan {
        Plan::IndexScan(scan) => Some(scan.index.fields.clone()),
        _ => None,
    }
}

/// Whether a `$meta` shows the keys that a plan's rows were found by. It does where all are of one index, but not where
/// that index is the order of the documents themselves, nor where the plan reads single values of `_id`: that is a
/// look-up, which has no keys to show.
fn shown_key(plan: &Plan) -> ShownKey {
    let scans = plan.index_scans();
    let Some(first) = scans.first() else {
        return ShownKey::Nothing;
    };
    let is_look_up =
        first.index.is_id() && first.bounds.leading_points() == first.bounds.fields.len();
    let is_one = { scans.iter() }.all(|scan| scan.index.position == first.index.position);
    match is_one && !is_look_up && !first.index.is_clustered {
        false => ShownKey::Nothing,
        true if first.index.collation.is_simple() => ShownKey::Key,
        true => ShownKey::Labels,
    }
}

/// The key pattern of the index a plan's rows come from.
fn index_fields(plan: &Plan) -> Vec<(String, bool)> {
    if let Plan::Express { index, .. } | Plan::IdLookUp { index, .. } = plan {
        return index.fields.clone();
    }
    let scans = plan.index_scans();
    let first = scans.first().map(|scan| scan.index.fields.clone());
    first.unwrap_or_default()
}
