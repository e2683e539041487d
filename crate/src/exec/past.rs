//! A state that another writer moved on from, kept for the cursors that read it.
//!
//! Pages that did not change are shared with the present, so a past costs only its other pages. Invariant: no page of a
//! past is asked of a device: a page that was not read before the deployment moved on cannot be had, and the cursor
//! that needs it fails.

use crate::catalog::{Catalog, FilterCompiler};
use crate::error::{Code, CommandError};
use crate::storage::{PageNumber, Pager};

/// Pages and catalog as they were.
pub struct Past {
    pager: Pager,
    catalog: Catalog,
    /// Some of its pages were never read.
    has_gaps: bool,
}

impl Past {
    /// The state of this pager, which nothing is written to any more.
    ///
    /// # Errors
    /// A catalog that cannot be read.
    pub fn new(mut pager: Pager, compiler: &dyn FilterCompiler) -> Result<Self, CommandError> {
        let catalog = Catalog::open(&pager, compiler)?;
        let mut next: PageNumber = 1;
        while let Some(page) = pager.next_absent(next) {
            pager.give_up(page, "it was not read before another writer went on");
            next = page + 1;
        }
        Ok(Self {
            pager,
            catalog,
            has_gaps: next > 1,
        })
    }

    /// The catalog of that moment.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The pages of that moment.
    pub fn pager(&self) -> &Pager {
        &self.pager
    }

    /// The error to report for one that a cursor of that moment met.
    pub fn explain(&self, error: CommandError) -> CommandError {
        if !self.has_gaps || error.code != Code::DataCorruptionDetected as i32 {
            return error;
        }
        CommandError::new(
            Code::QueryPlanKilled,
            "another tab wrote over pages that this cursor had not read yet; run the query again",
        )
    }
}
