//! From a query to its plan, and to the plans that did worse.
//!
//! ```text
//! {a: 5, b: {$gt: 1}} sorted by {b: 1}, with the indexes a_1 and b_1
//!   candidates   IXSCAN a_1 with `b` left to test     IXSCAN b_1 with `a` left to test
//!   finish       SORT(FETCH(IXSCAN a_1))              FETCH(IXSCAN b_1), which is in order
//!   trials       both work in turns until one has 101 rows, ends, or has worked enough; the best score wins
//! ```

use super::access::{Access, holds_all};
use super::candidates::{self, enumerate, whole_scans};
use super::collated::Bounding;
use super::express;
use super::finish::{finish, with_output, with_reads};
use super::key_range;
use super::memory::{self, names_index};
use super::ordering;
use super::request::{Hint, Planned, QueryRequest};
use super::shape;
use super::text;
use crate::bson::{Array, ArrayBuf, ArrayBuilder};
use crate::catalog::Collection;
use crate::catalog::index::facts::has_position;
use crate::catalog::plan_cache::{Finding, QueryShape};
use crate::error::{Code, CommandError};
use crate::plan::{Direction, IndexScanPlan, Plan, ProjectionKind, Trials};
use crate::query::predicate::near::Near;
use crate::query::{MatchNode, Projection};
use std::rc::Rc;

/// Plans a query over a collection.
///
/// # Errors
/// `BadValue` for a hint that names no index; an error that stops every trial run.
pub fn choose(
    request: &QueryRequest,
    collection: &Rc<Collection>,
    trials: &dyn Trials,
) -> Result<Planned, CommandError> {
    let allowed = memory::filtered_indexes(request, collection);
    let hints = memory::hinted_indexes(request, collection);
    if request.matcher.root().texts() > 0 {
        return text::choose(request, collection, trials);
    }
    if !request.has_key_range()
        && hints.is_none()
        && let Some(found) = express::plan(request, collection, trials.pager(), allowed.is_none())?
    {
        return Ok(Planned::only(match &found {
            Plan::IdLookUp { .. } => with_output(found, request, None),
            _ => found,
        }));
    }
    if matches!(request.matcher.root(), MatchNode::AlwaysFalse) {
        return Ok(Planned::only(Plan::Eof));
    }
    let allowed = allowed.as_ref().map(ArrayBuf::as_array);
    let settled = match &hints {
        Some(hints) => by_settings(request, collection, hints.as_array(), trials)?,
        None => Vec::new(),
    };
    // Hints of the settings take the place of an index filter and of a hint, unless they lead to no plan.
    let is_settled = !settled.is_empty();
    let accesses = match &request.hint {
        _ if is_settled => settled,
        _ if let Some(near) = request.matcher.near() => {
            nearest(near, request, collection, trials, allowed)?
        }
        // An index filter takes the place of a hint.
        Some(hint) if allowed.is_none() => hinted(hint, request, collection, trials)?,
        _ if request.has_key_range() => return Err(key_range::needs_hint()),
        _ if request.tailable => vec![natural(request, collection, Direction::Forward)],
        _ => {
            let bounding = Bounding::of(collection, &request.matcher, trials.pager())?;
            unhinted(request, collection, &bounding, allowed)
        }
    };
    let plans: Vec<Plan> = accesses
        .into_iter()
        .map(|access| complete(access, request))
        .collect();
    let is_free = !is_settled && (request.hint.is_none() || allowed.is_some());
    let has_shape = request.sort.is_some() || !request.matcher.is_empty();
    let shape = (is_free && has_shape && !request.explain && !request.tailable && plans.len() > 1)
        .then(|| shape::of(request, collection));
    let mut was_replanned = false;
    if let Some(shape) = &shape
        && let Some(known) = cached(shape, &plans, collection, trials)?
    {
        if let Some(winner) = known {
            return Ok(Planned {
                has_rivals: true,
                ..Planned::only(winner)
            });
        }
        was_replanned = true;
    }
    let (is_ranked, has_rivals) = (shape.is_some() || request.explain, plans.len() > 1);
    let ranked = trials.rank(plans, collection, is_ranked)?;
    if let (Some(shape), Some(first)) = (shape, ranked.first()) {
        let found = Finding {
            works: first.works,
            choice: memory::choice(&first.plan),
            created_millis: trials.now_millis(),
            created_from: memory::describe(request),
            plan: trials.describe(&first.plan),
            trials: ranked.iter().map(|one| one.trial.clone()).collect(),
            scores: ranked.iter().map(|one| one.score).collect(),
        };
        memory::with(collection, |memory| memory.record(shape, found));
    }
    let ranked = ranked.into_iter();
    let (plans, costs): (Vec<Plan>, Vec<_>) =
        ranked.map(|one| (one.plan, (one.trial, one.score))).unzip();
    let mut plans = plans.into_iter();
    Ok(Planned {
        winner: plans.next().unwrap_or(Plan::Eof),
        rejected: plans.collect(),
        has_rivals,
        was_replanned,
        trials: costs,
    })
}

