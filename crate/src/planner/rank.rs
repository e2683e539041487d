//! Ranks candidate plans by running each of them for a while, in turns.
//!
//! Follows the manual's "Query Plans" page: every candidate works until one of them has given a
//! first batch or ended, then the most productive wins. Invariant: a trial changes nothing, and the
//! winner is run from its beginning afterwards.

use super::plan::Plan;
use crate::bson::order;
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::exec::{ExecContext, Progress, Row, Stage, build};
use std::rc::Rc;

/// A trial ends when a candidate has given this many rows.
pub const TRIAL_RESULTS: u64 = 101;

/// A trial ends after this many units of work a candidate, or this share of the collection.
const TRIAL_WORKS: u64 = 10_000;
const TRIAL_SHARE: f64 = 0.3;

struct Trial {
    plan: Plan,
    stage: Box<dyn Stage>,
    row: Row,
    works: u64,
    advanced: u64,
    ended: bool,
    failed: bool,
}

impl Trial {
    /// The server's score: one, plus the share of work that gave a row, plus small bonuses that
    /// break ties for plans that fetch or sort nothing, plus one for having ended.
    fn score(&self) -> f64 {
        let works = self.works.max(1) as f64;
        let bonus = (1.0 / (10.0 * works)).min(1e-4);
        let mut score = 1.0 + self.advanced as f64 / works;
        if !contains_fetch(&self.plan) {
            score += bonus;
        }
        if !self.plan.is_blocking() {
            score += bonus;
        }
        if self.ended {
            score += 1.0;
        }
        score
    }
}

fn contains_fetch(plan: &Plan) -> bool {
    matches!(plan, Plan::Fetch { .. }) || plan.inputs().into_iter().any(contains_fetch)
}

/// Orders candidates from best to worst. One candidate is not tried at all.
///
/// # Errors
/// Only when every candidate fails: the first one's error.
pub fn rank(
    candidates: Vec<Plan>,
    collection: &Rc<Collection>,
    context: &ExecContext<'_>,
) -> Result<Vec<Plan>, CommandError> {
    if candidates.len() < 2 {
        return Ok(candidates);
    }
    let share = (collection.count() as f64 * TRIAL_SHARE) as u64;
    let most_works = TRIAL_WORKS.max(share);
    let mut trials: Vec<Trial> = candidates
        .into_iter()
        .map(|plan| Trial {
            stage: build(&plan, collection),
            plan,
            row: Row::default(),
            works: 0,
            advanced: 0,
            ended: false,
            failed: false,
        })
        .collect();
    let mut first_error = None;
    'trial: for _ in 0..most_works {
        for trial in trials.iter_mut().filter(|trial| !trial.failed) {
            trial.works += 1;
            match trial.stage.work(context, &mut trial.row) {
                Ok(Progress::Advanced) => {
                    trial.advanced += 1;
                    if trial.advanced >= TRIAL_RESULTS {
                        break 'trial;
                    }
                }
                Ok(Progress::NeedTime) => {}
                Ok(Progress::Done) => {
                    trial.ended = true;
                    break 'trial;
                }
                Err(error) if error.missing_page.is_some() => return Err(error),
                Err(error) => {
                    trial.failed = true;
                    first_error.get_or_insert(error);
                }
            }
        }
        if trials.iter().all(|trial| trial.failed) {
            break;
        }
    }
    if let (Some(error), true) = (first_error, trials.iter().all(|trial| trial.failed)) {
        return Err(error);
    }
    order::sort_by(&mut trials, &mut |left, right| {
        left.failed
            .cmp(&right.failed)
            .then_with(|| right.score().total_cmp(&left.score()))
    });
    Ok(trials.into_iter().map(|trial| trial.plan).collect())
}
