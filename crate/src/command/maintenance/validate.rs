//! `validate`: checks a collection's pages, documents and indexes. Manual: reference/command/validate.
//!
//! Walks every page of the deployment, because a page is either in exactly one tree or free; then pairs
//! every document with every index. With `repair` it then makes new trees of the readable entries
//! (`catalog/repair.rs`).

use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::pairing::Pairing;
use crate::catalog::repair::{Orphans, Repair, orphan_trees};
use crate::catalog::stored::uuid_value;
use crate::catalog::{Catalog, Collection, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::command::write::validation::{self, Validator};
use crate::env::Env;
use crate::error::{Code, CommandError, StorageFault};
use crate::state::StoreMut;
use crate::storage::{self, Direction, LeafEntries, Pager, Survey, Tree};
use std::ops::Bound;
use std::rc::Rc;

const NON_COMPLIANT: &str = "Detected one or more documents not compliant with the collection's schema. \
                             Check logs for log id 5363500.";

/// Whether a request repairs, and so writes.
pub(in crate::command) fn writes(request: &Request<'_>) -> bool {
    let repair = request.document.get("repair");
    !matches!(repair, ValueRef::Missing | ValueRef::Null) && repair.is_truthy()
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let repair = options(&params)?;
    params.finish()?;
    let namespace = context.view().catalog.stored_name(&namespace).into_owned();
    context.view().catalog.refuse_view(&namespace)?;
    let validator = match context.view().catalog.collection(&namespace) {
        Some(collection) => {
            let options = Rc::clone(&collection.options);
            validation::of(
                &mut context.deployment.validators,
                options,
                context.env,
                context.now_millis,
            )?
        }
        None => {
            return Err(CommandError::new(
                Code::NamespaceNotFound,
                format!("Collection '{namespace}' does not exist to validate."),
            ));
        }
    };
    let mut findings = find(context, &namespace)?;
    let repaired = match repair && !findings.is_valid() {
        true => Some(mend(context, &namespace)?),
        false => None,
    };
    let mut warnings = Vec::new();
    if let Some(repaired) = &repaired {
        // A mended fault is told as its repair.
        warnings.append(&mut findings.errors);
        warnings.extend(repaired.worded());
        let before = std::mem::replace(&mut findings, find(context, &namespace)?);
        findings.pairing.corrupt_records = before.pairing.corrupt_records;
        findings.pairing.missing = before.pairing.missing;
        findings.pairing.extra = before.pairing.extra;
    }
    let refused = match &validator {
        Some(validator) if findings.pairing.errors.is_empty() => {
            let view = context.view();
            let collection = view.catalog.required(&namespace)?;
            count_refused(view.pages, collection, validator, context.env)?
        }
        _ => 0,
    };
    if refused > 0 {
        warnings.push(NON_COMPLIANT.to_owned());
    }
    let collection = context.view().catalog.required(&namespace)?;
    Ok(reply(
        collection,
        &findings,
        (repair, repaired),
        refused,
        &warnings,
    ))
}

/// Reads the options, of whatever type they are; says whether to repair.
///
/// # Errors
/// 72 `InvalidOptions` for those that do not go together, 238 `NotImplemented`.
fn options(params: &Params<'_>) -> Result<bool, CommandError> {
    // A check is always the full one, and never in the way of anybody.
    let [full, conformance, fast_count, background] = [
        "full",
        "checkBSONConformance",
        "enforceFastCount",
        "background",
    ]
    .map(|name| params.truthy(name));
    let repair = params.truthy("repair");
    let excluded = match (conformance, background) {
        (true, _) => Some("checkBSONConformance"),
        (false, true) => Some("background"),
        (false, false) => None,
    };
    let [multikey, metadata, log] =
        ["fixMultikey", "metadata", "logDiagnostics"].map(|name| params.truthy(name));
    let invalid = |message: String| Err(CommandError::new(Code::InvalidOptions, message));
    match excluded {
        Some(name) if repair => {
            return invalid(format!(
                "Running the validate command with both {{ {name}: true }} and {{ repair: true }} is not supported."
            ));
        }
        _ if metadata && (full || fast_count || repair || excluded.is_some()) => {
            return invalid(
                "Running the validate command with { metadata: true } is not supported with any other options"
                    .to_owned(),
            );
        }
        _ => {}
    }
    let unsupported = match (multikey, metadata, log) {
        (true, ..) => "fixMultikey",
        (_, true, _) => "metadata",
        (.., true) => "logDiagnostics",
        _ => return Ok(repair),
    };
    Err(CommandError::new(
        Code::NotImplemented,
        format!("'validate.{unsupported}' is not supported"),
    ))
}

/// The faults found in a collection.
struct Findings {
    pairing: Pairing,
    /// Errors of the page space, and of the collection as a whole.
    errors: Vec<String>,
}

impl Findings {
    fn is_valid(&self) -> bool {
        self.errors.is_empty() && self.pairing.is_valid()
    }
}

/// Checks the page space and pairs a collection's documents with its indexes.
fn find(context: &CommandContext<'_>, namespace: &str) -> Result<Findings, CommandError> {
    let view = context.view();
    let collection = view.catalog.required(namespace)?;
    let trees = all_trees(view.catalog, view.pages.catalog_root());
    let named: Vec<(&str, Tree)> = trees
        .iter()
        .map(|(name, tree)| (name.as_str(), *tree))
        .collect();
    let report = storage::check(view.pages, &named, context.env)?;
    let prefix = format!("{namespace}.$");
    let is_of_a_tree = |place: &str| trees.iter().skip(1).any(|(name, _)| name == place);
    let is_own = |place: &str| place == namespace || place.starts_with(&prefix);
    let places = || report.problems.iter().map(|problem| &*problem.place);
    // Pages that nothing refers to may have been lost by another collection, where that is damaged.
    let others_are_damaged = places().any(|place| is_of_a_tree(place) && !is_own(place));
    let mut errors: Vec<String> = report
        .problems
        .iter()
        .filter(|problem| match &*problem.place {
            "page space" => !others_are_damaged,
            // Other collections' problems are theirs; the free list's and the catalog's are everybody's.
            place => is_own(place) || !is_of_a_tree(place),
        })
        .map(|problem| match problem.page {
            0 => format!("{}: {}", problem.place, problem.reason),
            page => format!("{}: page {page}: {}", problem.place, problem.reason),
        })
        .collect();
    let pairing = collection.check_pairing(view.pages, context.env)?;
    errors.extend(pairing.errors.iter().cloned());
    Ok(Findings { pairing, errors })
}

/// The report on a repaired collection.
struct Repaired {
    repair: Repair,
    /// The free list could not be read, and was made anew.
    lost_free_list: bool,
    /// The trees of the moments could not be read, and the moments were dropped.
    lost_moments: bool,
    /// Pages that were in no tree; `None` where another collection is damaged, whose pages may be among them.
    swept: Option<u64>,
}

impl Repaired {
    fn worded(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.repair.removed_records > 0 {
            lines.push(format!(
                "Removed {} records that cannot be read.",
                self.repair.removed_records
            ));
        }
        if self.repair.recovered > 0 {
            lines.push(format!(
                "Found {} documents whose branch page was lost.",
                self.repair.recovered
            ));
        }
        if !self.repair.rebuilt.is_empty() {
            let names = self.repair.rebuilt.join(", ");
            lines.push(format!("Built indexes anew from the documents: {names}."));
        }
        if self.lost_free_list {
            lines.push("Made the free list anew.".to_owned());
        }
        if self.lost_moments {
            lines.push("Dropped all moments: their lists cannot be read.".to_owned());
        }
        lines.push(match self.swept {
            Some(pages) => format!("Gave back {pages} pages that nothing refers to."),
            None => "Pages that nothing refers to are kept until the other damaged collections are repaired.".to_owned(),
        });
        lines
    }
}

/// Repairs one collection, and gives pages back that belong to nothing.
#[inline(never)]
fn mend(context: &mut CommandContext<'_>, namespace: &str) -> Result<Repaired, CommandError> {
    let env = context.env;
    let StoreMut {
        pages: pager,
        catalog,
        ..
    } = context.unit.store_mut();
    let lost_moments = drop_unreadable_moments(pager, env)?;
    let lost_free_list = match pager.load_free_list() {
        Ok(()) => false,
        Err(error) if matches!(error.fault(), StorageFault::Corrupt { .. }) => true,
        Err(error) => return Err(error.into()),
    };
    // Without it, older versions of pages cannot be told from lost ones.
    let (mut survey, is_sound_elsewhere) = survey_all(pager, catalog, Some(namespace), env)?;
    let leaves = match lost_free_list {
        true => Vec::new(),
        false => orphan_trees(&mut survey, pager)?.concat(),
    };
    if lost_free_list {
        pager.abandon_free_list();
    }
    let orphans = Orphans {
        leaves: &leaves,
        is_only_claimant: is_sound_elsewhere,
    };
    let repair = match context.writer().collection(namespace) {
        Some(mut collection) => collection.mend(orphans, env)?,
        None => Repair::default(),
    };
    let StoreMut {
        pages: pager,
        catalog,
        ..
    } = context.unit.store_mut();
    let (survey, is_sound) = survey_all(pager, catalog, None, env)?;
    let swept = match is_sound {
        true => Some(survey.free_unmet(pager)?),
        false => None,
    };
    Ok(Repaired {
        repair,
        lost_free_list,
        lost_moments,
        swept,
    })
}

/// Drops all moments where their trees cannot be read: their pages cannot be told from lost ones then.
fn drop_unreadable_moments(pager: &mut Pager, env: &dyn Env) -> Result<bool, CommandError> {
    let is_lost = match pager.load_moments() {
        Ok(()) => !Survey::new(pager, env).moments(pager)?.is_empty(),
        Err(error) if matches!(error.fault(), StorageFault::Corrupt { .. }) => true,
        Err(error) => return Err(error.into()),
    };
    if is_lost {
        pager.abandon_moments();
    }
    Ok(is_lost)
}

/// Surveys every tree; says whether all, those of one collection left out, can be read.
fn survey_all<'e>(
    pager: &Pager,
    catalog: &Catalog,
    except: Option<&str>,
    env: &'e dyn Env,
) -> Result<(Survey<'e>, bool), CommandError> {
    let mut survey = Survey::new(pager, env);
    let mut is_sound = survey.moments(pager)?.is_empty();
    for (name, tree) in all_trees(catalog, pager.catalog_root()) {
        let reach = survey.tree(pager, &tree)?;
        let of_it = except.and_then(|except| name.strip_prefix(except));
        let is_left_out = of_it.is_some_and(|rest| rest.is_empty() || rest.starts_with(".$"));
        let mut is_readable = reach.losses.is_empty();
        for leaf in reach.leaves {
            let mut entries = LeafEntries::of(leaf);
            while let Some(entry) = entries.next(pager)? {
                env.checkpoint()?;
                is_readable &= entry.value.is_ok();
            }
        }
        is_sound &= is_readable || is_left_out;
    }
    Ok((survey, is_sound))
}

