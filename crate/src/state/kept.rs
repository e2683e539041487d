//! The moments with their notes, and finding the one whose number or name a request gives.
//!
//! Invariant: no two moments have one name.

use super::view::HeldView;
use crate::bson::{Text, ValueRef};
use crate::catalog::Catalog;
use crate::catalog::moments::MomentNote;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::query::PartialFilterCompiler;
use crate::storage::{Moment, Pager};

/// The longest name, in bytes.
const LONGEST_NAME: usize = 256;

/// A moment and its note.
pub struct Kept {
    pub moment: Moment,
    pub note: MomentNote,
}

/// Every moment, the oldest first.
///
/// # Errors
/// Errors of the page space.
pub fn all(pager: &mut Pager) -> Result<Vec<Kept>, CommandError> {
    let mut all = Vec::new();
    for number in pager.moment_numbers()?.iter() {
        if let Some(moment) = pager.moment(*number)? {
            let note = MomentNote::of(&moment)?;
            all.push(Kept { moment, note });
        }
    }
    Ok(all)
}

/// The moment that a request calls by number or by name.
///
/// # Errors
/// 2 `BadValue` where there is none; 14 `TypeMismatch`.
pub fn find(pager: &mut Pager, called: ValueRef<'_>) -> Result<Kept, CommandError> {
    let mut all = all(pager)?;
    let (position, worded) = match (called.as_text().map(Text::lossy), called.as_exact_i64()) {
        (Some(name), _) => {
            let at = { all.iter() }.position(|kept| kept.note.name.as_deref() == Some(&*name));
            (at, format!("named '{name}'"))
        }
        (None, Some(number)) => {
            let at = { all.iter() }.position(|kept| kept.moment.number as i64 == number);
            (at, format!("of number {number}"))
        }
        (None, None) => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "a moment is called by its number or its name, and not by a value of type '{}'",
                    called.type_name()
                ),
            ));
        }
    };
    match position {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(CommandError::new(
            Code::BadValue,
            format!("there is no moment {worded}"),
        )),
    }
}

/// Refuses a name that is empty, too long, or another moment's.
///
/// # Errors
/// 2 `BadValue`.
pub fn check_name(name: &str, all: &[Kept], of: Option<u64>) -> Result<(), CommandError> {
    let refusal = if name.is_empty() || name.len() > LONGEST_NAME {
        format!("a moment's name has 1 to {LONGEST_NAME} bytes")
    } else {
        let others = all.iter().filter(|kept| Some(kept.moment.number) != of);
        let mut named = others.filter(|kept| kept.note.name.as_deref() == Some(&*name));
        match named.next() {
            None => return Ok(()),
            Some(other) => format!("moment {} has the name '{name}'", other.moment.number),
        }
    };
    Err(CommandError::new(Code::BadValue, refusal))
}

impl Kept {
    /// The collections of the moment, to be read.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn catalog(&self, pages: &Pager, env: &dyn Env) -> Result<Catalog, CommandError> {
        Catalog::of_moment(pages, &self.moment, &PartialFilterCompiler { env })
    }

    /// The view of the moment for a command that reads it.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn view(
        &self,
        pages: &Pager,
        env: &dyn Env,
        now_millis: i64,
    ) -> Result<HeldView, CommandError> {
        let mut catalog = self.catalog(pages, env)?;
        catalog.set_now(now_millis);
        catalog.begin_use_counts(now_millis);
        Ok(HeldView::of_moment(catalog))
    }
}
