//! Moves and joins stages so that fewer documents reach the later ones: `$sort, $match` becomes `$match, $sort`.
//!
//! Follows the manual's "Aggregation Pipeline Optimization" page. Invariant: the documents that come
//! out, and their order, stay the same.

use super::filters;
use super::stage::{Part, StagePlan};
use super::stages::bounded_sort::BoundedSortPlan;
use super::stages::limit::LimitPlan;
use super::stages::matching::MatchPlan;
use super::stages::sort::SortPlan;
use crate::bson::DocumentBuilder;
use crate::error::CommandError;
use crate::expr::CompileContext;
use crate::query::predicate::comparison::ComparisonKind;
use crate::query::{MatchNode, SortPattern};

type Stages = Vec<Box<dyn StagePlan>>;

/// Optimises until nothing changes.
pub fn optimize(stages: &mut Stages, context: &CompileContext<'_>) -> Result<(), CommandError> {
    let mut position = 0;
    while position < stages.len() {
        let changed = position > 0
            && (filters_earlier(stages, position, context)?
                || swaps(stages, position)
                || joins(stages, position, context)?);
        if changed {
            position = position.saturating_sub(1);
        } else {
            position += 1;
        }
    }
    Ok(())
}

/// Moves the movable part of a `$match`, or all of it, before the stage before it.
fn filters_earlier(
    stages: &mut Stages,
    position: usize,
    context: &CompileContext<'_>,
) -> Result<bool, CommandError> {
    let (before, from) = stages.split_at_mut(position);
    let (Some(previous), Some(stage)) = (before.last_mut(), from.first_mut()) else {
        return Ok(false);
    };
    let Part::Match(plan) = stage.part() else {
        return Ok(false);
    };
    if let Part::Redact(redact) = previous.part() {
        let safe = filters::safe_before_redact(plan.filter()).filter(|_| !redact.filtered);
        redact.filtered = true;
        let Some(safe) = safe else {
            return Ok(false);
        };
        stages.insert(position - 1, Box::new(MatchPlan::new(safe)));
        return Ok(true);
    }
    let Some(split) = filters::split(plan.filter(), &**previous, context)? else {
        return Ok(false);
    };
    match split.after {
        Some(after) => plan.set(after),
        None => {
            stages.remove(position);
        }
    }
    stages.insert(position - 1, Box::new(MatchPlan::new(split.before)));
    Ok(true)
}

/// Exchanges a stage with the one before it where that leaves less to do.
fn swaps(stages: &mut Stages, position: usize) -> bool {
    let reaches = reaches_a_read_or_sort(stages, position);
    let (before, from) = stages.split_at_mut(position);
    let (Some(previous), Some(stage)) = (before.last_mut(), from.first_mut()) else {
        return false;
    };
    let mut goes_through_union = false;
    let moves = match stage.part() {
        Part::Skip(_) | Part::Limit(_) => reaches && previous.is_one_to_one(),
        Part::Sort(plan) => plan
            .pattern()
            .iter()
            .all(|field| previous.lets_sort_through(field.name)),
        Part::Match(_) | Part::Project(_) => {
            goes_through_union = matches!(previous.part(), Part::Union(_));
            goes_through_union
        }
        _ => false,
    };
    if goes_through_union && let Part::Union(union) = previous.part() {
        union.add(&**stage);
    }
    if moves {
        stages.swap(position - 1, position);
    }
    moves
}

/// Whether nothing but stages that give one document for each lies between a stage and the collection read or the
/// `$sort` that would profit from knowing how many documents are asked for.
fn reaches_a_read_or_sort(stages: &mut Stages, position: usize) -> bool {
    for at in (0..position).rev() {
        let Some(stage) = stages.get_mut(at) else {
            return false;
        };
        let is_one_to_one = stage.is_one_to_one();
        match stage.part() {
            Part::Sort(_) => return true,
            Part::Match(_) => return at == 0,
            Part::Skip(_) | Part::Limit(_) => {}
            _ if is_one_to_one => {}
            _ => return false,
        }
    }
    true
}

