//! Candidate accesses: for each index the bounds it gives the filter, and the rest that documents are tested by.
//!
//! Of `{a: 5, b: {$gt: 1}, c: 2}` the index `{a: 1, b: 1}` gives the bounds `a: [5, 5]` and `b: (1, inf]`; `c: 2` is
//! the residual filter.
//!
//! Follows the manual's "Multikey Index Bounds" and "Query Plans" pages. Invariants: an index takes
//! part only when its first field has a predicate, or when it provides the sort, or when it was
//! hinted; on a field with arrays one predicate makes the bounds and the others stay filters; of two
//! fields below one array only the first is bounded.

use super::access::{Access, holds_all};
use super::collated::Bounding;
use super::expression;
use super::kinds::geo;
use super::kinds::rules::{self, FieldFacts, LeafBounds, Tightness};
use super::kinds::wildcard;
use super::memory::names_index;
use super::{intersection, union};
use crate::bson::Array;
use crate::catalog::index::GeoKind;
use crate::catalog::index::facts::has_position;
use crate::catalog::{Collection, Index};
use crate::plan::Intervals;
use crate::plan::{Direction, GeoNearPlan, IndexFacts, IndexScanPlan};
use crate::plan::{FieldBounds, IndexBounds};
use crate::query::predicate::near::Near;
use crate::query::{MatchNode, Matcher};
use std::rc::Rc;

/// Every index access worth trying for the filter, in the order of the indexes.
/// `allowed`: the only ones that an index filter leaves.
pub fn enumerate(
    collection: &Collection,
    matcher: &Matcher,
    bounding: &Bounding,
    allowed: Option<Array<'_>>,
) -> Vec<Access> {
    let parts = matcher.root().conjuncts();
    let mut found: Vec<Access> = Vec::new();
    for (position, index) in collection.indexes.iter().enumerate() {
        if is_usable(index, matcher) && is_allowed(index, allowed) {
            let filter = Filter::of(parts, bounding.root(position, matcher.root()));
            found.extend(scans_of(position, index, &filter, false));
        }
    }
    found.extend(intersection::pairs(&found, parts));
    for (position, part) in parts.iter().enumerate() {
        if let MatchNode::Or(branches) = part
            && let Some(branches) =
                or_branches(collection, matcher, bounding, position, branches, allowed)
        {
            let rest: Vec<&MatchNode> = parts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != position)
                .map(|(_, part)| part)
                .collect();
            found.push(any_of(branches, &rest));
        }
    }
    found
}

/// The branches of an `$or` as one access, with the filter's other conjuncts left to test.
fn any_of(mut branches: Vec<Access>, rest: &[&MatchNode]) -> Access {
    if let [Access::Index { scan, residual }] = branches.as_mut_slice() {
        return Access::Index {
            scan: scan.clone(),
            residual: MatchNode::all_of(residual.iter().chain(rest.iter().copied())),
        };
    }
    Access::Or {
        branches,
        residual: MatchNode::all_of(rest.iter().copied()),
    }
}

fn is_allowed(index: &Index, allowed: Option<Array<'_>>) -> bool {
    allowed.is_none_or(|allowed| names_index(allowed, index))
}

fn is_usable(index: &Index, matcher: &Matcher) -> bool {
    !index.definition.hidden
        && index.definition.kind.rules().answers_predicates()
        && holds_all(index, matcher)
}

