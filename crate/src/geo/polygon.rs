//! Polygons on the sphere: a shell and holes in it, or all outside of one ring, and how they lie to places, lines and
//! each other.
//!
//! A line is cut at the borders of a polygon, as S2 does it: it is within where one piece is left that is all of it,
//! and it meets where any piece is left. So a line that touches a polygon from outside doesn't meet it.

use super::edge::{self, Meeting, Path};
use super::ring::{Relation, Ring};
use super::vector::{Vector, angle, cross};
use crate::algorithms::sorting;
use crate::env::Env;
use crate::error::CommandError;

/// A polygon.
#[derive(Debug, Clone)]
pub struct Polygon {
    /// The shell, then the holes in it, of which none is in another.
    pub rings: Vec<Ring>,
    /// Whether it came with strict winding: there are no holes then, and a border belongs to no side.
    pub strict: bool,
    /// Whether it is all outside of the shell, which has more room than a hemisphere.
    pub outside: bool,
}

/// Pieces of a line that are nearer than this to each other are one.
const JOIN: f64 = 1.5e-15;
/// A line is within a polygon if what is left of it lacks no more than this at its ends: 1e-10 degrees.
const LACK: f64 = 1.745_329_251_994_33e-12;

impl Polygon {
    /// A polygon without holes.
    pub fn of(shell: Ring) -> Self {
        Self {
            rings: vec![shell],
            strict: false,
            outside: false,
        }
    }

    /// Makes many later questions cheap.
    pub fn prepare(&mut self) {
        self.rings.iter_mut().for_each(Ring::prepare);
    }

    pub fn shell(&self) -> &Ring {
        &self.rings[0]
    }

    fn holes(&self) -> &[Ring] {
        &self.rings[1..]
    }

    /// Whether a place is inside, borders left out.
    pub fn contains(&self, place: &Vector) -> bool {
        self.shell().contains(place) != self.outside
            && !self.holes().iter().any(|hole| hole.contains(place))
    }

    /// Whether a place is inside, or its leaf cell touches the border.
    pub fn touches(&self, place: &Vector) -> bool {
        self.contains(place) || self.rings.iter().any(|ring| ring.touches_leaf(place))
    }

    /// Whether all of another polygon is inside. The other isn't the outside of its shell.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn holds(&self, other: &Polygon, env: &dyn Env) -> Result<bool, CommandError> {
        if self.outside {
            return Ok(!meets_plain(self.shell(), self.holes(), other, env)?);
        }
        match self.shell().relation(other.shell(), env)? {
            Relation::Holds | Relation::Equal => {}
            _ => return Ok(false),
        }
        for hole in self.holes() {
            let is_filled = match hole.relation(other.shell(), env)? {
                Relation::Disjoint => false,
                Relation::IsHeld => !lies_in_one(hole, other.holes(), env)?,
                _ => true,
            };
            if is_filled {
                return Ok(false);
            }
        }
        for hole in other.holes() {
            if self.shell().relation(hole, env)? == Relation::Cross {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether another polygon has room in common with this. The other isn't the outside of its shell.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn meets(&self, other: &Polygon, env: &dyn Env) -> Result<bool, CommandError> {
        if self.outside {
            return Ok(!matches!(
                self.shell().relation(other.shell(), env)?,
                Relation::Holds | Relation::Equal
            ));
        }
        meets_plain(self.shell(), self.holes(), other, env)
    }

    /// Whether all of a line is inside.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn holds_line(&self, line: &[Vector], env: &dyn Env) -> Result<bool, CommandError> {
        if self.strict {
            return Ok(self.pieces(line, false, env)?.is_empty());
        }
        let pieces = self.pieces(line, true, env)?;
        Ok(match (&pieces[..], line) {
            ([(from, to)], [first, .., last]) => {
                angle(from, first) <= LACK && angle(to, last) <= LACK
            }
            _ => false,
        })
    }

