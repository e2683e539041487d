//! GEO_NEAR_2D and GEO_NEAR_2DSPHERE: documents by their distance from a point, nearest first.
//!
//! ```text
//! how far may the nearest document be?   of squares around the point, each twice as wide, the least that has a key
//! ring by ring outwards                  the keys of the cells of a ring ─ FETCH ─ distances
//!                                        those within the ring, in order; those beyond it wait for theirs
//! ```
//!
//! Invariants: a ring reads only keys that no ring before it read, and a document is looked at once; what waits is
//! kept as its number and its distance, and read again when it is given. A ring is twice as wide as the one before when
//! that gave few documents, and half as wide when it gave many.

use super::explain::append_plan;
use super::fetch::Fetch;
use super::index_scan::IndexScan;
use super::record::Record;
use super::record_set::RecordSet;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::algorithms::sorting;
use crate::bson::wording::Plain;
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::index::GeoKind;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::geo::{self, Annulus, Coverer, FlatShape, Grid};
use crate::plan::covering::{flat_intervals, sphere_intervals};
use crate::plan::{GeoNearPlan, IndexScanPlan, Intervals, Plan};
use crate::storage::{PageBytes, Tree};
use std::f64::consts::PI;
use std::rc::Rc;

/// About how many cells cover a ring, and the circle in which a first key is looked for before the first ring.
const MOST_CELLS: usize = 16;
const FEW_CELLS: usize = 4;
/// A ring that gave fewer documents is followed by a wider one, and one that gave more by a narrower one.
const FEW: u64 = 300;
const MANY: u64 = 600;
/// Room for rounding at the borders of a ring, relative to its size, and as an angle.
const ROUNDING: f64 = 1e-14;
/// The average edge of a face of the cube that the sphere's cells are made on.
const FACE_EDGE: f64 = 1.459_213_746_386_106;

/// What the search does next.
enum Search {
    /// Looks for the least of the first squares that has a key, between two.
    Estimating(i32, i32),
    /// Reads the ring that it is at, or goes to the next.
    Reading,
    /// Gives the documents of the ring.
    Giving,
    Done,
}

/// One ring with the stages that read it.
struct Ring {
    inner: f64,
    outer: f64,
    is_last: bool,
    plan: Plan,
    stage: Box<dyn Stage>,
    buffered: u64,
    returned: u64,
}

/// A document that was looked at.
type Found = (f64, RecordId);

/// The search. Distances are in the units of the query.
pub struct GeoNear {
    plan: GeoNearPlan,
    collection: Rc<Collection>,
    tree: Tree,
    search: Search,
    /// The reach of the first square, on the index.
    first: f64,
    /// The most that a distance can be.
    most: f64,
    /// The width of the next ring.
    width: f64,
    rings: Vec<Ring>,
    /// The keys that rings read so far.
    scanned: Intervals,
    seen: RecordSet,
    /// Documents beyond the ring.
    waiting: Vec<Found>,
    /// Documents of the ring, the nearest last.
    ready: Vec<Found>,
    current: Option<(RecordId, PageBytes)>,
    keys_estimated: u64,
    statistics: StageStatistics,
}

impl GeoNear {
    pub fn new(plan: &GeoNearPlan, tree: Tree, collection: &Rc<Collection>) -> Self {
        let most = match (plan.near.is_on_sphere(), plan.scan.index.geo) {
            (true, _) => PI * plan.near.unit(),
            // A little more than the diagonal.
            (false, Some(GeoKind::Flat(grid))) => 1.5 * (grid.max - grid.min),
            (false, _) => f64::MAX,
        };
        let most = most.min(plan.near.max);
        let first = match plan.scan.index.geo {
            Some(GeoKind::Flat(grid)) => (grid.max - grid.min) / 2_f64.powi(grid.bits as i32 - 1),
            _ => FACE_EDGE / 2_f64.powi(Coverer::QUERY.finest as i32),
        };
        let mut search = Self {
            plan: plan.clone(),
            collection: Rc::clone(collection),
            tree,
            search: Search::Done,
            first,
            most,
            width: 0.0,
            rings: Vec::new(),
            scanned: Intervals::none(),
            seen: RecordSet::default(),
            waiting: Vec::new(),
            ready: Vec::new(),
            current: None,
            keys_estimated: 0,
            statistics: StageStatistics::default(),
        };
        let squares = (0..1100).take_while(|square| search.reach(*square) < most);
        search.search = Search::Estimating(0, squares.count() as i32);
        search
    }