/// How many times the works of its own trial run a cached plan may take before there are new trial runs.
const REPLANNING_RATIO: u64 = 10;

/// The candidate that an active cache entry chose, when it still does as well; `None` inside where it does not.
fn cached(
    shape: &QueryShape,
    plans: &[Plan],
    collection: &Rc<Collection>,
    trials: &dyn Trials,
) -> Result<Option<Option<Plan>>, CommandError> {
    let Some((choice, works)) = memory::with(collection, |memory| memory.active(shape)) else {
        return Ok(None);
    };
    let most_works = works.saturating_mul(REPLANNING_RATIO);
    if let Some(plan) = plans.iter().find(|plan| memory::choice(plan) == choice)
        && trials.holds_up(plan, most_works, collection)?
    {
        return Ok(Some(Some(plan.clone())));
    }
    memory::with(collection, |memory| memory.deactivate(shape));
    Ok(Some(None))
}

/// Plans a `distinct`: one key a value from an index when one can serve, else as `choose` does.
///
/// # Errors
/// As `choose`.
pub fn choose_distinct(
    request: &QueryRequest,
    field: &str,
    projection: &Rc<Projection>,
    collection: &Rc<Collection>,
    trials: &dyn Trials,
) -> Result<Planned, CommandError> {
    let allowed = memory::allowed_indexes(request, collection);
    let may_use = |(scan, _): &(IndexScanPlan, usize)| match (&allowed, &request.hint) {
        (Some(allowed), _) => {
            names_index(allowed.as_array(), &collection.indexes[scan.index.position])
        }
        (None, Some(hint)) => hint_position(hint, collection) == Some(scan.index.position),
        (None, None) => true,
    };
    let is_positional = has_position(field);
    let scans = candidates::distinct_scans(collection, &request.matcher, field, true);
    let is_all = request.matcher.is_empty();
    // Over everything the shortest key serves best.
    let length = |(scan, _): &(IndexScanPlan, usize)| match is_all {
        true => scan.index.fields.len(),
        false => 0,
    };
    let scans = scans.into_iter().filter(may_use);
    let Some((scan, field)) = scans.min_by_key(length) else {
        return choose(request, collection, trials);
    };
    let input = Box::new(Plan::DistinctScan { scan, field });
    // A position is found in the document only: as a name it would lead elsewhere.
    let winner = match is_positional {
        true => Plan::Fetch {
            input,
            filter: None,
        },
        false => Plan::Project {
            input,
            projection: Rc::clone(projection),
            kind: ProjectionKind::Covered,
        },
    };
    Ok(Planned::only(winner))
}

/// A grouping by the values of one field that one document of each group answers.
pub struct Grouping<'g> {
    pub field: &'g str,
    /// Whether that is the last one in the request's order, rather than the first.
    pub last: bool,
    /// Whether fields of that document are read, rather than the value alone.
    pub reads_document: bool,
}

