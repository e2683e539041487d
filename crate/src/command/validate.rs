//! `validate`: checks a collection's pages, documents and indexes. Manual: reference/command/validate.
//!
//! Walks every page of the deployment, because a page is either in exactly one tree or free; then pairs
//! every document with every index.

use super::context::{CommandContext, CommandResult};
use super::params::Request;
use super::reply::finish_ok;
use super::validation::{self, Validator};
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::stored::uuid_value;
use crate::catalog::{Catalog, Collection, names};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::storage::{self, Direction, Pager, Tree};
use std::ops::Bound;
use std::rc::Rc;

const NON_COMPLIANT: &str = "Detected one or more documents not compliant with the collection's schema. \
                             Check logs for log id 5363500.";

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    // A check is always the full one, and never in the way of anybody.
    for name in [
        "full",
        "background",
        "checkBSONConformance",
        "enforceFastCount",
    ] {
        params.safe_bool(name)?;
    }
    for name in ["repair", "fixMultikey", "metadata", "logDiagnostics"] {
        if params.safe_bool(name)?.unwrap_or(false) {
            return Err(CommandError::new(
                Code::NotImplemented,
                format!("'validate.{name}' is not supported"),
            ));
        }
    }
    params.finish()?;
    context.deployment.catalog.refuse_view(&namespace)?;
    let validator = match context.deployment.catalog.collection(&namespace) {
        Some(collection) => {
            let options = Rc::clone(&collection.options);
            validation::of(context.deployment, options, context.env, context.now_millis)?
        }
        None => None,
    };
    let deployment = &*context.deployment;
    let Some(collection) = deployment.catalog.collection(&namespace) else {
        return Err(CommandError::new(
            Code::NamespaceNotFound,
            format!("Collection '{namespace}' does not exist to validate."),
        ));
    };
    let trees = all_trees(&deployment.catalog, deployment.pager.catalog_root());
    let named: Vec<(&str, Tree)> = trees
        .iter()
        .map(|(name, tree)| (name.as_str(), *tree))
        .collect();
    let report = storage::check(&deployment.pager, &named)?;
    let prefix = format!("{namespace}.$");
    let mut errors: Vec<String> = report
        .problems
        .iter()
        .filter(|problem| {
            // Other collections' problems are theirs; the page space's and the catalog's are everybody's.
            let is_own = problem.place == namespace || problem.place.starts_with(&prefix);
            is_own || !trees.iter().skip(1).any(|(name, _)| *name == problem.place)
        })
        .map(|problem| format!("{}: {}", problem.place, problem.reason))
        .collect();
    // Pairing reads the pages; where they are unsound there is nothing to pair.
    let pairing = collection.check_pairing(&deployment.pager);
    let refused = match (&validator, &pairing) {
        (Some(validator), Ok(_)) => {
            count_refused(&deployment.pager, collection, validator, context.env)?
        }
        _ => 0,
    };
    let mut reply = DocumentBuilder::new();
    reply.append("ns", namespace.as_str());
    reply.append("uuid", uuid_value(&collection.uuid));
    let is_valid = match &pairing {
        Ok(pairing) => {
            reply.append_integer("nInvalidDocuments", pairing.invalid_records as i64);
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
                if !index.errors.is_empty() {
                    append_texts(&mut reply, "errors", &index.errors);
                }
                reply.end();
            }
            reply.end();
            errors.extend(pairing.errors.iter().cloned());
            pairing.is_valid() && errors.is_empty()
        }
        Err(error) => {
            errors.push(error.message.clone());
            false
        }
    };
    reply.append("valid", is_valid).append("repaired", false);
    let warnings = match refused {
        0 => Vec::new(),
        _ => vec![NON_COMPLIANT.to_owned()],
    };
    append_texts(&mut reply, "warnings", &warnings);
    append_texts(&mut reply, "errors", &errors);
    for name in ["extraIndexEntries", "missingIndexEntries", "corruptRecords"] {
        append_texts(&mut reply, name, &[]);
    }
    if !is_valid {
        reply.append(
            "advice",
            "A corrupt collection was found: export what can still be read.",
        );
    }
    Ok(finish_ok(reply))
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
        refused += i64::from(!validator.accepts(Document::from_valid_bytes(&bytes), env));
    }
    Ok(refused)
}

fn append_texts(reply: &mut DocumentBuilder, name: &str, texts: &[String]) {
    reply.begin_array(name);
    for (position, text) in texts.iter().enumerate() {
        reply.append(&position.to_string(), text.as_str());
    }
    reply.end();
}

/// Every tree of the deployment: the catalog's, a collection's under its namespace, an index's under `namespace.$index`.
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
