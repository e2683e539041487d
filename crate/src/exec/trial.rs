//! Ranks candidate plans by running each of them for a while, in turns.
//!
//! Follows the manual's "Query Plans" page: every candidate works until one of them has given a
//! first batch or ended, then the most productive wins. Invariant: a trial changes nothing, and the
//! winner is run from its beginning afterwards.

use super::build::{Build, build};
use super::explain::append_plan;
use super::stage::{ExecContext, Progress, Stage, total_examined};
use crate::algorithms::sorting;
use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::plan::{Plan, Ranked, Trials};
use crate::storage::Pager;
use std::rc::Rc;

/// A trial ends when a candidate has given this many rows.
pub const TRIAL_RESULTS: u64 = 101;

/// A trial ends after this many units of work a candidate, or this share of the collection.
const TRIAL_WORKS: u64 = 10_000;
const TRIAL_SHARE: f64 = 0.3;

struct Trial {
    plan: Plan,
    stage: Box<dyn Stage>,
    works: u64,
    advanced: u64,
    ended: bool,
    failed: bool,
}

impl Trial {
    fn new(plan: Plan, collection: &Rc<Collection>) -> Self {
        Self {
            stage: build(&plan, collection, Build::default()),
            plan,
            works: 0,
            advanced: 0,
            ended: false,
            failed: false,
        }
    }

    fn into_ranked(self, describe: bool) -> Ranked {
        let mut builder = DocumentBuilder::new();
        if describe {
            let (keys, documents) = total_examined(&*self.stage);
            builder.append_integer("nReturned", self.advanced as i64);
            builder.append_integer("executionTimeMillisEstimate", 0);
            builder.append_integer("totalKeysExamined", keys as i64);
            builder.append_integer("totalDocsExamined", documents as i64);
            builder.begin_document("executionStages");
            append_plan(&self.plan, Some(&*self.stage), &mut builder);
            builder.end();
        }
        Ranked {
            works: self.works,
            score: self.score(),
            plan: self.plan,
            trial: builder.finish(),
        }
    }

    /// The server's score: one, plus the share of work that gave a row, plus small bonuses that
    /// break ties for plans that fetch, sort or intersect nothing, plus one for having ended.
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
        if !contains_intersection(&self.plan) {
            score += bonus;
        }
        if self.ended {
            score += 1.0;
        }
        score
    }
}

fn contains_fetch(plan: &Plan) -> bool {
    (matches!(plan, Plan::Fetch { .. }) && plan.clustered_scan().is_none())
        || plan.inputs().into_iter().any(contains_fetch)
}

fn contains_intersection(plan: &Plan) -> bool {
    matches!(plan, Plan::AndSorted { .. }) || plan.inputs().into_iter().any(contains_intersection)
}

impl Trials for ExecContext<'_> {
    fn pager(&self) -> &Pager {
        self.pager
    }

    fn now_millis(&self) -> i64 {
        self.env.now_millis()
    }

    fn rank(
        &self,
        candidates: Vec<Plan>,
        collection: &Rc<Collection>,
        describe: bool,
    ) -> Result<Vec<Ranked>, CommandError> {
        if candidates.len() < 2 {
            let untried = candidates.into_iter().map(|plan| Ranked {
                plan,
                works: 0,
                score: 0.0,
                trial: DocumentBuf::default(),
            });
            return Ok(untried.collect());
        }
        let share = (collection.count() as f64 * TRIAL_SHARE) as u64;
        let most_works = TRIAL_WORKS.max(share);
        let mut trials: Vec<Trial> = candidates
            .into_iter()
            .map(|plan| Trial::new(plan, collection))
            .collect();
        let mut first_error = None;
        'trial: for _ in 0..most_works {
            for trial in trials.iter_mut().filter(|trial| !trial.failed) {
                trial.works += 1;
                match trial.stage.work(self) {
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
                    Err(error) if error.ends_command() => return Err(error),
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
        sorting::sort_by(&mut trials, &mut |left, right| {
            left.failed
                .cmp(&right.failed)
                .then_with(|| right.score().total_cmp(&left.score()))
        });
        Ok(trials
            .into_iter()
            .map(|trial| trial.into_ranked(describe))
            .collect())
    }

    fn holds_up(
        &self,
        plan: &Plan,
        most_works: u64,
        collection: &Rc<Collection>,
    ) -> Result<bool, CommandError> {
        let mut stage = build(plan, collection, Build::default());
        let mut advanced = 0;
        for _ in 0..most_works {
            match stage.work(self) {
                Ok(Progress::Advanced) => {
                    advanced += 1;
                    if advanced >= TRIAL_RESULTS {
                        return Ok(true);
                    }
                }
                Ok(Progress::NeedTime) => {}
                Ok(Progress::Done) => return Ok(true),
                Err(error) if error.ends_command() => return Err(error),
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    fn describe(&self, plan: &Plan) -> DocumentBuf {
        let mut shown = DocumentBuilder::new();
        append_plan(plan, None, &mut shown);
        shown.finish()
    }
}
