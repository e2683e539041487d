//! The cells of the sphere: S2's numbers, thirty levels along a Hilbert curve on each face of a cube.

use super::edge;
use super::vector::{Vector, chord, from_degrees, largest, negated, plus, to_degrees, unit};

/// The number of a cell: three bits of the face, two bits a level, one bit that ends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellId(pub u64);

/// Leaf cells along a side of a face.
const SIDE: i64 = 1 << CellId::LEAF_LEVEL;

/// The position along the curve of the quarter `2 * i + j`, for each of the four ways in which the curve can lie.
const ALONG: [[u64; 4]; 4] = [[0, 1, 3, 2], [0, 3, 1, 2], [2, 3, 1, 0], [2, 1, 3, 0]];
/// The other way round: the quarter at a position.
const QUARTERS: [[u64; 4]; 4] = [[0, 1, 3, 2], [0, 2, 3, 1], [3, 2, 0, 1], [3, 1, 0, 2]];
/// How the curve is turned in the quarter at a position.
const TURNS: [u64; 4] = [1, 0, 0, 3];

impl CellId {
    /// How deep leaf cells are.
    pub const LEAF_LEVEL: u32 = 30;

    /// The leaf cell at a longitude and a latitude in degrees.
    pub fn at(longitude: f64, latitude: f64) -> Self {
        Self::of_place(&from_degrees(longitude, latitude))
    }

    /// The leaf cell of a place.
    pub(super) fn of_place(place: &Vector) -> Self {
        let (face, u, v) = on_cube(place);
        Self::leaf(face, leaf_index(u), leaf_index(v))
    }

    /// A leaf cell by its place on a face, or beyond its sides: the cell there on the next face.
    fn leaf(face: u64, i: i64, j: i64) -> Self {
        let (mut face, mut i, mut j) = (face, i, j);
        let inside = 0..SIDE;
        if !(inside.contains(&i) && inside.contains(&j)) {
            // Just beyond the side, where the projection of no face matters.
            let step = 1.0 / SIDE as f64;
            let beyond = |index: i64| step * (2 * (index.clamp(-1, SIDE)) + 1 - SIDE) as f64;
            let (next, u, v) = on_cube(&from_cube(face, beyond(i), beyond(j)));
            let index = |at: f64| (((at + 1.0) / step / 2.0) as i64).clamp(0, SIDE - 1);
            (face, i, j) = (next, index(u), index(v));
        }
        let mut id = face;
        let mut turned = face & 1;
        for level in (0..Self::LEAF_LEVEL).rev() {
            let quarter = ((i >> level) & 1) << 1 | ((j >> level) & 1);
            let position = ALONG[turned as usize][quarter as usize];
            id = id << 2 | position;
            turned ^= TURNS[position as usize];
        }
        Self(id << 1 | 1)
    }

    /// The whole face of the cube.
    pub(super) fn of_face(face: u64) -> Self {
        Self(face << 61 | 1 << 60)
    }

    /// The bit that ends the number.
    fn end(self) -> u64 {
        self.0 & self.0.wrapping_neg()
    }

    fn end_of(level: u32) -> u64 {
        1 << (2 * (Self::LEAF_LEVEL - level.min(Self::LEAF_LEVEL)))
    }

    /// 0 for the faces of the cube, 30 for leaf cells.
    pub fn level(self) -> u32 {
        Self::LEAF_LEVEL.saturating_sub(self.0.trailing_zeros() / 2)
    }

    /// The cell of a coarser level that it is in.
    pub fn parent(self, level: u32) -> Self {
        let end = Self::end_of(level);
        Self(self.0 & end.wrapping_neg() | end)
    }

    /// The four cells of the next level in it, in the order of the curve; a leaf cell has none.
    pub(super) fn children(self) -> [u64; 4] {
        let end = self.end() >> 2;
        let first = self.0 - 3 * end;
        [first, first + 2 * end, first + 4 * end, first + 6 * end]
    }

    /// The first and the last leaf cell in it: the keys of an index of version 3 that lie in it.
    pub fn range(self) -> (u64, u64) {
        let others = self.end().wrapping_sub(1);
        (self.0.wrapping_sub(others), self.0.wrapping_add(others))
    }

    /// Whether another cell is in it, or is it.
    pub fn holds(self, other: Self) -> bool {
        let (first, last) = self.range();
        (first..=last).contains(&other.0)
    }