/// The best access of each branch; `None` when a branch has no index.
pub(super) fn or_branches(
    collection: &Collection,
    matcher: &Matcher,
    bounding: &Bounding,
    part: usize,
    branches: &[MatchNode],
    allowed: Option<Array<'_>>,
) -> Option<Vec<Access>> {
    let found: Option<Vec<Access>> = branches
        .iter()
        .enumerate()
        .map(|(number, branch)| {
            let parts = branch.conjuncts();
            collection
                .indexes
                .iter()
                .enumerate()
                .filter(|(_, index)| {
                    !index.definition.hidden
                        && index.definition.kind.rules().answers_predicates()
                        && is_allowed(index, allowed)
                        && (holds_all(index, matcher)
                            || holds_all(index, &Matcher::from_node(branch.clone())))
                })
                .flat_map(|(position, index)| {
                    let root = bounding.root(position, matcher.root());
                    let bounding = match root.conjuncts().get(part) {
                        Some(MatchNode::Or(branches)) => branches.get(number),
                        _ => None,
                    };
                    let filter = Filter::of(parts, bounding.unwrap_or(branch));
                    scans_of(position, index, &filter, false)
                })
                .max_by_key(merit)
        })
        .collect();
    found.map(|found| union::merge(branches, found))
}

/// A rough measure of how much an access narrows down: bounded fields, single values first.
fn merit(access: &Access) -> (usize, usize, bool) {
    match access {
        Access::Index { scan, residual } => {
            let fields = &scan.bounds.fields;
            let points = fields
                .iter()
                .take_while(|field| field.intervals.all_points())
                .count();
            let bounded = fields
                .iter()
                .filter(|field| !field.intervals.is_full())
                .count();
            (points, bounded, residual.is_none())
        }
        _ => (0, 0, false),
    }
}

/// The scans of the index for the filter, over the whole index where no predicate bounds it; none for a wildcard index
/// of none of the filter's paths.
pub fn whole_scans(
    position: usize,
    index: &Index,
    matcher: &Matcher,
    bounding: &Bounding,
) -> Vec<Access> {
    let parts = matcher.root().conjuncts();
    let filter = Filter::of(parts, bounding.root(position, matcher.root()));
    scans_of(position, index, &filter, true)
}

/// The conjuncts of a filter, and in their places those that the bounds of an index are made of (`collated`).
struct Filter<'n> {
    parts: &'n [MatchNode],
    bounding: &'n [MatchNode],
}

impl<'n> Filter<'n> {
    fn of(parts: &'n [MatchNode], root: &'n MatchNode) -> Self {
        Self {
            parts,
            bounding: root.conjuncts(),
        }
    }
}

/// The scans of one index for the conjuncts: one, or of a wildcard index one for each path.
fn scans_of(
    position: usize,
    index: &Index,
    filter: &Filter<'_>,
    even_unbounded: bool,
) -> Vec<Access> {
    let Some(wildcard) = index.definition.kind.wildcard() else {
        return scan_for(&index.facts(position), filter, even_unbounded)
            .filter(|access| even_unbounded || access.single_scan().is_some_and(tells_place))
            .into_iter()
            .collect();
    };
    let found: Vec<Access> = wildcard::expansions(position, index, wildcard, filter.bounding)
        .iter()
        .filter_map(|facts| scan_for(facts, filter, false))
        .collect();
    if !found.is_empty() {
        return found;
    }
    wildcard::over_prefix(position, index, wildcard)
        .and_then(|facts| scan_for(&facts, filter, false))
        .into_iter()
        .collect()
}

fn tells_place(scan: &IndexScanPlan) -> bool {
    let is_full = |field: usize| {
        { scan.bounds.fields.get(field) }.is_none_or(|bounds| bounds.intervals.is_full())
    };
    scan.index.tells_place(is_full)
}

