//! Puts sort, skip, projection and limit on top of an access, in the server's order:
//! `LIMIT(PROJECTION(SKIP(SORT(FETCH(IXSCAN)))))`, with documents fetched as late as possible.

use super::access::Access;
use super::ordering;
use super::request::QueryRequest;
use crate::bson::ValueRef;
use crate::expr::MetaKind;
use crate::plan::{Direction, IndexScanPlan, Plan, ProjectionKind, ShownSortKey};
use crate::query::{Matcher, SortPattern};
use std::rc::Rc;

/// Completes an access into a whole plan.
pub fn finish(mut access: Access, request: &QueryRequest) -> Plan {
    let provided = match (&request.sort, access.single_scan()) {
        (Some(sort), Some(scan)) => ordering::provides(scan, sort, &request.matcher),
        _ => None,
    };
    if let (Some(direction), Some(scan)) = (provided, access.single_scan_mut()) {
        scan.direction = direction;
    }
    let blocking = request.sort.is_some() && provided.is_none();
    if blocking && let Some(merged) = merge_sorted(&access, request) {
        return window(merged, request, true, None);
    }
    if access.needs_documents() {
        let plan = access.fetched_plan(&request.matcher, request.tailable);
        return shape_sorted(plan, request, blocking);
    }
    let saving = with_saving_projection(&access, request);
    let request = saving.as_ref().unwrap_or(request);
    let covered = is_covered(&access, request).then_some(ProjectionKind::Covered);
    let mut plan = access.bare_plan();
    let from_key = covered.is_some() || request.return_key || request.count_only;
    if let (Some(sort), true) = (&request.sort, blocking) {
        if !access
            .single_scan()
            .is_some_and(|scan| ordering::covers(scan, sort))
        {
            plan = Plan::Fetch {
                input: Box::new(plan),
                filter: None,
            };
            return shape_sorted(plan, request, blocking);
        }
        plan = sorted(plan, request, sort);
    }
    // Rows that are skipped need not be read.
    if request.skip > 0 {
        plan = Plan::Skip {
            input: Box::new(plan),
            skip: request.skip,
        };
    }
    if !from_key {
        plan = Plan::Fetch {
            input: Box::new(plan),
            filter: None,
        };
    }
    let unskipped = QueryRequest {
        skip: 0,
        ..request.clone()
    };
    window(plan, &unskipped, !blocking, covered)
}

/// Puts sort, skip, projection and limit on top of rows that have their documents.
pub fn shape(plan: Plan, request: &QueryRequest) -> Plan {
    shape_sorted(plan, request, request.sort.is_some())
}

fn shape_sorted(mut plan: Plan, request: &QueryRequest, blocking: bool) -> Plan {
    if let (Some(sort), true) = (&request.sort, blocking) {
        plan = sorted(plan, request, sort);
    }
    window(plan, request, !blocking, None)
}

fn sorted(plan: Plan, request: &QueryRequest, sort: &Rc<SortPattern>) -> Plan {
    let plan = match (request.matcher.near(), sort.distances()) {
        (Some(near), Some(metadata)) => Plan::Metadata {
            input: Box::new(plan),
            metadata,
            sort: None,
            near: Some(Rc::clone(near)),
            is_shown: false,
        },
        _ => plan,
    };
    Plan::Sort {
        input: Box::new(plan),
        pattern: Rc::clone(sort),
        limit: request.sort_limit(),
        unbounded: request.allow_disk_use,
    }
}

/// Skip, projection and (unless a sort already took it) limit.
fn window(
    mut plan: Plan,
    request: &QueryRequest,
    limited: bool,
    covered: Option<ProjectionKind>,
) -> Plan {
    if request.skip > 0 {
        plan = Plan::Skip {
            input: Box::new(plan),
            skip: request.skip,
        };
    }
    plan = with_output(plan, request, covered);
    match request.limit {
        Some(limit) if limited => Plan::Limit {
            input: Box::new(plan),
            limit,
        },
        _ => plan,
    }
}

/// Adds the stage that turns a row into the document of the reply: a projection, or `returnKey`.
pub fn with_output(plan: Plan, request: &QueryRequest, covered: Option<ProjectionKind>) -> Plan {
    match request.return_key {
        true => with_return_key(plan, request),
        false => with_projection(plan, request, covered),
    }
}