#[inline(never)]
fn reply(
    collection: &Collection,
    findings: &Findings,
    (asks_repair, repaired): (bool, Option<Repaired>),
    refused: i64,
    warnings: &[String],
) -> DocumentBuf {
    let pairing = &findings.pairing;
    let mut reply = DocumentBuilder::new();
    reply.append("ns", &*collection.namespace);
    reply.append("uuid", uuid_value(&collection.uuid));
    reply.append_integer("nInvalidDocuments", pairing.corrupt_records.len() as i64);
    reply.append_integer("nNonCompliantDocuments", refused);
    reply.append_integer("nrecords", pairing.records as i64);
    reply.append("nIndexes", pairing.indexes.len() as i32);
    reply.begin_document("keysPerIndex");
    for index in &pairing.indexes {
        reply.append_integer(&index.name, index.keys as i64);
    }
    reply.end();
    reply.begin_document("indexDetails");
    for index in &pairing.indexes {
        reply.begin_document(&index.name);
        reply.append("valid", index.errors.is_empty());
        if let Some(defined) = collection.index_named(&index.name) {
            reply.begin_document("spec");
            defined.definition.append_to(&mut reply);
            reply.end();
        }
        if !index.errors.is_empty() {
            append_texts(&mut reply, "errors", &index.errors);
        }
        reply.end();
    }
    reply.end();
    let is_valid = findings.is_valid();
    reply.append("valid", is_valid);
    reply.append("repaired", repaired.is_some());
    reply.append("repairMode", if asks_repair { "FixErrors" } else { "None" });
    if let Some(repaired) = &repaired {
        let removed = repaired.repair.removed_records as i64;
        reply.append_integer("numRemovedCorruptRecords", removed);
        let rebuilt = repaired.repair.rebuilt.iter();
        let keys = rebuilt.filter_map(|name| pairing.indexes.iter().find(|one| one.name == *name));
        let inserted: u64 = keys.map(|index| index.keys).sum();
        reply.append_integer("numInsertedMissingIndexEntries", inserted as i64);
        reply.append_integer("numRecoveredDocuments", repaired.repair.recovered as i64);
    }
    append_texts(&mut reply, "warnings", warnings);
    append_texts(&mut reply, "errors", &findings.errors);
    for (name, unpaired) in [
        ("extraIndexEntries", &pairing.extra),
        ("missingIndexEntries", &pairing.missing),
    ] {
        reply.begin_array(name);
        for (position, entry) in unpaired.iter().enumerate() {
            reply.begin_document(&position.to_string());
            reply.append("indexName", entry.index.as_str());
            reply.append("recordId", entry.record as i64);
            if let Some(key) = &entry.key {
                reply.append("indexKey", key);
            }
            reply.end();
        }
        reply.end();
    }
    reply.begin_array("corruptRecords");
    for (position, record) in pairing.corrupt_records.iter().enumerate() {
        reply.append(&position.to_string(), *record as i64);
    }
    reply.end();
    if !is_valid {
        reply.append(
            "advice",
            "A corrupt collection was found: export what can still be read, then validate with { repair: true }.",
        );
    }
    finish_ok(reply)
}