    /// The key of indexes of version 3: the number as a signed one.
    pub fn key(self) -> i64 {
        self.0 as i64
    }

    /// The key of indexes of versions 1 and 2: the face, `f`, a digit a level.
    pub fn key_text(self) -> String {
        let digit = |at: u64| char::from(b'0' + at as u8);
        let mut text = String::from(digit(self.0 >> 61));
        text.push('f');
        for level in 0..self.level() {
            text.push(digit((self.0 >> (59 - 2 * level)) & 3));
        }
        text
    }

    /// The cells of a level around the corner that is nearest to this leaf cell, each once: they hold all that is
    /// nearer to it than half their width.
    pub(super) fn around_corner(self, level: u32) -> Vec<Self> {
        let (face, i, j) = self.indexes();
        let size = 1_i64 << (Self::LEAF_LEVEL - level);
        let toward = |index: i64| {
            if index & (size >> 1) != 0 {
                size
            } else {
                -size
            }
        };
        let mut cells = Vec::with_capacity(4);
        for (di, dj) in [
            (0, 0),
            (toward(i), 0),
            (0, toward(j)),
            (toward(i), toward(j)),
        ] {
            let cell = Self::leaf(face, i + di, j + dj).parent(level);
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        cells
    }

    /// The face, and the lowest leaf cell's place on it.
    fn indexes(self) -> (u64, i64, i64) {
        let face = self.0 >> 61;
        let (mut i, mut j, mut turned) = (0, 0, face & 1);
        let level = self.level();
        for depth in 0..level {
            let position = (self.0 >> (59 - 2 * depth)) & 3;
            let quarter = QUARTERS[turned as usize][position as usize] as i64;
            turned ^= TURNS[position as usize];
            i = i << 1 | quarter >> 1;
            j = j << 1 | quarter & 1;
        }
        let finer = Self::LEAF_LEVEL - level;
        (face, i << finer, j << finer)
    }

    /// The corners as longitude and latitude in degrees, against the clock: for drawing.
    pub fn corners(self) -> [(f64, f64); 4] {
        Cell::new(self).corners.map(|corner| to_degrees(&corner))
    }
}

/// A cell and its corners.
#[derive(Debug, Clone)]
pub struct Cell {
    pub id: CellId,
    /// Against the clock.
    pub(super) corners: [Vector; 4],
}

impl Cell {
    pub fn new(id: CellId) -> Self {
        let (face, i, j) = id.indexes();
        let size = 1_i64 << (CellId::LEAF_LEVEL - id.level());
        let corner = |di: i64, dj: i64| {
            let at = |index: i64| on_side(index as f64 / SIDE as f64);
            unit(&from_cube(face, at(i + di), at(j + dj)))
        };
        Self {
            id,
            corners: [
                corner(0, 0),
                corner(size, 0),
                corner(size, size),
                corner(0, size),
            ],
        }
    }

    pub(super) fn center(&self) -> Vector {
        let [a, b, c, d] = &self.corners;
        unit(&plus(&plus(a, b, 1.0), &plus(c, d, 1.0), 1.0))
    }

    pub(super) fn holds(&self, place: &Vector) -> bool {
        self.id.holds(CellId::of_place(place))
    }

    /// Whether a place is in the cell or on its border, which it shares with its neighbours.
    pub(super) fn reaches(&self, place: &Vector) -> bool {
        let (face, i, j) = self.id.indexes();
        let size = 1_i64 << (CellId::LEAF_LEVEL - self.id.level());
        let is_between = |at: f64, index: i64| {
            let side = |index: i64| on_side(index as f64 / SIDE as f64);
            (side(index)..=side(index + size)).contains(&at)
        };
        let is_before = (place[face as usize % 3] < 0.0) == (face > 2);
        let (u, v) = on_face(face, place);
        self.holds(place) || is_before && is_between(u, i) && is_between(v, j)
    }

    /// The squared chord between a place and the nearest place of the cell.
    pub(super) fn nearest(&self, place: &Vector) -> f64 {
        let mut least = f64::MAX;
        for (at, corner) in self.corners.iter().enumerate() {
            // The nearest place is on an edge that has the other place at its right.
            least = least.min(edge::chord_beyond(
                place,
                corner,
                &self.corners[(at + 1) & 3],
            ));
        }
        if least == f64::MAX { 0.0 } else { least }
    }