/// Plans a grouping: one key a value from an index that gives the wanted document first; `None` when there is none.
pub fn choose_grouping(
    request: &QueryRequest,
    grouping: &Grouping<'_>,
    collection: &Collection,
) -> Option<Plan> {
    if request.hint.is_some() || memory::allowed_indexes(request, collection).is_some() {
        return None;
    }
    let mut fetched = None;
    let scans = candidates::distinct_scans(collection, &request.matcher, grouping.field, false);
    for (mut scan, _) in scans {
        // Documents without the field are a group too.
        if scan.index.is_sparse {
            continue;
        }
        let order = match &request.sort {
            Some(sort) => ordering::provides(&scan, sort, &request.matcher),
            // Equal keys lie in the order of their documents, and without a sort the first in that order is wanted.
            None if !grouping.reads_document
                || (scan.index.fields.len() == 1 && !collection.is_in_id_order()) =>
            {
                Some(Direction::Forward)
            }
            None => None,
        };
        let Some(order) = order else { continue };
        scan.direction = match (order, grouping.last) {
            (Direction::Forward, false) | (Direction::Backward, true) => Direction::Forward,
            _ => Direction::Backward,
        };
        let plain: Vec<&str> = scan.index.plain_fields().collect();
        let covered = scan.index.reads_as_document && { request.reads.as_ref() }
            .is_some_and(|reads| reads.is_covered_by(&plain));
        let keys = Box::new(Plan::DistinctScan { scan, field: 0 });
        if covered && let Some(projection) = &request.reads {
            return Some(Plan::Project {
                input: keys,
                projection: Rc::clone(projection),
                kind: ProjectionKind::Covered,
            });
        }
        let plan = Plan::Fetch {
            input: keys,
            filter: None,
        };
        fetched.get_or_insert(with_reads(plan, request));
    }
    fetched
}

/// The searches for the documents nearest to a point.
fn nearest(
    near: &Rc<Near>,
    request: &QueryRequest,
    collection: &Collection,
    trials: &dyn Trials,
    allowed: Option<Array<'_>>,
) -> Result<Vec<Access>, CommandError> {
    let only = match &request.hint {
        Some(Hint::Natural(_)) => {
            return Err(CommandError::new(
                Code::BadValue,
                "geoNear expression not allowed with $natural hint",
            ));
        }
        Some(hint) if allowed.is_none() => Some(hinted_position(hint, collection)?),
        _ => None,
    };
    let bounding = Bounding::of(collection, &request.matcher, trials.pager())?;
    let matcher = &request.matcher;
    let found = candidates::near_scans(collection, matcher, near, &bounding, allowed, only);
    match found.is_empty() || request.has_key_range() {
        false => Ok(found),
        true => Err(CommandError::new(
            Code::NoQueryExecutionPlans,
            "error processing query: planner returned error :: caused by :: unable to find index for $geoNear query",
        )),
    }
}

fn natural(request: &QueryRequest, collection: &Collection, direction: Direction) -> Access {
    candidates::clustered_scan(collection, &request.matcher, direction)
        .unwrap_or(Access::Collection { direction })
}

/// All accesses worth a trial; a collection scan only when no index is any help.
fn unhinted(
    request: &QueryRequest,
    collection: &Collection,
    bounding: &Bounding,
    allowed: Option<Array<'_>>,
) -> Vec<Access> {
    let mut accesses = indexed(request, collection, bounding, allowed);
    if accesses.is_empty() {
        accesses.push(natural(request, collection, Direction::Forward));
    }
    accesses
}

/// All accesses by indexes that are worth a trial.
fn indexed(
    request: &QueryRequest,
    collection: &Collection,
    bounding: &Bounding,
    allowed: Option<Array<'_>>,
) -> Vec<Access> {
    let mut accesses = enumerate(collection, &request.matcher, bounding, allowed);
    if let Some(sort) = &request.sort {
        let provided = accesses.iter().any(|access| {
            access
                .single_scan()
                .is_some_and(|scan| ordering::provides(scan, sort, &request.matcher).is_some())
        });
        if !provided {
            accesses.extend(sort_only(request, collection, bounding, allowed));
        }
    }
    accesses
}

/// The accesses that index hints of the settings allow: by their indexes, or by the whole collection where a `$natural`
/// is among them. None where they lead to no plan, and for reads that need an index of their own.
fn by_settings(
    request: &QueryRequest,
    collection: &Collection,
    hinted: Array<'_>,
    trials: &dyn Trials,
) -> Result<Vec<Access>, CommandError> {
    if request.has_key_range() || request.tailable {
        return Ok(Vec::new());
    }
    let (matcher, hints) = (&request.matcher, Some(hinted));
    let bounding = Bounding::of(collection, matcher, trials.pager())?;
    if let Some(near) = matcher.near() {
        let found = candidates::near_scans(collection, matcher, near, &bounding, hints, None);
        return Ok(found);
    }
    let mut accesses = indexed(request, collection, &bounding, hints);
    if let Some(direction) = memory::hinted_scan(hinted).filter(|_| accesses.is_empty()) {
        accesses.push(natural(request, collection, direction));
    }
    Ok(accesses)
}

