//! Moves and joins stages so that fewer documents reach the later ones.
//!
//! Follows the manual's "Aggregation Pipeline Optimization" page. Invariant: the documents that come
//! out, and their order, stay the same.

use super::stage::{Part, StagePlan};
use super::stages::limit::LimitPlan;
use crate::error::CommandError;
use crate::expr::CompileContext;

/// Optimises until nothing changes.
pub fn optimize(
    stages: &mut Vec<Box<dyn StagePlan>>,
    context: &CompileContext<'_>,
) -> Result<(), CommandError> {
    let mut position = 0;
    while position < stages.len() {
        if position > 0 && (swaps(stages, position) || joins(stages, position, context)?) {
            position = position.saturating_sub(1);
        } else {
            position += 1;
        }
    }
    Ok(())
}

/// Exchanges a stage with the one before it where that filters earlier.
fn swaps(stages: &mut [Box<dyn StagePlan>], position: usize) -> bool {
    let (before, from) = stages.split_at_mut(position);
    let (Some(previous), Some(stage)) = (before.last_mut(), from.first_mut()) else {
        return false;
    };
    let moves = match stage.part() {
        Part::Match(plan) => match plan.paths() {
            Some(paths) => previous.lets_match_through(&paths),
            None => false,
        },
        Part::Skip(_) | Part::Limit(_) => previous.is_one_to_one(),
        _ => false,
    };
    if moves {
        stages.swap(position - 1, position);
    }
    moves
}

/// Joins a stage with the one before it; true when the stages changed.
fn joins(
    stages: &mut Vec<Box<dyn StagePlan>>,
    position: usize,
    context: &CompileContext<'_>,
) -> Result<bool, CommandError> {
    let (before, from) = stages.split_at_mut(position);
    let (Some(previous), Some(stage)) = (before.last_mut(), from.first_mut()) else {
        return Ok(false);
    };
    let joined = match (previous.part(), stage.part()) {
        (Part::Match(first), Part::Match(second)) => {
            first.join(second, context)?;
            true
        }
        (Part::Limit(first), Part::Limit(second)) => {
            first.set(first.count().min(second.count()));
            true
        }
        (Part::Skip(first), Part::Skip(second)) => {
            first.set(first.count().saturating_add(second.count()));
            true
        }
        (Part::Sort(sort), Part::Limit(limit)) => {
            sort.keep(limit.count());
            true
        }
        // `skip` then `limit` is `limit` of both then `skip`, which a sort before them can use.
        (Part::Skip(skip), Part::Limit(limit)) => {
            let both = skip.count().saturating_add(limit.count());
            let after_sort = position >= 2
                && before
                    .get_mut(position - 2)
                    .is_some_and(|earlier| matches!(earlier.part(), Part::Sort(_)));
            if !after_sort {
                return Ok(false);
            }
            stages.remove(position);
            stages.insert(position - 1, Box::new(LimitPlan::new(both)));
            return Ok(true);
        }
        _ => false,
    };
    if joined {
        stages.remove(position);
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::super::testing::explain;

    #[test]
    fn joins_and_moves_filters() {
        assert_eq!(
            explain("[{$sort: {a: 1}}, {$match: {b: 1}}, {$match: {c: 2}}]"),
            "[{$match: {$and: [{b: 1}, {c: 2}]}}, {$sort: {sortKey: {a: 1}}}]"
        );
        assert_eq!(
            explain("[{$addFields: {x: 1}}, {$match: {b: 1}}]"),
            "[{$match: {b: 1}}, {$addFields: {x: 1}}]"
        );
        assert_eq!(
            explain("[{$addFields: {x: 1}}, {$match: {'x.y': 1}}]"),
            "[{$addFields: {x: 1}}, {$match: {x.y: 1}}]"
        );
        assert_eq!(
            explain("[{$project: {b: 1}}, {$match: {b: 1}}, {$match: {c: 1}}]"),
            "[{$match: {b: 1}}, {$project: {b: 1}}, {$match: {c: 1}}]"
        );
        assert_eq!(
            explain("[{$unwind: '$t'}, {$match: {b: 1}}, {$match: {t: 1}}]"),
            "[{$match: {b: 1}}, {$unwind: {path: '$t'}}, {$match: {t: 1}}]"
        );
    }

    #[test]
    fn gives_limits_to_sorts() {
        assert_eq!(
            explain("[{$sort: {a: 1}}, {$skip: 2}, {$limit: 3}]"),
            "[{$sort: {sortKey: {a: 1}, limit: NumberLong(5)}}, {$skip: NumberLong(2)}]"
        );
        assert_eq!(
            explain("[{$limit: 7}, {$limit: 3}, {$skip: 1}, {$skip: 1}]"),
            "[{$limit: NumberLong(3)}, {$skip: NumberLong(2)}]"
        );
        assert_eq!(
            explain("[{$project: {a: 1}}, {$limit: 3}]"),
            "[{$limit: NumberLong(3)}, {$project: {a: 1}}]"
        );
    }
}
