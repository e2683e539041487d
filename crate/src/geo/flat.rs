//! Shapes on the plane, with the server's rules at their borders.

/// A point of the plane.
pub type Pair = [f64; 2];

/// A box, borders included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatBox {
    pub min: Pair,
    pub max: Pair,
}

impl FlatBox {
    /// The smallest box around points; around none it is nowhere.
    pub fn around(points: &[Pair]) -> Self {
        let mut found = Self {
            min: [f64::INFINITY; 2],
            max: [f64::NEG_INFINITY; 2],
        };
        for point in points {
            for (axis, at) in point.iter().enumerate() {
                found.min[axis] = found.min[axis].min(*at);
                found.max[axis] = found.max[axis].max(*at);
            }
        }
        found
    }

    fn contains(&self, point: Pair) -> bool {
        (0..2).all(|axis| self.min[axis] <= point[axis] && point[axis] <= self.max[axis])
    }

    fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// The corners, around the box.
    pub fn corners(&self) -> [Pair; 4] {
        let (min, max) = (self.min, self.max);
        [min, [max[0], min[1]], max, [min[0], max[1]]]
    }
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
    pub fn contains(&self, point: Pair) -> bool {
        match self {
            Self::Box(area) => area.contains(point),
            Self::Polygon(corners) => polygon_contains(corners, point),
            Self::Circle { center, radius } => beyond(*center, point, *radius) <= 0.0,
            Self::Annulus {
                center,
                inner,
                outer,
            } => beyond(point, *center, *inner) >= 0.0 && beyond(point, *center, *outer) <= 0.0,
        }
    }

    /// The box around it.
    pub fn bounds(&self) -> FlatBox {
        let (center, radius) = match self {
            Self::Box(area) => return *area,
            Self::Polygon(corners) => return FlatBox::around(corners),
            Self::Circle { center, radius } => (center, radius),
            Self::Annulus { center, outer, .. } => (center, outer),
        };
        let [x, y] = *center;
        FlatBox {
            min: [x - radius, y - radius],
            max: [x + radius, y + radius],
        }
    }

    /// Whether all of a box is inside. False where that isn't known.
    pub fn holds(&self, other: &FlatBox) -> bool {
        let corners = other.corners();
        match self {
            Self::Box(area) => area.contains(other.min) && area.contains(other.max),
            Self::Polygon(polygon) => {
                corners
                    .iter()
                    .all(|corner| polygon_contains(polygon, *corner))
                    && !edges(polygon)
                        .any(|(a, b)| edges(&corners).any(|(c, d)| segments_meet(a, b, c, d)))
            }
            Self::Circle { center, radius } => is_in_circle(*center, *radius, other),
            Self::Annulus {
                center,
                inner,
                outer,
            } => is_in_circle(*center, *outer, other) && distance_of(*center, other) >= *inner,
        }
    }

    /// Whether a box has a point of it. True where that isn't known.
    pub fn may_meet(&self, other: &FlatBox) -> bool {
        self.bounds().meets(other)
            && match self {
                Self::Annulus {
                    center,
                    inner,
                    outer,
                } => {
                    distance_of(*center, other) <= *outer
                        && !other
                            .corners()
                            .iter()
                            .all(|corner| beyond(*center, *corner, *inner) < 0.0)
                }
                _ => true,
            }
    }
}

/// The distance of two points.
pub fn distance(one: Pair, other: Pair) -> f64 {
    let [x, y] = [one[0] - other[0], one[1] - other[1]];
    // No root where there is none to take: it could round.
    if x == 0.0 {
        y.abs()
    } else if y == 0.0 {
        x.abs()
    } else {
        (x * x + y * y).sqrt()
    }
}

/// By how much two points are further apart than a radius. Along an axis the radius is added to the lower coordinate,
/// as the server does it, so that a border given in the same decimals is a border.
fn beyond(one: Pair, other: Pair, radius: f64) -> f64 {
    for axis in 0..2 {
        if one[axis] == other[axis] {
            let (low, high) = (
                one[1 - axis].min(other[1 - axis]),
                one[1 - axis].max(other[1 - axis]),
            );
            return high - (low + radius);
        }
    }
    distance(one, other) - radius
}