/// A plan that gives index keys. Beside the key it shows only the sort keys that a projection asks for.
#[inline(never)]
fn with_return_key(plan: Plan, request: &QueryRequest) -> Plan {
    let shown = request
        .projection
        .as_ref()
        .map(|projection| projection.to_bson());
    let names: Vec<Box<str>> = { shown.iter().flat_map(|shown| shown.as_document().iter()) }
        .filter(|field| {
            let asked = field.value.as_document().map(|asked| asked.get("$meta"));
            asked.and_then(ValueRef::as_str) == Some(MetaKind::SORT_KEY.name())
        })
        .map(|field| field.name.into())
        .collect();
    let metadata = request.metadata.as_ref().filter(|_| !names.is_empty());
    let sort_key = metadata.map(|metadata| ShownSortKey {
        fields: names.into(),
        metadata: Rc::clone(metadata),
    });
    Plan::ReturnKey {
        input: Box::new(match sort_key {
            Some(_) => with_metadata(plan, request),
            None => plan,
        }),
        sort_key,
    }
}

fn with_projection(plan: Plan, request: &QueryRequest, covered: Option<ProjectionKind>) -> Plan {
    let plan = with_metadata(plan, request);
    let Some(projection) = &request.projection else {
        return with_reads(plan, request);
    };
    Plan::Project {
        input: Box::new(plan),
        projection: Rc::clone(projection),
        kind: covered.unwrap_or(ProjectionKind::Document),
    }
}

fn with_metadata(plan: Plan, request: &QueryRequest) -> Plan {
    match &request.metadata {
        None => plan,
        Some(metadata) => Plan::Metadata {
            is_shown: metadata.wants(MetaKind::SORT_KEY) && !plan.is_blocking(),
            input: Box::new(plan),
            metadata: Rc::clone(metadata),
            sort: request.sort.clone(),
            near: request.matcher.near().cloned(),
        },
    }
}

/// Names the fields that are read of each document.
pub fn with_reads(plan: Plan, request: &QueryRequest) -> Plan {
    let Some(projection) = &request.reads else {
        return plan;
    };
    Plan::Project {
        input: Box::new(plan),
        projection: Rc::clone(projection),
        kind: ProjectionKind::Read,
    }
}

/// The request with its saving projection made, when the access covers it.
fn with_saving_projection(access: &Access, request: &QueryRequest) -> Option<QueryRequest> {
    let projection = request.reads.clone()?;
    let saving = QueryRequest {
        projection: Some(projection),
        ..request.clone()
    };
    is_covered(access, &saving).then_some(saving)
}

/// Whether the projection can be answered from the index key alone.
fn is_covered(access: &Access, request: &QueryRequest) -> bool {
    let (Some(projection), Some(scan)) = (&request.projection, access.single_scan()) else {
        return false;
    };
    let plain: Vec<&str> = scan.index.plain_fields().collect();
    scan.index.reads_as_document && projection.is_covered_by(&plain)
}

/// An `$or` whose branches each come in the wanted order, or an `$in` with a sort behind it, is
/// merged instead of sorted.
fn merge_sorted(access: &Access, request: &QueryRequest) -> Option<Plan> {
    let sort = request.sort.as_ref()?;
    let (branches, residual) = match access {
        Access::Or { branches, residual } => (branches.clone(), residual.clone()),
        Access::Index { scan, residual } => (explode(scan)?, residual.clone()),
        Access::And { .. }
        | Access::Near { .. }
        | Access::Collection { .. }
        | Access::Text { .. } => return None,
    };
    let mut inputs = Vec::with_capacity(branches.len());
    for mut branch in branches {
        let direction = ordering::provides(branch.single_scan()?, sort, &request.matcher)?;
        branch.single_scan_mut()?.direction = direction;
        inputs.push(branch);
    }
    let covered = inputs.iter().all(|branch| {
        !branch.needs_documents()
            && branch
                .single_scan()
                .is_some_and(|scan| ordering::covers(scan, sort))
    });
    if covered {
        let merged = Plan::MergeSort {
            inputs: inputs.iter().map(Access::bare_plan).collect(),
            pattern: Rc::clone(sort),
        };
        let filter = residual.map(|node| Rc::new(Matcher::from_node(node)));
        return Some(Plan::Fetch {
            input: Box::new(merged),
            filter,
        });
    }
    let inputs = inputs
        .iter()
        .map(|branch| branch.fetched_plan(&request.matcher, false))
        .collect();
    let merged = Plan::MergeSort {
        inputs,
        pattern: Rc::clone(sort),
    };
    match residual {
        None => Some(merged),
        Some(node) => Some(Plan::Fetch {
            input: Box::new(merged),
            filter: Some(Rc::new(Matcher::from_node(node))),
        }),
    }
}

/// The most scans that one scan over several single values is taken apart into.
const MOST_SCANS: usize = 200;

/// Takes a scan over several single values apart into one scan for each, so that the fields behind the values in the
/// key stay in order.
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
                        crate::plan::Intervals::one(interval.clone());
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
        scans
            .into_iter()
            .map(|scan| Access::Index {
                scan,
                residual: None,
            })
            .collect()
    })
}