/// Joins a stage with the one before it; true when the stages changed.
fn joins(
    stages: &mut Stages,
    position: usize,
    context: &CompileContext<'_>,
) -> Result<bool, CommandError> {
    let by_meta = position >= 2 && { stages.get_mut(position - 2) }
        .is_some_and(|earlier| asks_for_one(&mut **earlier, "meta"));
    let (before, from) = stages.split_at_mut(position);
    let (Some(previous), Some(stage)) = (before.last_mut(), from.first_mut()) else {
        return Ok(false);
    };
    let joined = match (previous.part(), stage.part()) {
        (Part::Match(first), Part::Match(second)) => {
            first.set(filters::both(first.filter(), second.filter()));
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
        (Part::Unpack(unpack), Part::Match(filter)) => {
            let buckets = unpack.take_filter(&filter.matcher(), context)?;
            stages.remove(position);
            if let Some(buckets) = buckets {
                stages.insert(position - 1, Box::new(MatchPlan::new(buckets)));
            }
            return Ok(true);
        }
        (Part::Unpack(unpack), Part::GeoNear(near)) => {
            let divided = near.divide(&unpack.paths, unpack.is_filtered(), context)?;
            let Some((distances, finds_buckets)) = divided else {
                return Ok(false);
            };
            if finds_buckets {
                stages.insert(position + 1, Box::new(distances));
                stages.swap(position - 1, position);
                return Ok(true);
            }
            let sort = SortPlan::new(distances.order()?);
            stages[position] = Box::new(distances);
            stages.insert(position + 1, Box::new(sort));
            return Ok(true);
        }
        (Part::Unpack(unpack), Part::Group(group)) => {
            unpack.take_group(group);
            false
        }
        (Part::Unpack(unpack), Part::Sort(sort)) => {
            let limit = sort.limit();
            if let Some(pattern) = unpack.meta_sort(sort.pattern()) {
                let sort = SortPlan::new(SortPattern::compile(pattern.as_document())?);
                stages[position] = Box::new(sort.with_collation(&context.collation));
                stages.swap(position - 1, position);
                let limit =
                    limit.map(|limit| Box::new(LimitPlan::new(limit)) as Box<dyn StagePlan>);
                stages.splice(position + 1..position + 1, limit);
                return Ok(true);
            }
            let Some((is_descending, path)) = unpack.take_order(sort.pattern(), by_meta) else {
                return Ok(false);
            };
            let mut pattern = DocumentBuilder::new();
            pattern.append(&path, if is_descending { -1 } else { 1 });
            let pattern = SortPattern::compile(pattern.finish().as_document())?;
            let time = unpack.paths.time.clone();
            stages[position] = Box::new(BoundedSortPlan {
                time,
                is_descending,
            });
            let limit = limit.map(|limit| Box::new(LimitPlan::new(limit)) as Box<dyn StagePlan>);
            stages.splice(position + 1..position + 1, limit);
            stages.insert(position - 1, Box::new(SortPlan::new(pattern)));
            return Ok(true);
        }
        (Part::Lookup(lookup), Part::Unwind(unwind)) => lookup.take_unwind(unwind),
        (Part::Lookup(lookup), Part::Match(filter)) => {
            lookup.take_filter(filter.filter(), context)?
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

/// Whether a stage is a filter that asks for one value at a path.
fn asks_for_one(stage: &mut dyn StagePlan, path: &str) -> bool {
    let Part::Match(filter) = stage.part() else {
        return false;
    };
    filter.filter().conjuncts().iter().any(|test| {
        matches!(test, MatchNode::Compare(test)
            if test.kind == ComparisonKind::Equal && test.path.dotted() == path)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::explain;

    #[track_caller]
    fn becomes(written: &str, optimised: &str) {
        assert_eq!(explain(written), optimised, "{written}");
    }

    #[test]
    fn joins_and_moves_filters() {
        becomes(
            "[{$sort: {a: 1}}, {$match: {b: 1}}, {$match: {c: 2}}]",
            "[{$match: {$and: [{b: {$eq: 1}}, {c: {$eq: 2}}]}}, {$sort: {sortKey: {a: 1}}}]",
        );
        becomes(
            "[{$addFields: {x: 1}}, {$match: {b: 1}}]",
            "[{$match: {b: {$eq: 1}}}, {$addFields: {x: {$const: 1}}}]",
        );
        becomes(
            "[{$addFields: {x: 1}}, {$match: {'x.y': 1}}]",
            "[{$addFields: {x: {$const: 1}}}, {$match: {x.y: {$eq: 1}}}]",
        );
        becomes(
            "[{$project: {b: 1}}, {$match: {b: 1, c: 1}}]",
            "[{$match: {b: {$eq: 1}}}, {$project: {_id: true, b: true}}, {$match: {c: {$eq: 1}}}]",
        );
        becomes(
            "[{$project: {gone: 0}}, {$match: {gone: 'x', other: 4}}]",
            "[{$match: {other: {$eq: 4}}}, {$project: {gone: false, _id: true}}, {$match: {gone: {$eq: 'x'}}}]",
        );
        becomes(
            "[{$unwind: '$t'}, {$match: {b: {$gt: 0}}}, {$match: {t: 1, c: 1}}]",
            "[{$match: {$and: [{c: {$eq: 1}}, {b: {$gt: 0}}]}}, {$unwind: {path: '$t'}}, {$match: {t: {$eq: 1}}}]",
        );
        becomes(
            "[{$unwind: '$a'}, {$match: {$nor: [{a: 1, b: 1}, {b: 2}]}}]",
            "[{$match: {b: {$not: {$eq: 2}}}}, {$unwind: {path: '$a'}}, \
             {$match: {$nor: [{$and: [{a: {$eq: 1}}, {b: {$eq: 1}}]}]}}]",
        );
        becomes(
            "[{$unwind: '$a'}, {$match: {$or: [{a: 1}, {b: 1}]}}]",
            "[{$unwind: {path: '$a'}}, {$match: {$or: [{a: {$eq: 1}}, {b: {$eq: 1}}]}}]",
        );
        becomes(
            "[{$unwind: '$a'}, {$match: {$sampleRate: 0.5}}]",
            "[{$unwind: {path: '$a'}}, {$match: {$sampleRate: 0.5}}]",
        );
    }

    #[test]
    fn filters_follow_renamed_fields() {
        becomes(
            "[{$project: {x: '$a'}}, {$match: {'x.y': 1}}]",
            "[{$match: {a.y: {$eq: 1}}}, {$project: {_id: true, x: '$a'}}]",
        );
        becomes(
            "[{$addFields: {x: '$a', a: 1}}, {$match: {x: 1}}]",
            "[{$match: {a: {$eq: 1}}}, {$addFields: {x: '$a', a: {$const: 1}}}]",
        );
        becomes(
            "[{$addFields: {x: '$a.b'}}, {$match: {x: 1}}]",
            "[{$addFields: {x: '$a.b'}}, {$match: {x: {$eq: 1}}}]",
        );
    }

    #[test]
    fn filters_on_keys_go_before_groups() {
        becomes(
            "[{$group: {_id: '$a'}}, {$match: {_id: 4}}]",
            "[{$match: {a: {$eq: 4}}}, {$group: {_id: '$a', $willBeMerged: false}}]",
        );
        becomes(
            "[{$group: {_id: '$x'}}, {$match: {$or: [{_id: {$lte: 50}}, {_id: {$gt: 70}}]}}]",
            "[{$match: {$or: [{x: {$lte: 50}}, {x: {$gt: 70}}]}}, {$group: {_id: '$x', $willBeMerged: false}}]",
        );
        becomes(
            "[{$group: {_id: {a: '$a', b: '$b'}}}, {$match: {'_id.b': {$exists: true}}}]",
            "[{$match: {b: {$exists: true}}}, {$group: {_id: {a: '$a', b: '$b'}, $willBeMerged: false}}]",
        );
        for stays in [
            "{_id: {$exists: true}}",
            "{_id: {$type: [1]}}",
            "{b: {$eq: 4}}",
        ] {
            becomes(
                &format!("[{{$group: {{_id: '$a'}}}}, {{$match: {stays}}}]"),
                &format!("[{{$group: {{_id: '$a', $willBeMerged: false}}}}, {{$match: {stays}}}]"),
            );
        }
    }

    #[test]
    fn lookups_take_their_unwind_and_filter() {
        let lookup = "$lookup: {from: 'others', as: 'o', localField: 'y', foreignField: 'z'";
        becomes(
            &format!(
                "[{{{lookup}}}}}, {{$unwind: '$o'}}, {{$match: {{'o.s': 1, i: {{$gt: 2}}}}}}]"
            ),
            &format!(
                "[{{$match: {{i: {{$gt: 2}}}}}}, {{{lookup}, let: {{}}, pipeline: [{{$match: {{s: {{$eq: 1}}}}}}], \
                 unwinding: {{preserveNullAndEmptyArrays: false}}}}}}]"
            ),
        );
        becomes(
            &format!("[{{{lookup}}}}}, {{$match: {{o: 3, i: 0}}}}]"),
            &format!(
                "[{{$match: {{i: {{$eq: 0}}}}}}, {{{lookup}}}}}, {{$match: {{o: {{$eq: 3}}}}}}]"
            ),
        );
        becomes(
            &format!(
                "[{{{lookup}}}}}, {{$unwind: {{path: '$o', includeArrayIndex: 'n'}}}}, {{$match: {{n: 0, 'o.v': 1}}}}]"
            ),
            &format!(
                "[{{{lookup}, unwinding: {{preserveNullAndEmptyArrays: false, includeArrayIndex: 'n'}}}}}}, \
                 {{$match: {{$and: [{{n: {{$eq: 0}}}}, {{o.v: {{$eq: 1}}}}]}}}}]"
            ),
        );
        becomes(
            &format!("[{{{lookup}}}}}, {{$sort: {{k: 1}}}}]"),
            &format!("[{{$sort: {{sortKey: {{k: 1}}}}}}, {{{lookup}}}}}]"),
        );
        becomes(
            "[{$lookup: {from: 'others', as: 'o', pipeline: [{$match: {a: {$eq: 1}}}]}}, {$unwind: '$o'}, \
             {$match: {'o.b': 1}}, {$match: {'o.c': 1}}]",
            "[{$lookup: {from: 'others', as: 'o', let: {}, pipeline: [{$match: {a: {$eq: 1}}}, \
             {$match: {$and: [{b: {$eq: 1}}, {c: {$eq: 1}}]}}], unwinding: {preserveNullAndEmptyArrays: false}}}]",
        );
    }

    #[test]
    fn filters_run_on_both_sides_of_a_union() {
        becomes(
            "[{$unionWith: 'others'}, {$match: {a: 1}}]",
            "[{$match: {a: {$eq: 1}}}, {$unionWith: {coll: 'others', pipeline: [{$match: {a: {$eq: 1}}}]}}]",
        );
        becomes(
            "[{$redact: '$$PRUNE'}, {$match: {a: 1, b: {$ne: 2}}}]",
            "[{$match: {a: {$eq: 1}}}, {$redact: {$const: 'prune'}}, {$match: {$and: [{a: {$eq: 1}}, {b: {$not: {$eq: 2}}}]}}]",
        );
    }

    #[test]
    fn gives_limits_to_sorts() {
        becomes(
            "[{$sort: {a: 1}}, {$skip: 2}, {$limit: 3}]",
            "[{$sort: {sortKey: {a: 1}, limit: NumberLong(5)}}, {$skip: NumberLong(2)}]",
        );
        becomes(
            "[{$limit: 7}, {$limit: 3}, {$skip: 1}, {$skip: 1}]",
            "[{$limit: NumberLong(3)}, {$skip: NumberLong(2)}]",
        );
        becomes(
            "[{$project: {a: 1}}, {$limit: 3}]",
            "[{$limit: NumberLong(3)}, {$project: {_id: true, a: true}}]",
        );
        becomes(
            "[{$group: {_id: '$a'}}, {$project: {a: 1}}, {$limit: 3}]",
            "[{$group: {_id: '$a', $willBeMerged: false}}, {$project: {_id: true, a: true}}, {$limit: NumberLong(3)}]",
        );
        becomes(
            "[{$sort: {a: 1}}, {$project: {a: 1}}, {$limit: 3}]",
            "[{$sort: {sortKey: {a: 1}, limit: NumberLong(3)}}, {$project: {_id: true, a: true}}]",
        );
    }
}