    /// Whether a part of a line is inside.
    ///
    /// # Errors
    /// `Env::checkpoint`'s.
    pub fn meets_line(&self, line: &[Vector], env: &dyn Env) -> Result<bool, CommandError> {
        if self.strict {
            let is_inside = line.first().is_some_and(|place| self.contains(place));
            return Ok(is_inside || paths_meet(self.shell().path(), open_path(line), env)?);
        }
        Ok(!self.pieces(line, true, env)?.is_empty())
    }

    /// The pieces of a line that are inside, or outside, from where to where.
    fn pieces(
        &self,
        line: &[Vector],
        inside: bool,
        env: &dyn Env,
    ) -> Result<Vec<(Vector, Vector)>, CommandError> {
        let path = open_path(line);
        let mut pieces: Vec<(Vector, Vector)> = Vec::new();
        let Some(first) = line.first() else {
            return Ok(pieces);
        };
        // Where each edge of the line changes sides.
        let mut cuts: Vec<(usize, f64, Vector)> = Vec::new();
        for (number, ring) in self.rings.iter().enumerate() {
            edge::near_pairs(path, ring.path(), env, &mut |one, two| {
                let (a, b) = path.edge(one);
                let (mut c, mut d) = ring.path().edge(two);
                if number > 0 {
                    (c, d) = (d, c);
                }
                match edge::meeting_from(&cross(a, b), a, b, c, d) {
                    Meeting::Cross => {
                        let (place, part) = edge::crossing_place(a, b, c, d);
                        cuts.push((one, part, place));
                    }
                    Meeting::AtEnds if edge::crosses_at_end(a, b, c, d) => {
                        let at_start = a == c || a == d;
                        let cut = if at_start { (0.0, *a) } else { (1.0, *b) };
                        cuts.push((one, cut.0, cut.1));
                    }
                    _ => {}
                }
                false
            })?;
        }
        sorting::sort_asking(env, &mut cuts, &mut |left, right| {
            left.0.cmp(&right.0).then(left.1.total_cmp(&right.1))
        })?;
        let mut is_in = self.contains(first) == inside;
        let mut cuts = cuts.iter().peekable();
        for index in 0..path.count() {
            env.checkpoint()?;
            let (a, b) = path.edge(index);
            let mut from = is_in.then_some(*a);
            let mut piece = |from: Vector, to: Vector| {
                match pieces.last_mut() {
                    Some(last) if angle(&last.1, &from) <= JOIN => last.1 = to,
                    _ => pieces.push((from, to)),
                };
            };
            while let Some((_, _, place)) = cuts.next_if(|cut| cut.0 == index) {
                match from.take() {
                    Some(start) if start == *place => {}
                    Some(start) => piece(start, *place),
                    None => from = Some(*place),
                }
            }
            is_in = from.is_some();
            if let Some(start) = from
                && start != *b
            {
                piece(start, *b);
            }
        }
        Ok(pieces)
    }
}

fn lies_in_one(ring: &Ring, others: &[Ring], env: &dyn Env) -> Result<bool, CommandError> {
    for other in others {
        if matches!(
            other.relation(ring, env)?,
            Relation::Holds | Relation::Equal
        ) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn meets_plain(
    shell: &Ring,
    holes: &[Ring],
    other: &Polygon,
    env: &dyn Env,
) -> Result<bool, CommandError> {
    Ok(match shell.relation(other.shell(), env)? {
        Relation::Disjoint => false,
        Relation::Holds => !lies_in_one(other.shell(), holes, env)?,
        Relation::IsHeld => !lies_in_one(shell, other.holes(), env)?,
        Relation::Equal | Relation::Cross => true,
    })
}

/// The edges of a line.
pub fn open_path(places: &[Vector]) -> Path<'_> {
    Path {
        places,
        closed: false,
    }
}

/// Whether an edge of one path meets an edge of the other.
///
/// # Errors
/// `Env::checkpoint`'s.
pub fn paths_meet(one: Path<'_>, other: Path<'_>, env: &dyn Env) -> Result<bool, CommandError> {
    let mut met = false;
    edge::near_pairs(one, other, env, &mut |index, second| {
        let (a, b) = one.edge(index);
        let (c, d) = other.edge(second);
        met = edge::meeting(a, b, c, d) != Meeting::Apart;
        met
    })?;
    Ok(met)
}