    /// The squared chord between a place and the farthest place of the cell.
    pub(super) fn farthest(&self, place: &Vector) -> f64 {
        let most = (self.corners.iter())
            .map(|corner| chord(corner, place))
            .fold(0.0, f64::max);
        // A quarter of a turn away and farther, edges bend outwards.
        if most < 2.0 {
            most
        } else {
            4.0 - self.nearest(&negated(place))
        }
    }
}

/// A place on the side of a face, 0 to 1 in leaf cells, as -1 to 1 on the cube: cells are of about the same size
/// then.
fn on_side(at: f64) -> f64 {
    if at >= 0.5 {
        (4.0 * at * at - 1.0) / 3.0
    } else {
        (1.0 - 4.0 * (1.0 - at) * (1.0 - at)) / 3.0
    }
}

/// The leaf cell along a side of a face.
fn leaf_index(at: f64) -> i64 {
    let part = if at >= 0.0 {
        0.5 * (1.0 + 3.0 * at).sqrt()
    } else {
        1.0 - 0.5 * (1.0 - 3.0 * at).sqrt()
    };
    ((part * SIDE as f64) as i64).clamp(0, SIDE - 1)
}

/// The face of the cube that a place is on, and where on it.
fn on_cube(place: &Vector) -> (u64, f64, f64) {
    let axis = largest(place);
    let face = (axis + if place[axis] < 0.0 { 3 } else { 0 }) as u64;
    let (u, v) = on_face(face, place);
    (face, u, v)
}

/// Where a place that is before a face of the cube is seen on it.
fn on_face(face: u64, [x, y, z]: &Vector) -> (f64, f64) {
    match face {
        0 => (y / x, z / x),
        1 => (-x / y, z / y),
        2 => (-x / z, -y / z),
        3 => (z / x, y / x),
        4 => (z / y, -x / y),
        _ => (-y / z, -x / z),
    }
}

fn from_cube(face: u64, u: f64, v: f64) -> Vector {
    match face {
        0 => [1.0, u, v],
        1 => [-u, 1.0, v],
        2 => [-u, -v, 1.0],
        3 => [-1.0, -v, -u],
        4 => [v, -1.0, -u],
        _ => [v, u, -1.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_are_known() {
        let known = [
            (0x47a1_cbd5_9552_2b39, 49.703_498_679, 11.770_681_595),
            (0x4652_5318_b63b_e0f9, 55.685_376_759, 12.588_490_937),
            (0x52b3_0b71_698e_729d, 45.486_546_517, -93.449_700_022),
            (0x3663_f18a_24cb_e857, 34.364_439_040, 108.330_699_969),
            (0x2b2b_fd07_6787_c5df, -25.285_264_027, 133.823_116_966),
            (0xb09d_ff88_2a78_09e1, -75.000_000_031, 0.000_000_133),
        ];
        for (id, latitude, longitude) in known {
            assert_eq!(CellId::at(longitude, latitude), CellId(id));
        }
        let cell = CellId(0x47a1_cbd5_9552_2b39).parent(3);
        assert_eq!((cell.level(), cell.key_text()), (3, "2f033".to_owned()));
        assert!(cell.holds(CellId(0x47a1_cbd5_9552_2b39)) && cell.parent(1).holds(cell));
        assert_eq!(
            CellId(0xb09d_ff88_2a78_09e1).key(),
            0xb09d_ff88_2a78_09e1_u64 as i64
        );
    }

    #[test]
    fn a_place_on_a_border_is_reached_by_both_cells() {
        for longitude in [0.0, 90.0, 180.0, -90.0] {
            for turn in [-0.5, 0.5] {
                let beside = CellId::at(longitude + turn, 55.0).parent(6);
                assert!(Cell::new(beside).reaches(&from_degrees(longitude, 55.0)));
            }
            let away = CellId::at(longitude + 60.0, 55.0).parent(3);
            assert!(!Cell::new(away).reaches(&from_degrees(longitude, 55.0)));
            let other_side = CellId::at(longitude + 180.0, -55.0).parent(0);
            assert!(!Cell::new(other_side).reaches(&from_degrees(longitude, 55.0)));
        }
    }

    #[test]
    fn corners_are_around_the_cell() {
        let corners = CellId::at(11.77, 49.7).parent(10).corners();
        let (west, east) = (11.6, 11.95);
        assert!(
            corners
                .iter()
                .all(|(x, y)| (west..east).contains(x) && (49.5..49.9).contains(y))
        );
    }
}