fn is_in_circle(center: Pair, radius: f64, other: &FlatBox) -> bool {
    other
        .corners()
        .iter()
        .all(|corner| beyond(center, *corner, radius) <= 0.0)
}

/// The distance of a point and the nearest point of a box.
fn distance_of(point: Pair, other: &FlatBox) -> f64 {
    let mut nearest = point;
    for (axis, at) in nearest.iter_mut().enumerate() {
        *at = at.max(other.min[axis]).min(other.max[axis]);
    }
    distance(point, nearest)
}

fn edges(corners: &[Pair]) -> impl Iterator<Item = (Pair, Pair)> {
    let last = corners.last().copied();
    corners.iter().scan(last, |before, corner| {
        let from = before.replace(*corner)?;
        Some((from, *corner))
    })
}

/// Counts the edges at the right of a point. Corners, level edges and upright edges are inside; of a slanting edge
/// the points are for which rounding says so, as on the server.
fn polygon_contains(corners: &[Pair], [x, y]: Pair) -> bool {
    let mut inside = false;
    for ([ax, ay], [bx, by]) in edges(corners) {
        if (x == ax && y == ay) || (x == bx && y == by) {
            return true;
        }
        if ay == by {
            if y == ay && ax.min(bx) <= x && x <= ax.max(bx) {
                return true;
            }
        } else if y > ay.min(by) && y <= ay.max(by) && x <= ax.max(bx) {
            if ax == bx && x == ax {
                return true;
            }
            inside ^= ax == bx || x <= (y - ay) * (bx - ax) / (by - ay) + ax;
        }
    }
    inside
}

