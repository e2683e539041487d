//! Views: a state of the data, as a reader sees it.
//!
//! The present, a moment, a fork and the state that a cursor was opened on are all views; a reader has one of them and
//! nothing else of the deployment. Invariant: no page of a state that was left is asked of a device: a page that was
//! not read before the deployment moved on cannot be had, and the cursor that needs it fails.

use crate::catalog::{Catalog, FilterCompiler};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::ExecContext;
use crate::storage::{PageNumber, Pager, Snapshot};
use std::rc::Rc;

/// A state of the data: its pages, and the collections whose trees lie in them.
#[derive(Clone, Copy)]
pub struct View<'v> {
    pub pages: &'v Pager,
    pub catalog: &'v Catalog,
}

impl<'v> View<'v> {
    /// The context of stages that read this state and no other collection.
    pub fn exec_context(self, env: &'v dyn Env, now_millis: i64) -> ExecContext<'v> {
        ExecContext {
            now_millis,
            ..ExecContext::new(self.pages, env)
        }
    }
}

/// A state that another writer moved on from. Pages that did not change are shared with the present, so it costs only
/// its other pages.
pub struct Left {
    pages: Pager,
    catalog: Catalog,
    /// Some of its pages were never read.
    has_gaps: bool,
}

impl Left {
    /// The state of this pager, which nothing is written to any more.
    ///
    /// # Errors
    /// A catalog that cannot be read.
    pub fn new(mut pages: Pager, compiler: &dyn FilterCompiler) -> Result<Self, CommandError> {
        let catalog = Catalog::open(&pages, compiler)?;
        let mut next: PageNumber = 1;
        while let Some(page) = pages.next_absent(next) {
            pages.give_up(page, "it was not read before another writer went on");
            next = page + 1;
        }
        Ok(Self {
            pages,
            catalog,
            has_gaps: next > 1,
        })
    }
}

/// A view that outlives the command: what differs from the present, and what keeps its pages.
///
/// With nothing in it the view is the present, as it is then.
#[derive(Default)]
pub struct HeldView {
    /// The collections of a moment.
    moment: Option<Rc<Catalog>>,
    /// The state that was the present when the view was taken, once the deployment was moved on.
    left: Option<Rc<Left>>,
    /// Keeps pages as they were when it was taken.
    snapshot: Option<Snapshot>,
}

impl HeldView {
    /// The view of a moment, whose pages the moment keeps.
    pub fn of_moment(catalog: Catalog) -> Self {
        Self {
            moment: Some(Rc::new(catalog)),
            ..Self::default()
        }
    }

    /// The view itself, over the deployment's present.
    pub fn over<'v>(&'v self, present: View<'v>) -> View<'v> {
        let under = match &self.left {
            None => present,
            Some(left) => View {
                pages: &left.pages,
                catalog: &left.catalog,
            },
        };
        match &self.moment {
            None => under,
            Some(catalog) => View { catalog, ..under },
        }
    }

    /// The same state, whose pages stay as they are for as long as this is held.
    pub fn kept(&self, pages: &Pager) -> Self {
        Self {
            moment: self.moment.clone(),
            left: self.left.clone(),
            snapshot: Some(pages.open_snapshot()),
        }
    }

    /// Whether the collections are those of a moment, which no command drops.
    pub fn is_of_moment(&self) -> bool {
        self.moment.is_some()
    }

    /// Whether the view keeps pages of the present.
    pub fn keeps_present(&self) -> bool {
        self.snapshot.is_some() && self.left.is_none()
    }

    /// Whether the deployment moved on from the view's state.
    pub fn is_left(&self) -> bool {
        self.left.is_some()
    }

    /// The collections of the state that was left, where the view is of it and not of a moment.
    pub fn left_catalog(&self) -> Option<&Catalog> {
        let left = self.left.as_deref().filter(|_| self.moment.is_none());
        left.map(|left| &left.catalog)
    }

    /// Has a view that keeps pages of the present go on over them: the deployment moves on.
    pub fn leave(&mut self, left: &Rc<Left>) {
        if self.keeps_present() {
            self.left = Some(Rc::clone(left));
        }
    }

    /// The error to report for one that a reader of the view met.
    pub fn explain(&self, error: CommandError) -> CommandError {
        let has_gaps = self.left.as_ref().is_some_and(|left| left.has_gaps);
        if !has_gaps || error.code != Code::DataCorruptionDetected as i32 {
            return error;
        }
        CommandError::new(
            Code::QueryPlanKilled,
            "another tab wrote over pages that this cursor had not read yet; run the query again",
        )
    }
}