/// How many documents the collection's validator would refuse.
fn count_refused(
    pager: &Pager,
    collection: &Collection,
    validator: &Validator,
    env: &dyn Env,
) -> Result<i64, CommandError> {
    let mut refused = 0;
    let mut range =
        collection
            .records
            .range(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
    while range.next(pager)? {
        let bytes = range.value_ref(pager)?;
        refused += i64::from(!validator.accepts(Document::from_valid_bytes(&bytes), env)?);
    }
    Ok(refused)
}

pub(in crate::command) fn append_texts(reply: &mut DocumentBuilder, name: &str, texts: &[String]) {
    reply.begin_array(name);
    for (position, text) in texts.iter().enumerate() {
        reply.append(&position.to_string(), text.as_str());
    }
    reply.end();
}

/// Every tree of the deployment: the catalog's, a collection's under its namespace, an index's under
/// `namespace.$index`.
fn all_trees(catalog: &Catalog, root: Tree) -> Vec<(String, Tree)> {
    let mut trees = vec![("catalog".to_owned(), root)];
    for collection in catalog.collections() {
        trees.push((collection.namespace.to_string(), collection.records));
        for index in &collection.indexes {
            trees.push((
                format!("{}.${}", collection.namespace, index.name()),
                index.tree,
            ));
            if !index.labels.is_empty() {
                let name = format!("{}.${} (labels)", collection.namespace, index.name());
                trees.push((name, index.labels));
            }
        }
    }
    trees
}