/// Whole-index scans that give the wanted order.
fn sort_only(
    request: &QueryRequest,
    collection: &Collection,
    bounding: &Bounding,
    allowed: Option<Array<'_>>,
) -> Vec<Access> {
    let Some(sort) = &request.sort else {
        return Vec::new();
    };
    collection
        .indexes
        .iter()
        .enumerate()
        .filter(|(_, index)| {
            !index.definition.hidden
                && allowed.is_none_or(|allowed| names_index(allowed, index))
                && !index.definition.sparse
                && index.definition.kind.rules().holds_every_document()
                && holds_all(index, &request.matcher)
        })
        .flat_map(|(position, index)| whole_scans(position, index, &request.matcher, bounding))
        .filter(|access| {
            access.single_scan().is_some_and(|scan| {
                scan.bounds
                    .fields
                    .first()
                    .is_some_and(|field| field.intervals.is_full())
                    && ordering::provides(scan, sort, &request.matcher).is_some()
            })
        })
        .collect()
}

/// The index that a hint names.
fn hint_position(hint: &Hint, collection: &Collection) -> Option<usize> {
    collection.indexes.iter().position(|index| match hint {
        Hint::Natural(_) => false,
        Hint::Name(name) => index.definition.shown_name() == name,
        Hint::KeyPattern(pattern) => same_pattern(index.definition.key.as_document(), pattern),
    })
}

fn hinted_position(hint: &Hint, collection: &Collection) -> Result<usize, CommandError> {
    hint_position(hint, collection)
        .filter(|at| !collection.indexes[*at].definition.hidden)
        .ok_or_else(|| {
            CommandError::new(
                Code::BadValue,
                "error processing query: planner returned error :: caused by :: hint provided does \
                 not correspond to an existing index",
            )
        })
}

fn hinted(
    hint: &Hint,
    request: &QueryRequest,
    collection: &Collection,
    trials: &dyn Trials,
) -> Result<Vec<Access>, CommandError> {
    if let Hint::Natural(direction) = hint {
        return match request.has_key_range() {
            true => Err(key_range::needs_hint()),
            false => Ok(vec![natural(request, collection, *direction)]),
        };
    }
    let position = hinted_position(hint, collection)?;
    if request.has_key_range() {
        return Ok(vec![key_range::access(
            request,
            collection,
            position,
            trials.pager(),
        )?]);
    }
    let bounding = Bounding::of(collection, &request.matcher, trials.pager())?;
    let index = &collection.indexes[position];
    let mut accesses = whole_scans(position, index, &request.matcher, &bounding);
    let is_bounded = |access: &Access| {
        let first = access
            .single_scan()
            .and_then(|scan| scan.bounds.fields.first());
        first.is_some_and(|field| !field.intervals.is_full())
    };
    // The hinted index may still serve each branch of an `$or`.
    if !accesses.iter().any(is_bounded) {
        let mut alone = ArrayBuilder::new();
        alone.push(index.name());
        let alone = alone.finish();
        let branches = enumerate(
            collection,
            &request.matcher,
            &bounding,
            Some(alone.as_array()),
        );
        if !branches.is_empty() {
            accesses = branches;
        }
    }
    if accesses.is_empty() {
        return Err(CommandError::new(
            Code::NoQueryExecutionPlans,
            "error processing query: planner returned error :: caused by :: $hint: refusing to build \
             whole-index solution, because it's a wildcard index",
        ));
    }
    Ok(accesses)
}

fn same_pattern(left: crate::bson::Document<'_>, right: &crate::bson::DocumentBuf) -> bool {
    crate::bson::compare_documents(left, right.as_document()).is_eq()
}

fn complete(access: Access, request: &QueryRequest) -> Plan {
    if request.count_only
        && let Access::Index {
            scan,
            residual: None,
        } = &access
        && scan.filter.is_none()
        && scan.bounds.is_one_run()
        && !scan.index.is_clustered
    {
        let mut plan = Plan::CountScan(scan.clone());
        if request.skip > 0 {
            plan = Plan::Skip {
                input: Box::new(plan),
                skip: request.skip,
            };
        }
        if let Some(limit) = request.limit {
            plan = Plan::Limit {
                input: Box::new(plan),
                limit,
            };
        }
        return plan;
    }
    finish(access, request)
}