/// Whether two segments share a point.
fn segments_meet(a: Pair, b: Pair, c: Pair, d: Pair) -> bool {
    let less = |one: Pair, other: Pair| [one[0] - other[0], one[1] - other[1]];
    let side = |from: Pair, to: Pair, at: Pair| {
        let ([x, y], [u, v]) = (less(to, from), less(at, from));
        x * v - y * u
    };
    let between = |at: Pair| {
        let ([x, y], [u, v]) = (less(at, a), less(at, b));
        x * u + y * v <= 0.0
    };
    let (of_c, of_d) = (side(a, b, c), side(a, b, d));
    if of_c == 0.0 && of_d == 0.0 {
        return between(c) || between(d);
    }
    of_c * of_d <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    fn pair(random: &mut Random) -> Pair {
        [0, 1].map(|_| random.below(2000) as f64 / 100.0 - 10.0)
    }

    #[test]
    fn borders_are_inside() {
        let circle = FlatShape::Circle {
            center: [52.0, 1.0],
            radius: 0.0001,
        };
        // 52 - 51.9999 is more than 0.0001 in doubles.
        assert!(circle.contains([51.9999, 1.0]) && !circle.contains([51.9998, 1.0]));
        let square = FlatShape::Polygon(vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]);
        for point in [
            [0.0, 0.0],
            [4.0, 4.0],
            [2.0, 0.0],
            [4.0, 2.0],
            [0.0, 2.0],
            [2.0, 4.0],
            [1.0, 1.0],
        ] {
            assert!(square.contains(point), "{point:?}");
        }
        for point in [[-0.1, 0.0], [4.1, 0.0], [2.0, 4.1], [-1.0, 4.0]] {
            assert!(!square.contains(point), "{point:?}");
        }
        let ring = FlatShape::Annulus {
            center: [0.0, 0.0],
            inner: 1.0,
            outer: 2.0,
        };
        assert!(
            ring.contains([1.0, 0.0]) && ring.contains([0.0, 2.0]) && !ring.contains([0.5, 0.5])
        );
    }

    /// Whether a point is inside by the angles that the corners turn around it.
    fn winds(corners: &[Pair], [x, y]: Pair) -> bool {
        let turned: f64 = edges(corners)
            .map(|(a, b)| {
                let (ax, ay, bx, by) = (a[0] - x, a[1] - y, b[0] - x, b[1] - y);
                (ax * by - ay * bx).atan2(ax * bx + ay * by)
            })
            .sum();
        ((turned / std::f64::consts::TAU).round() as i64).rem_euclid(2) == 1
    }

    fn is_near_border(corners: &[Pair], point: Pair) -> bool {
        edges(corners).any(|(a, b)| {
            let along = [b[0] - a[0], b[1] - a[1]];
            let size = along[0] * along[0] + along[1] * along[1];
            let part =
                ((point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1]) / size.max(1e-300);
            let part = part.clamp(0.0, 1.0);
            distance(point, [a[0] + along[0] * part, a[1] + along[1] * part]) < 1e-9
        })
    }

    #[test]
    fn shapes_hold_and_meet_boxes_as_their_points_say() {
        let mut random = Random::new(7);
        for round in 0..4_000 {
            let shape = match round % 3 {
                0 => FlatShape::Polygon(
                    (0..3 + random.below(6))
                        .map(|_| pair(&mut random))
                        .collect(),
                ),
                1 => FlatShape::Circle {
                    center: pair(&mut random),
                    radius: random.below(800) as f64 / 100.0,
                },
                _ => {
                    let inner = random.below(500) as f64 / 100.0;
                    FlatShape::Annulus {
                        center: pair(&mut random),
                        inner,
                        outer: inner + random.below(500) as f64 / 100.0,
                    }
                }
            };
            let corner = pair(&mut random);
            let size = random.below(400) as f64 / 100.0;
            let area = FlatBox::around(&[corner, [corner[0] + size, corner[1] + size]]);
            for _ in 0..10 {
                let point = [0, 1].map(|axis| {
                    area.min[axis]
                        + (area.max[axis] - area.min[axis]) * random.below(101) as f64 / 100.0
                });
                let is_in = shape.contains(point);
                assert!(
                    !is_in || shape.may_meet(&area),
                    "{shape:?} {area:?} {point:?}"
                );
                if let FlatShape::Polygon(corners) = &shape {
                    if is_near_border(corners, point) {
                        continue;
                    }
                    assert_eq!(is_in, winds(corners, point), "{corners:?} {point:?}");
                }
                let is_on_border =
                    matches!(&shape, FlatShape::Annulus { .. } | FlatShape::Circle { .. });
                assert!(
                    is_in || is_on_border || !shape.holds(&area),
                    "{shape:?} {area:?} {point:?}"
                );
                if is_on_border && shape.holds(&area) {
                    // Rounding moves the border of a circle a little.
                    let center = match &shape {
                        FlatShape::Annulus { center, .. } | FlatShape::Circle { center, .. } => {
                            *center
                        }
                        _ => point,
                    };
                    let toward =
                        [0, 1].map(|axis| point[axis] + (center[axis] - point[axis]) * 1e-12);
                    assert!(
                        is_in || shape.contains(toward),
                        "{shape:?} {area:?} {point:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_none_are_nowhere() {
        let odd = [f64::NAN, f64::INFINITY, -0.0];
        for (x, y) in odd.iter().flat_map(|x| odd.map(|y| (*x, y))) {
            let shape = FlatShape::Polygon(vec![[x, y], [1.0, 1.0], [y, x]]);
            let area = FlatBox::around(&[[x, y], [0.0, 1.0]]);
            let _ = (
                shape.contains([0.5, 0.5]),
                shape.holds(&area),
                shape.may_meet(&area),
            );
            let circle = FlatShape::Circle {
                center: [x, y],
                radius: x,
            };
            let _ = (
                circle.contains([0.5, 0.5]),
                circle.holds(&area),
                circle.may_meet(&area),
            );
        }
    }
}