    /// The keys of all that lies between two distances from the point.
    fn keys(
        &self,
        inner: f64,
        outer: f64,
        most_cells: usize,
        context: &ExecContext<'_>,
    ) -> Result<Intervals, CommandError> {
        let near = &self.plan.near;
        let unit = near.unit();
        Ok(match self.plan.scan.index.geo {
            Some(GeoKind::Flat(grid)) => {
                let (inner, outer) = match near.is_on_sphere() {
                    // A degree of longitude is shorter away from the equator.
                    true => {
                        let (inner, outer) =
                            ((inner / unit).to_degrees(), (outer / unit).to_degrees());
                        let wide = self.degrees_around(outer);
                        ((inner - wide).max(0.0), outer + wide)
                    }
                    false => (inner, outer),
                };
                let slack = ROUNDING * (near.center.x.abs() + near.center.y.abs() + outer);
                let region = FlatShape::Annulus {
                    center: [near.center.x, near.center.y],
                    inner: (inner - slack).max(0.0),
                    outer: outer + slack,
                };
                flat_intervals(&grid.cover(&region, most_cells, context.env)?)
            }
            Some(GeoKind::Sphere(levels)) => {
                let region = Annulus::new(
                    near.center,
                    (inner / unit * (1.0 - ROUNDING) - ROUNDING).max(0.0),
                    (outer / unit * (1.0 + ROUNDING) + ROUNDING).min(PI),
                );
                let coverer = Coverer {
                    max_cells: most_cells,
                    ..Coverer::QUERY
                };
                let cells = geo::cover(&region, &coverer, context.env)?;
                sphere_intervals(&cells, &levels)
            }
            None => Intervals::none(),
        })
    }

    /// How many degrees of longitude a distance in degrees may be around the point.
    fn degrees_around(&self, degrees: f64) -> f64 {
        let latitude = self.plan.near.center.y;
        let north = (latitude + degrees).min(89.0).to_radians().cos();
        let south = (latitude - degrees).max(-89.0).to_radians().cos();
        degrees / north.min(south)
    }

    /// A scan of these keys of the index, within the bounds of the plan.
    fn scan(&self, keys: &Intervals) -> IndexScanPlan {
        let mut scan = self.plan.scan.clone();
        if let Some(field) = Rc::make_mut(&mut scan.bounds)
            .fields
            .get_mut(self.plan.field)
        {
            field.intervals = field.intervals.intersect(keys);
        }
        scan
    }

    /// How far a distance on the index reaches in the units of the query.
    fn in_units(&self, distance: f64) -> f64 {
        let near = &self.plan.near;
        match self.plan.scan.index.geo {
            Some(GeoKind::Flat(_)) if near.is_on_sphere() => distance.to_radians() * near.unit(),
            _ => distance * near.unit(),
        }
    }

    /// How far one of the squares of the first search reaches.
    fn reach(&self, square: i32) -> f64 {
        self.in_units(self.first * 2_f64.powi(square))
    }

    /// Looks for a key in the square in the middle, and goes on with one half of them.
    fn estimate(
        &mut self,
        low: i32,
        high: i32,
        context: &ExecContext<'_>,
    ) -> Result<(), CommandError> {
        if let (Some(GeoKind::Flat(grid)), true) =
            (self.plan.scan.index.geo, self.keys_estimated == 0)
        {
            check_inside(&grid, self.plan.near.center.x, self.plan.near.center.y)?;
        }
        if low < high {
            let square = (low + high) / 2;
            let keys = self.keys(0.0, self.reach(square), FEW_CELLS, context)?;
            let mut scan = IndexScan::new(&self.tree, &self.scan(&keys), false);
            self.search = if scan.advance(context)? {
                Search::Estimating(low, square)
            } else {
                Search::Estimating(square + 1, high)
            };
            self.keys_estimated += scan.examined().0;
            return Ok(());
        }
        let least = match self.plan.scan.index.geo {
            Some(GeoKind::Flat(grid)) => self.in_units(grid.error() / 2.0),
            _ => 0.0,
        };
        // Within three times the distance of one there may be some dozens.
        self.width = (3.0 * self.reach(low)).max(least);
        self.search = Search::Reading;
        Ok(())
    }

    /// Goes to the next ring; false behind the last.
    fn next_ring(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let inner = match self.rings.last() {
            None => self.plan.near.min,
            Some(last) if last.is_last => return Ok(false),
            Some(last) => {
                if last.returned < FEW {
                    self.width *= 2.0;
                } else if last.returned > MANY {
                    self.width /= 2.0;
                }
                last.outer
            }
        };
        if inner > self.most {
            return Ok(false);
        }
        let outer = (inner + self.width).min(self.most);
        let keys = self.keys(inner, outer, MOST_CELLS, context)?;
        let fresh = keys.intersect(&self.scanned.complement());
        self.scanned = std::mem::take(&mut self.scanned).union(keys);
        let scan = self.scan(&fresh);
        let stage = IndexScan::new(&self.tree, &scan, false);
        let stage = Fetch::new(Box::new(stage), Rc::clone(&self.collection), None);
        self.rings.push(Ring {
            inner,
            outer,
            is_last: outer == self.most,
            plan: Plan::Fetch {
                input: Box::new(Plan::IndexScan(scan)),
                filter: None,
            },
            stage: Box::new(stage),
            buffered: 0,
            returned: 0,
        });
        Ok(true)
    }

