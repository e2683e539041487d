//! From a query to the plan that is run, and the ones it was preferred to.

use super::access::Access;
use super::candidates::{self, enumerate, whole_scan};
use super::express;
use super::finish::finish;
use super::ordering;
use super::plan::{Direction, Plan, ProjectionKind};
use super::rank::rank;
use super::request::{Hint, Planned, QueryRequest};
use crate::catalog::Collection;
use crate::error::{Code, CommandError};
use crate::exec::ExecContext;
use crate::query::{MatchNode, Projection};
use std::rc::Rc;

/// Plans a query over a collection.
///
/// # Errors
/// `BadValue` for a hint that names no index; whatever stops every trial run.
pub fn choose(
    request: &QueryRequest,
    collection: &Rc<Collection>,
    context: &ExecContext<'_>,
) -> Result<Planned, CommandError> {
    if let Some(plan) = express::plan(request, collection) {
        return Ok(Planned {
            winner: plan,
            rejected: Vec::new(),
        });
    }
    if matches!(request.matcher.root(), MatchNode::AlwaysFalse) {
        return Ok(Planned {
            winner: Plan::Eof,
            rejected: Vec::new(),
        });
    }
    let accesses = match &request.hint {
        Some(hint) => vec![hinted(hint, request, collection)?],
        None if request.tailable => vec![natural(Direction::Forward)],
        None => unhinted(request, collection),
    };
    let plans: Vec<Plan> = accesses
        .into_iter()
        .map(|access| complete(access, request))
        .collect();
    let mut ranked = rank(plans, collection, context)?.into_iter();
    let winner = ranked.next().unwrap_or(Plan::Eof);
    Ok(Planned {
        winner,
        rejected: ranked.collect(),
    })
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
    context: &ExecContext<'_>,
) -> Result<Planned, CommandError> {
    let scan = match request.hint {
        None => candidates::distinct_scan(collection, &request.matcher, field),
        Some(_) => None,
    };
    let Some(scan) = scan else {
        return choose(request, collection, context);
    };
    let winner = Plan::Project {
        input: Box::new(Plan::DistinctScan { scan, field: 0 }),
        projection: Rc::clone(projection),
        kind: ProjectionKind::Covered,
    };
    Ok(Planned {
        winner,
        rejected: Vec::new(),
    })
}

fn natural(direction: Direction) -> Access {
    Access::Collection { direction }
}

/// All accesses worth a trial; a collection scan only when no index is any help.
fn unhinted(request: &QueryRequest, collection: &Collection) -> Vec<Access> {
    let mut accesses = enumerate(collection, &request.matcher);
    if let Some(sort) = &request.sort {
        let provided = accesses.iter().any(|access| {
            access
                .single_scan()
                .is_some_and(|scan| ordering::provides(scan, sort).is_some())
        });
        if !provided {
            accesses.extend(sort_only(request, collection));
        }
    }
    if accesses.is_empty() {
        accesses.push(natural(Direction::Forward));
    }
    accesses
}

/// Whole-index scans that give the wanted order.
fn sort_only(request: &QueryRequest, collection: &Collection) -> Vec<Access> {
    let Some(sort) = &request.sort else {
        return Vec::new();
    };
    collection
        .indexes
        .iter()
        .enumerate()
        .filter(|(_, index)| {
            !index.definition.hidden
                && !index.definition.sparse
                && candidates::holds_all(index, &request.matcher)
        })
        .map(|(position, index)| whole_scan(&candidates::facts(position, index), &request.matcher))
        .filter(|access| {
            access.single_scan().is_some_and(|scan| {
                scan.bounds
                    .fields
                    .first()
                    .is_some_and(|field| field.intervals.is_full())
                    && ordering::provides(scan, sort).is_some()
            })
        })
        .collect()
}

fn hinted(
    hint: &Hint,
    request: &QueryRequest,
    collection: &Collection,
) -> Result<Access, CommandError> {
    let found = match hint {
        Hint::Natural(direction) => return Ok(natural(*direction)),
        Hint::Name(name) => collection
            .indexes
            .iter()
            .position(|index| *index.definition.name == **name),
        Hint::KeyPattern(pattern) => collection
            .indexes
            .iter()
            .position(|index| same_pattern(index.definition.key.as_document(), pattern)),
    };
    let Some(position) = found.filter(|at| !collection.indexes[*at].definition.hidden) else {
        return Err(CommandError::new(
            Code::BadValue,
            "error processing query: planner returned error :: caused by :: hint provided does \
             not correspond to an existing index",
        ));
    };
    Ok(whole_scan(
        &candidates::facts(position, &collection.indexes[position]),
        &request.matcher,
    ))
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
        && scan.bounds.is_one_range()
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