/// The indexes by which a filter's documents are found by their distance; `position`: the only one that may be.
pub fn near_scans(
    collection: &Collection,
    matcher: &Matcher,
    near: &Rc<Near>,
    bounding: &Bounding,
    allowed: Option<Array<'_>>,
    only: Option<usize>,
) -> Vec<Access> {
    // The predicate itself is the last conjunct.
    let others = |root: &'_ MatchNode| root.conjuncts().len().saturating_sub(1);
    let indexes = collection.indexes.iter().enumerate();
    let serving = indexes.filter(|(position, index)| match only {
        Some(only) => *position == only,
        None => is_usable(index, matcher) && is_allowed(index, allowed),
    });
    serving
        .filter_map(|(position, index)| {
            let facts = index.facts(position);
            let field = geo::near_field(&facts, near)?;
            let (root, bounds) = (matcher.root(), bounding.root(position, matcher.root()));
            let filter = Filter {
                parts: &root.conjuncts()[..others(root)],
                bounding: &bounds.conjuncts()[..others(bounds)],
            };
            let Access::Index { mut scan, residual } = scan_for(&facts, &filter, field == 0)?
            else {
                return None;
            };
            // Of the sphere the stage reads what it needs; the plane it reads within the bounds.
            if matches!(facts.geo, Some(GeoKind::Sphere(_))) {
                let bounds = Rc::make_mut(&mut scan.bounds);
                bounds.fields[field].intervals = Intervals::full();
            }
            Some(Access::Near {
                near: GeoNearPlan {
                    scan,
                    near: Rc::clone(near),
                    field,
                },
                residual,
            })
        })
        .collect()
}

/// All documents of a clustered collection, in the order of their `_id`.
pub fn clustered_scan(
    collection: &Collection,
    matcher: &Matcher,
    direction: Direction,
) -> Option<Access> {
    let index = collection
        .indexes
        .first()
        .filter(|_| collection.is_in_id_order())?;
    let parts = matcher.root().conjuncts();
    let filter = Filter {
        parts,
        bounding: &[],
    };
    let mut access = scan_for(&index.facts(0), &filter, true)?;
    if let Some(scan) = access.single_scan_mut() {
        scan.direction = direction;
    }
    Some(access)
}

/// The scans that visit each value of a field once, with its place in the key: over an index whose bounds decide the
/// whole filter. `unwinds`: items of arrays are values of their own, which only matters where a filter chose their
/// documents; otherwise the field leads an index without arrays.
pub fn distinct_scans(
    collection: &Collection,
    matcher: &Matcher,
    field: &str,
    unwinds: bool,
) -> Vec<(IndexScanPlan, usize)> {
    let indexes = collection.indexes.iter().enumerate();
    let scans = indexes.filter_map(|(position, index)| {
        let definition = &index.definition;
        let place = { definition.fields.iter() }.position(|key| *key.path == *field)?;
        let has_arrays = { index.multikey_paths.get(place) }.is_some_and(|arrays| *arrays != 0);
        let is_all = matcher.is_empty();
        let is_out = match unwinds {
            true if is_all => place > 0,
            true => has_arrays,
            false => place > 0 || index.multikey,
        };
        // Keys hold labels, or compare otherwise than the query does.
        let is_collated = !definition.collation.is_simple() || !matcher.collation().is_simple();
        if is_out
            || is_collated
            || !definition.kind.rules().keys_are_values()
            || definition.kind.is_clustered()
            || !is_usable(index, matcher)
        {
            return None;
        }
        let parts = matcher.root().conjuncts();
        let filter = Filter::of(parts, matcher.root());
        match scan_for(&index.facts(position), &filter, is_all)? {
            Access::Index {
                scan,
                residual: None,
            } if scan.filter.is_none() => Some((scan, place)),
            _ => None,
        }
    });
    scans.collect()
}

struct Chosen {
    intervals: Intervals,
    /// Where an array is on the path: the conjunct that bounds it.
    by: Option<usize>,
    /// Positions of the conjuncts the bounds decide wholly, or on the key.
    exact: Vec<usize>,
    on_key: Vec<usize>,
}

impl Chosen {
    /// The same, of a field whose values bound no scan, but which keys may hold whole.
    fn on_keys_alone(mut self, holds_whole: bool) -> Self {
        self.intervals = Intervals::full();
        self.on_key.append(&mut self.exact);
        if !holds_whole {
            self.on_key.clear();
        }
        self
    }
}

