//! The executor's service to the planner: to try plans before one of them is chosen.
//!
//! Follows the manual's "Query Plans" page. Invariant: a trial changes nothing, and the plan that is chosen runs from
//! its beginning afterwards.

use super::tree::Plan;
use crate::bson::DocumentBuf;
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::storage::Pager;
use std::rc::Rc;

/// A candidate after its trial.
pub struct Ranked {
    pub plan: Plan,
    pub works: u64,
    pub score: f64,
    /// The counts of the trial, as `$planCacheStats` shows them; empty unless they were asked for.
    pub trial: DocumentBuf,
}

/// Runs candidate plans for a while.
pub trait Trials {
    /// The pages that plans read.
    fn pager(&self) -> &Pager;

    /// The time now, in milliseconds since 1970.
    fn now_millis(&self) -> i64;

    /// Orders candidates from best to worst; `describe`: with the counts of each one's trial. A lone candidate is not
    /// tried.
    ///
    /// # Errors
    /// Only when every candidate fails: the error of the first.
    fn rank(
        &self,
        candidates: Vec<Plan>,
        collection: &Rc<Collection>,
        describe: bool,
    ) -> Result<Vec<Ranked>, CommandError>;

    /// Whether a plan gives a first batch, or ends, within `most_works` units of work.
    ///
    /// # Errors
    /// Only those that end the command: a plan that fails otherwise does not hold up.
    fn holds_up(
        &self,
        plan: &Plan,
        most_works: u64,
        collection: &Rc<Collection>,
    ) -> Result<bool, CommandError>;

    /// A plan's tree as explain prints it.
    fn describe(&self, plan: &Plan) -> DocumentBuf;
}
