//! The operations of a restore, for readers of `Changes` that asked for documents.

use super::changes::{Changes, Operation};
use super::differences::CollectionDifference;
use crate::bson::DocumentBuf;
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
    let from = CollectionDifference {
        old: states.old.filter(|_| is_same),
        ..*states
    };
    if from.new.is_none() {
        return Ok(());
    }
    from.visit(None, env, &mut |change| {
        changes.operation(match (change.old, change.new) {
            (Some(before), Some(after)) => Operation::Updated {
                namespace: Rc::clone(namespace),
                before: DocumentBuf::from_valid_bytes(before),
                after: DocumentBuf::from_valid_bytes(after),
            },
            (Some(before), None) => {
                Operation::Deleted(Rc::clone(namespace), DocumentBuf::from_valid_bytes(before))
            }
            (_, after) => Operation::Inserted(
                Rc::clone(namespace),
                DocumentBuf::from_valid_bytes(after.unwrap_or_default()),
            ),
        });
        true
    })?;
    Ok(())
}