/// The index's scan for the conjuncts; `None` when its first field has no predicate (unless
/// `even_unbounded`).
fn scan_for(index: &Rc<IndexFacts>, filter: &Filter<'_>, even_unbounded: bool) -> Option<Access> {
    let parts = filter.parts;
    let mut exact = Vec::new();
    let mut on_key = Vec::new();
    let mut fields: Vec<FieldBounds> = Vec::with_capacity(index.fields.len());
    // Arrays that bound a field already, and the conjunct that does.
    let mut bounded_arrays: Vec<(&str, usize)> = Vec::new();
    // Where a wildcard index's value is, and whether it is there for its other fields alone.
    let wildcard_value = index.wildcard_field();
    let is_prefix_only =
        wildcard_value.is_some_and(|value| index.fields[value].0 == wildcard::PATH);
    for (field, (name, descending)) in index.fields.iter().enumerate() {
        let arrays = index
            .multikey_paths
            .get(field)
            .map(Vec::as_slice)
            .unwrap_or_default();
        // Below an array that already bounds another field, keys of different elements mix, unless one `$elemMatch`
        // speaks of both.
        let shared: Vec<(&str, usize)> = bounded_arrays
            .iter()
            .copied()
            .filter(|(prefix, _)| arrays.iter().any(|array| array == prefix))
            .collect();
        let only = joint_element(&shared, parts);
        let blocked = !shared.is_empty() && only.is_none();
        let is_out = index.kinds[field].is_path()
            || (is_prefix_only && wildcard_value.is_some_and(|value| field > value));
        let chosen = if blocked || is_out {
            None
        } else {
            bound_field(index, field, name, filter.bounding, only)
        };
        let chosen = chosen.map(|chosen| match geo::keeps_arrays(index, field) {
            true => chosen.on_keys_alone(arrays.is_empty() && index.reads_as_document),
            false => chosen,
        });
        match chosen {
            None if wildcard_value == Some(field) && !is_prefix_only => return None,
            None if field == 0 && !even_unbounded && wildcard_value != Some(1) => return None,
            None => fields.push(FieldBounds {
                name: name.clone(),
                descending: *descending,
                intervals: Intervals::full(),
            }),
            Some(chosen) => {
                if let Some(by) = chosen.by {
                    bounded_arrays.extend(arrays.iter().map(|array| (array.as_str(), by)));
                }
                exact.extend(chosen.exact);
                on_key.extend(chosen.on_key);
                fields.push(FieldBounds {
                    name: name.clone(),
                    descending: *descending,
                    intervals: chosen.intervals,
                });
            }
        }
    }
    let repeats = wildcard_value.is_some_and(|value| wildcard::bound_path(&mut fields, value));
    let key_filter: Vec<&MatchNode> = on_key
        .iter()
        .filter_map(|position| parts.get(*position))
        .collect();
    let residual: Vec<&MatchNode> = parts
        .iter()
        .enumerate()
        .filter(|(position, _)| {
            // A scan of the documents tests them whole.
            index.is_clustered || (!exact.contains(position) && !on_key.contains(position))
        })
        .map(|(_, part)| part)
        .collect();
    let scan = IndexScanPlan {
        index: Rc::clone(index),
        bounds: Rc::new(IndexBounds {
            fields,
            range: None,
        }),
        direction: Direction::Forward,
        repeats,
        filter: MatchNode::all_of(key_filter).map(|node| Rc::new(Matcher::from_node(node))),
    };
    Some(Access::Index {
        scan,
        residual: MatchNode::all_of(residual),
    })
}

