//! Shapes on the plane, with the server's rules at their borders.

/// A point of the plane.
pub type Pair = [f64; 2];

/// A box, borders included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatBox {
    pub min: Pair,
    pub max: Pair,
}

/// A shape on the plane.
#[derive(Debug, Clone, PartialEq)]
pub enum FlatShape {
    Box(FlatBox),
    /// The corners; the last is joined to the first.
    Polygon(Vec<Pair>),
    Circle {
        center: Pair,
        radius: f64,
    },
    /// The points whose distance from a centre is within two bounds: one step of a search for the nearest.
    Annulus {
        center: Pair,
        inner: f64,
        outer: f64,
    },
}

impl FlatShape {
    /// Whether a point is inside or on the border.
    pub fn contains(&self, _point: Pair) -> bool {
        todo!()
    }

    /// The box around it.
    pub fn bounds(&self) -> FlatBox {
        todo!()
    }

    /// Whether all of a box is inside. False where that isn't known.
    pub fn holds(&self, _other: &FlatBox) -> bool {
        todo!()
    }

    /// Whether a box has a point of it. True where that isn't known.
    pub fn may_meet(&self, _other: &FlatBox) -> bool {
        todo!()
    }
}

/// The distance of two points.
pub fn distance(_one: Pair, _other: Pair) -> f64 {
    todo!()
}
