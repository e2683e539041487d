//! The cells of the sphere: S2's numbers, thirty levels along a Hilbert curve on each face of a cube.

/// The number of a cell: three bits of the face, two bits a level, one bit that ends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellId(pub u64);

impl CellId {
    /// How deep leaf cells are.
    pub const LEAF_LEVEL: u32 = 30;

    /// The leaf cell at a longitude and a latitude in degrees.
    pub fn at(_longitude: f64, _latitude: f64) -> Self {
        todo!()
    }

    /// 0 for the faces of the cube, 30 for leaf cells.
    pub fn level(self) -> u32 {
        todo!()
    }

    /// The cell of a coarser level that it is in.
    pub fn parent(self, _level: u32) -> Self {
        todo!()
    }

    /// The first and the last leaf cell in it: the keys of an index of version 3 that lie in it.
    pub fn range(self) -> (u64, u64) {
        todo!()
    }

    /// The key of indexes of version 3: the number as a signed one.
    pub fn key(self) -> i64 {
        self.0 as i64
    }

    /// The key of indexes of versions 1 and 2: the face, `f`, a digit a level.
    pub fn key_text(self) -> String {
        todo!()
    }

    /// The corners as longitude and latitude in degrees, against the clock: for drawing.
    pub fn corners(self) -> [(f64, f64); 4] {
        todo!()
    }
}