    /// Looks at one more document of the ring.
    fn read(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let Some(ring) = self.rings.last_mut() else {
            return Ok(Progress::Done);
        };
        match ring.stage.work(context)? {
            Progress::NeedTime => return Ok(Progress::NeedTime),
            Progress::Done => {
                self.sort_ring();
                self.search = Search::Giving;
                return Ok(Progress::NeedTime);
            }
            Progress::Advanced => {}
        }
        let record = ring.stage.current();
        let Some(record_id) = record.record_id.filter(|id| self.seen.insert(*id)) else {
            return Ok(Progress::NeedTime);
        };
        let distance = self.plan.near.distance(record.document(), context.env)?;
        ring.buffered += 1;
        if let Some((distance, _)) = distance
            && distance >= self.plan.near.min
            && distance <= self.most
        {
            self.waiting.push((distance, record_id));
        }
        Ok(Progress::NeedTime)
    }

    /// Takes the documents of the ring out of those that wait, and puts them in order.
    fn sort_ring(&mut self) {
        let Some(ring) = self.rings.last() else {
            return;
        };
        let (outer, is_last) = (ring.outer, ring.is_last);
        let ready = &mut self.ready;
        self.waiting.retain(|found| {
            let is_inside = is_last || found.0 < outer;
            if is_inside {
                ready.push(*found);
            }
            !is_inside
        });
        sorting::sort_by(ready, &mut |one, other| {
            other.0.total_cmp(&one.0).then(other.1.cmp(&one.1))
        });
    }

    /// Gives the next document of the ring.
    fn give(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let Some((_, record_id)) = self.ready.pop() else {
            self.search = match self.next_ring(context)? {
                true => Search::Reading,
                false => Search::Done,
            };
            return Ok(Progress::NeedTime);
        };
        let records = &self.collection.records;
        let Some(bytes) = records.get(context.pager, &record_id.to_bytes())? else {
            return Ok(Progress::NeedTime);
        };
        self.current = Some((record_id, bytes));
        if let Some(ring) = self.rings.last_mut() {
            ring.returned += 1;
        }
        Ok(Progress::Advanced)
    }

    fn step(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        context.env.checkpoint()?;
        match self.search {
            Search::Estimating(low, high) => {
                self.estimate(low, high, context)?;
                if matches!(self.search, Search::Reading) && !self.next_ring(context)? {
                    self.search = Search::Done;
                }
                Ok(Progress::NeedTime)
            }
            Search::Reading => self.read(context),
            Search::Giving => self.give(context),
            Search::Done => Ok(Progress::Done),
        }
    }
}

/// Refuses a point that an index over a part of the plane does not have.
fn check_inside(grid: &Grid, x: f64, y: f64) -> Result<(), CommandError> {
    match grid.hash(x, y) {
        Some(_) => Ok(()),
        None => Err(CommandError::location(
            16433,
            format!(
                "{} :: caused by :: [ {}, {} ]",
                grid.outside(),
                Plain(x),
                Plain(y)
            ),
        )),
    }
}

impl Stage for GeoNear {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        match &self.current {
            None => Record::default(),
            Some((record_id, bytes)) => Record {
                document: Some(Document::from_valid_bytes(bytes)),
                record_id: Some(*record_id),
                ..Record::default()
            },
        }
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.step(context)?;
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        self.rings.iter().map(|ring| ring.stage.as_ref()).collect()
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.begin_array("searchIntervals");
        for (position, ring) in self.rings.iter().enumerate() {
            builder
                .begin_document(&position.to_string())
                .append("minDistance", ring.inner)
                .append("maxDistance", ring.outer)
                .append("maxInclusive", ring.is_last)
                .append_integer("nBuffered", ring.buffered as i64)
                .append_integer("nReturned", ring.returned as i64)
                .end();
        }
        builder.end();
        builder.begin_array("inputStages");
        for (position, ring) in self.rings.iter().enumerate() {
            builder.begin_document(&position.to_string());
            append_plan(&ring.plan, Some(&*ring.stage), builder);
            builder.end();
        }
        builder.end();
    }

    fn examined(&self) -> (u64, u64) {
        (self.keys_estimated, 0)
    }
}
