//! The changes of a restore: they lead from a collection's present state to a past one.

use super::changes::{Changes, Operation};
use super::differences::CollectionDifference;
use crate::bson::DocumentBuf;
use crate::catalog::Collection;
use crate::env::Env;
use crate::error::CommandError;
use std::rc::Rc;

/// Notes the operations that lead from a collection's present state (`old`) to a past one (`new`).
#[inline(never)]
pub(super) fn note_restored(
    changes: &mut Changes,
    states: &CollectionDifference<'_>,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let Some(namespace) = states.new.or(states.old).map(|one| &one.namespace) else {
        return Ok(());
    };
    let is_same = match (states.old, states.new) {
        (Some(now), Some(past)) => now.uuid == past.uuid,
        _ => false,
    };
    if !is_same {
        if states.old.is_some() {
            changes.operation(Operation::Dropped(Rc::clone(namespace)));
        }
        if states.new.is_some() {
            changes.operation(Operation::Created(Rc::clone(namespace)));
        }
    } else if !states.is_defined_alike() {
        changes.operation(Operation::Changed(Rc::clone(namespace)));
    }
    log_definitions(changes, states, is_same);
    let from = CollectionDifference {
        old: states.old.filter(|_| is_same),
        ..*states
    };
    let Some(past) = from.new else {
        return Ok(());
    };
    from.visit(None, env, &mut |change| {
        let valid = DocumentBuf::from_valid_bytes;
        note_document(changes, past, change.old.map(valid), change.new.map(valid));
        true
    })?;
    Ok(())
}

fn note_document(
    changes: &mut Changes,
    past: &Collection,
    old: Option<DocumentBuf>,
    new: Option<DocumentBuf>,
) {
    let of = |document: &Option<DocumentBuf>| document.clone().unwrap_or_default();
    if let Some(mut log) = changes.log() {
        match (&old, &new) {
            (Some(old), Some(new)) => {
                log.updated(past, old.as_document(), new.as_document(), None);
            }
            (Some(old), None) => log.deleted(past, old.as_document(), Some(0)),
            (None, _) => log.inserted(past, &[of(&new).as_document()]),
        }
    }
    if !changes.wants_documents() {
        return;
    }
    let namespace = Rc::clone(&past.namespace);
    changes.operation(match (old, new) {
        (Some(before), Some(after)) => Operation::Updated {
            namespace,
            before,
            after,
            paths: None,
        },
        (Some(before), None) => Operation::Deleted(namespace, before),
        (None, new) => Operation::Inserted(namespace, new.unwrap_or_default()),
    });
}

/// Logs the collection itself and its indexes, where they are others.
fn log_definitions(changes: &mut Changes, states: &CollectionDifference<'_>, is_same: bool) {
    let Some(mut log) = changes.log() else { return };
    if !is_same {
        if let Some(old) = states.old {
            log.dropped(old);
        }
        if let Some(new) = states.new {
            log.created(new);
            for index in new.indexes.iter().skip(1) {
                log.indexed(new, &index.definition);
            }
        }
        return;
    }
    let (Some(old), Some(new)) = (states.old, states.new) else {
        return;
    };
    if old.options != new.options {
        log.changed(new, old);
    }
    let lacks = |one: &Collection, of: &crate::catalog::Index| {
        let mut indexes = one.indexes.iter();
        indexes.all(|index| index.definition.to_bson() != of.definition.to_bson())
    };
    for index in old.indexes.iter().filter(|index| lacks(new, index)) {
        log.unindexed(old, &index.definition);
    }
    for index in new.indexes.iter().filter(|index| lacks(old, index)) {
        log.indexed(new, &index.definition);
    }
}
