//! Puts sort, skip, projection and limit on top of an access, in the server's order:
//! `LIMIT(PROJECTION(SKIP(SORT(FETCH(IXSCAN)))))`, with documents fetched as late as possible.

use super::access::Access;
use super::ordering;
use super::plan::{Direction, IndexScanPlan, Plan, ProjectionKind};
use super::request::QueryRequest;
use crate::query::Projection;
use std::rc::Rc;

/// Completes an access into a whole plan.
pub fn finish(mut access: Access, request: &QueryRequest) -> Plan {
    let provided = match (&request.sort, access.single_scan()) {
        (Some(sort), Some(scan)) => ordering::provides(scan, sort),
        _ => None,
    };
    if let (Some(direction), Some(scan)) = (provided, access.single_scan_mut()) {
        scan.direction = direction;
    }
    let blocking = request.sort.is_some() && provided.is_none();
    let covered = covering_projection(&access, request);
    let mut plan = if let Some(plan) = merge_sorted(&access, request).filter(|_| blocking) {
        return with_window(with_projection(plan, request, None), request, true);
    } else if access.needs_documents() {
        access.fetched_plan(&request.matcher, request.tailable)
    } else {
        access.bare_plan()
    };
    let mut fetched = access.needs_documents();
    if let (Some(sort), true) = (&request.sort, blocking) {
        let sort_from_key =
            !fetched && access.single_scan().is_some_and(|scan| ordering::covers(scan, sort));
        if !fetched && !sort_from_key {
            plan = Plan::Fetch { input: Box::new(plan), filter: None };
            fetched = true;
        }
        plan = Plan::Sort {
            input: Box::new(plan),
            pattern: Rc::clone(sort),
            limit: request.sort_limit(),
        };
    }
    let from_key = covered.is_some() || request.return_key;
    if request.skip > 0 && (fetched || from_key || request.count_only) {
        plan = Plan::Skip { input: Box::new(plan), skip: request.skip };
    } else if request.skip > 0 {
        // Rows that are skipped need not be read.
        plan = Plan::Skip { input: Box::new(plan), skip: request.skip };
        plan = Plan::Fetch { input: Box::new(plan), filter: None };
        fetched = true;
    }
    if !fetched && !from_key && !request.count_only {
        plan = Plan::Fetch { input: Box::new(plan), filter: None };
        fetched = true;
    }
    if request.return_key {
        plan = Plan::ReturnKey { input: Box::new(plan) };
    } else {
        plan = with_projection(plan, request, covered.filter(|_| !fetched));
    }
    match request.limit {
        Some(limit) if !blocking => Plan::Limit { input: Box::new(plan), limit },
        _ => plan,
    }
}

fn with_window(mut plan: Plan, request: &QueryRequest, limit: bool) -> Plan {
    if request.skip > 0 {
        plan = Plan::Skip { input: Box::new(plan), skip: request.skip };
    }
    match request.limit {
        Some(amount) if limit => Plan::Limit { input: Box::new(plan), limit: amount },
        _ => plan,
    }
}

fn with_projection(
    plan: Plan,
    request: &QueryRequest,
    covered: Option<ProjectionKind>,
) -> Plan {
    let Some(projection) = &request.projection else { return plan };
    let kind = covered.unwrap_or(if projection.is_simple() {
        ProjectionKind::Simple
    } else {
        ProjectionKind::Default
    });
    Plan::Project {
        input: Box::new(plan),
        projection: Rc::clone(projection),
        matcher: projection.needs_match_details().then(|| Rc::clone(&request.matcher)),
        kind,
    }
}

/// Whether the projection can be answered from the index key alone.
fn covering_projection(access: &Access, request: &QueryRequest) -> Option<ProjectionKind> {
    let projection = request.projection.as_ref()?;
    if access.needs_documents() {
        return None;
    }
    let scan = access.single_scan()?;
    is_covered(projection, scan).then_some(ProjectionKind::Covered)
}

fn is_covered(projection: &Projection, scan: &IndexScanPlan) -> bool {
    let Some(needed) = projection.required_fields() else { return false };
    needed.iter().all(|path| {
        scan.index
            .fields
            .iter()
            .zip(&scan.index.multikey_paths)
            .any(|((name, _), arrays)| name == path && arrays.is_empty())
    })
}

/// An `$or` whose branches each come in the wanted order, or an `$in` with a sort behind it, is
/// merged instead of sorted.
fn merge_sorted(access: &Access, request: &QueryRequest) -> Option<Plan> {
    let sort = request.sort.as_ref()?;
    let (branches, residual) = match access {
        Access::Or { branches, residual } => (branches.clone(), residual.clone()),
        Access::Index { scan, residual } => (explode(scan)?, residual.clone()),
        Access::Collection { .. } => return None,
    };
    let mut inputs = Vec::with_capacity(branches.len());
    for mut branch in branches {
        let direction = ordering::provides(branch.single_scan()?, sort)?;
        branch.single_scan_mut()?.direction = direction;
        inputs.push(branch);
    }
    let covered = inputs.iter().all(|branch| {
        !branch.needs_documents()
            && branch.single_scan().is_some_and(|scan| ordering::covers(scan, sort))
    });
    if covered {
        let merged = Plan::MergeSort {
            inputs: inputs.iter().map(Access::bare_plan).collect(),
            pattern: Rc::clone(sort),
        };
        let filter =
            residual.map(|node| Rc::new(crate::query::Matcher::from_node(node)));
        return Some(Plan::Fetch { input: Box::new(merged), filter });
    }
    let inputs = inputs
        .iter()
        .map(|branch| branch.fetched_plan(&request.matcher, false))
        .collect();
    let merged = Plan::MergeSort { inputs, pattern: Rc::clone(sort) };
    match residual {
        None => Some(merged),
        Some(node) => Some(Plan::Fetch {
            input: Box::new(merged),
            filter: Some(Rc::new(crate::query::Matcher::from_node(node))),
        }),
    }
}

/// The most scans that one scan over several single values is taken apart into.
const MOST_SCANS: usize = 200;

/// Takes a scan over several single values apart into one scan for each, so that what follows the
/// values in the key stays in order.
fn explode(scan: &IndexScanPlan) -> Option<Vec<Access>> {
    let mut scans = vec![scan.clone()];
    let mut exploded = false;
    for (position, field) in scan.bounds.fields.iter().enumerate() {
        if !field.intervals.all_points() {
            break;
        }
        let intervals = field.intervals.as_slice();
        if intervals.len() == 1 {
            continue;
        }
        if scans.len() * intervals.len() > MOST_SCANS {
            return None;
        }
        exploded = true;
        scans = scans
            .iter()
            .flat_map(|scan| {
                intervals.iter().map(move |interval| {
                    let mut bounds = (*scan.bounds).clone();
                    bounds.fields[position].intervals =
                        super::interval::Intervals::one(interval.clone());
                    IndexScanPlan {
                        bounds: Rc::new(bounds),
                        direction: Direction::Forward,
                        ..scan.clone()
                    }
                })
            })
            .collect();
    }
    exploded.then(|| {
        scans.into_iter().map(|scan| Access::Index { scan, residual: None }).collect()
    })
}