/// The `$elemMatch` that bounds every one of these arrays, when each of its matches lies in one element of all of them.
fn joint_element(shared: &[(&str, usize)], parts: &[MatchNode]) -> Option<usize> {
    let (_, by) = *shared.first()?;
    let MatchNode::ElemMatchObject(test) = parts.get(by)? else {
        return None;
    };
    let path = test.path.dotted();
    let holds = |prefix: &str| {
        path.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    shared
        .iter()
        .all(|(prefix, other)| *other == by && holds(prefix))
        .then_some(by)
}

/// `only`: the one conjunct that may bound the field.
fn bound_field(
    index: &IndexFacts,
    field: usize,
    name: &str,
    parts: &[MatchNode],
    only: Option<usize>,
) -> Option<Chosen> {
    let may_bound = |part: &MatchNode| match part {
        MatchNode::ElemMatchObject(_) | MatchNode::Expr(_) => true,
        other => other.path().is_some_and(|path| path.dotted() == name),
    };
    if !parts.iter().any(may_bound) {
        return None;
    }
    let arrays = index
        .multikey_paths
        .get(field)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let is_array = !arrays.is_empty();
    let field_facts = FieldFacts {
        is_array,
        is_sparse: index.is_sparse,
        is_only_field: index.fields.len() == 1,
        has_position: has_position(name),
        kind: index.kinds[field],
        geo: index.geo,
    };
    let mut candidates: Vec<(usize, LeafBounds)> = Vec::new();
    for (position, part) in parts.iter().enumerate() {
        if only.is_none_or(|only| only == position)
            && let Some(bounds) = bounds_of(part, name, 0, arrays, field_facts)
        {
            candidates.push((position, bounds));
        }
    }
    if is_array && candidates.len() > 1 {
        // One predicate may be met by one element and another by the next: only one can bound.
        let best = candidates
            .iter()
            .enumerate()
            .min_by_key(|(_, (_, bounds))| {
                (bounds.intervals.is_full(), !bounds.intervals.all_points())
            })
            .map(|(at, _)| at)?;
        candidates = vec![candidates.swap_remove(best)];
    }
    let by = match candidates.as_slice() {
        [(position, _)] if is_array => Some(*position),
        _ => None,
    };
    let mut intervals: Option<Intervals> = None;
    let mut exact = Vec::new();
    let mut on_key = Vec::new();
    for (position, bounds) in candidates {
        intervals = Some(match intervals {
            None => bounds.intervals,
            Some(before) => before.intersect(&bounds.intervals),
        });
        match bounds.tightness {
            Tightness::Exact => exact.push(position),
            Tightness::Covered if !is_array && index.reads_as_document => on_key.push(position),
            Tightness::Covered | Tightness::Fetch => {}
        }
    }
    intervals.map(|intervals| Chosen {
        intervals,
        by,
        exact,
        on_key,
    })
}

/// The bounds of a predicate on that very path; `$elemMatch` over documents reaches below its own. `walked`: how many
/// bytes of the field's whole path lead to where `name` begins.
fn bounds_of(
    part: &MatchNode,
    name: &str,
    walked: usize,
    arrays: &[String],
    facts: FieldFacts,
) -> Option<LeafBounds> {
    if let MatchNode::Expr(test) = part {
        return expression::bounds(test.expression().node(), name, facts);
    }
    if let MatchNode::ElemMatchObject(test) = part {
        let path = test.path.dotted();
        let below = name.strip_prefix(path)?.strip_prefix('.')?;
        let at = walked + path.len();
        // One element meets all that is asked of it, but of another array below it each may mean another element.
        let is_one = !facts.has_position && arrays.iter().all(|array| array.len() <= at);
        let mut intervals: Option<Intervals> = None;
        for child in test.filter.conjuncts() {
            if let Some(found) = bounds_of(child, below, at + 1, arrays, facts) {
                intervals = Some(match intervals {
                    None => found.intervals,
                    Some(before) if is_one => before.intersect(&found.intervals),
                    Some(before) => before,
                });
            }
        }
        return intervals.map(|intervals| LeafBounds {
            intervals,
            tightness: Tightness::Fetch,
        });
    }
    (part.path()?.dotted() == name).then(|| rules::bounds(part, facts))?
}
