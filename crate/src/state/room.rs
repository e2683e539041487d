//! Dropping unnamed moments for the room that they take: the oldest first.
//!
//! Invariant: a named moment is dropped by nobody but its owner (`quireDropMoment`).

use super::kept;
use crate::error::CommandError;
use crate::storage::Pager;

/// How many moments may be unnamed.
const LIMIT_COUNT: usize = 1000;

fn unnamed(pager: &mut Pager) -> Result<Vec<u64>, CommandError> {
    let all = kept::all(pager)?.into_iter();
    let unnamed = all.filter(|kept| kept.note.name.is_none());
    Ok(unnamed.map(|kept| kept.moment.number).collect())
}

/// Drops unnamed moments, but not the one that is spared, until the others keep no more pages than the limit and are
/// not too many; gives their numbers.
///
/// # Errors
/// Storage errors: roll back.
pub fn drop_oldest(pager: &mut Pager, spared: u64, limit: u64) -> Result<Vec<u64>, CommandError> {
    let mut unnamed = unnamed(pager)?;
    let mut dropped = Vec::new();
    while let Some(oldest) = unnamed.first().copied().filter(|oldest| *oldest != spared) {
        if unnamed.len() <= LIMIT_COUNT && pager.pages_kept_by(&unnamed)? <= limit {
            break;
        }
        pager.drop_moment(oldest)?;
        unnamed.remove(0);
        dropped.push(oldest);
    }
    Ok(dropped)
}

/// Drops every unnamed moment; gives how many there were.
///
/// # Errors
/// Storage errors: roll back.
pub fn drop_unnamed(pager: &mut Pager) -> Result<usize, CommandError> {
    let unnamed = unnamed(pager)?;
    for number in &unnamed {
        pager.drop_moment(*number)?;
    }
    Ok(unnamed.len())
}
