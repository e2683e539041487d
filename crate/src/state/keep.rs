//! Keeping the present as a moment.
//!
//! Here is decided whether two states are the same: a moment is made only where some reader could tell the present from
//! the moments that it is compared with, though a write that was refused has touched pages. Invariant: the moment that
//! is given is not dropped.

use super::differences::{ChangeCounts, Difference};
use super::kept::{self, Kept};
use super::room;
use super::unit::Unit;
use super::view::View;
use crate::catalog::moments::MomentNote;
use crate::env::Env;
use crate::error::CommandError;

/// How a moment is wished for.
#[derive(Clone, Copy)]
pub struct Wish<'w> {
    pub name: Option<&'w str>,
    pub what: Option<&'w str>,
    /// The moment that the changes were made on.
    pub from: Option<u64>,
    /// The most pages that unnamed moments may keep: the oldest are dropped for it.
    pub limit_pages: u64,
}

/// The moment that has the present's data.
pub struct Made {
    pub number: u64,
    /// The moment that the changes were made on; none where it was dropped.
    pub from: Option<u64>,
    /// It was there before.
    pub is_reused: bool,
    /// The changes since the moment that they were made on, or else since the newest one before; none where there was
    /// no moment.
    pub changes: Option<ChangeCounts>,
    /// The moments that were dropped for want of room.
    pub dropped: Vec<u64>,
}

/// The present, and what it differs by from the moments that were compared with it.
struct Present<'p> {
    unit: &'p Unit<'p>,
    env: &'p dyn Env,
}

impl Present<'_> {
    /// The changes since a moment; none where nobody can tell the present from it.
    fn changes_since(&self, kept: &Kept) -> Result<Option<ChangeCounts>, CommandError> {
        let new = self.unit.view();
        let root = new.pages.catalog_root();
        if kept.moment.catalog == root {
            return Ok(None);
        }
        let catalog = kept.catalog(new.pages, self.env)?;
        let old = View {
            catalog: &catalog,
            ..new
        };
        let Some(mut counts) = (Difference { old, new }).counts(self.env)? else {
            return Ok(None);
        };
        counts.pages += root.pages_unlike(new.pages, &kept.moment.catalog, self.env)?;
        Ok(Some(counts))
    }
}

/// Keeps the present. The moment it was made from, or the newest one, is given where it has the same data.
///
/// # Errors
/// 2 `BadValue` for a name that cannot be given; errors of the page space: undo the unit.
pub fn keep(
    unit: &mut Unit<'_>,
    env: &dyn Env,
    now_millis: i64,
    wish: &Wish<'_>,
) -> Result<Made, CommandError> {
    let all = kept::all(unit.pages_mut())?;
    let present = Present { unit, env };
    let from = { all.iter() }.find(|kept| Some(kept.moment.number) == wish.from);
    let from_number = from.map(|from| from.moment.number);
    let since_from = from.map(|from| present.changes_since(from)).transpose()?;
    if let (Some(from), Some(None), None) = (from, &since_from, wish.name) {
        return Ok(Made {
            number: from.moment.number,
            from: from_number,
            is_reused: true,
            changes: Some(ChangeCounts::default()),
            dropped: Vec::new(),
        });
    }
    let newest = all.last();
    let since_newest = match newest {
        Some(newest) if Some(newest.moment.number) == wish.from => since_from,
        newest => { newest.map(|newest| present.changes_since(newest)) }.transpose()?,
    };
    let same = newest.filter(|newest| {
        let is_free = newest.note.name.is_none() || wish.name.is_none();
        matches!(since_newest, Some(None)) && (is_free || newest.note.name.as_deref() == wish.name)
    });
    if let Some(name) = wish.name {
        kept::check_name(name, &all, same.map(|same| same.moment.number))?;
    }
    let changes = since_from.or(since_newest).map(Option::unwrap_or_default);
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let pages = unit.pages_mut();
    let number = match same {
        Some(same) => {
            let note = MomentNote {
                name: owned(wish.name).or(same.note.name.clone()),
                what: same.note.what.clone().or(owned(wish.what)),
                from: { same.note.from }.or(from_number.filter(|from| *from < same.moment.number)),
                ..same.note
            };
            if note != same.note {
                pages.annotate_moment(same.moment.number, &note.encode())?;
            }
            same.moment.number
        }
        None => {
            let note = MomentNote {
                time_millis: now_millis,
                name: owned(wish.name),
                what: owned(wish.what),
                // Also one that was dropped: that the state before is gone is to be told from there being none.
                from: wish.from,
            };
            pages.make_moment(&note.encode())?
        }
    };
    let dropped = room::drop_oldest(pages, number, wish.limit_pages)?;
    Ok(Made {
        number,
        from: from_number.filter(|from| !dropped.contains(from)),
        is_reused: same.is_some(),
        changes,
        dropped,
    })
}
