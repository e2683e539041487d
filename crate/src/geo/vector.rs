//! Vectors of three dimensions: places on the unit sphere are these.

/// A vector, mostly of length 1.
pub type Vector = [f64; 3];

/// A component this small is taken for 0, so that no product of three loses its digits to the bottom of the
/// exponents.
const NOTHING: f64 = 1e-60;

pub fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: &Vector, b: &Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `a + b * factor`.
pub fn plus(a: &Vector, b: &Vector, factor: f64) -> Vector {
    [
        a[0] + b[0] * factor,
        a[1] + b[1] * factor,
        a[2] + b[2] * factor,
    ]
}

pub fn negated(a: &Vector) -> Vector {
    [-a[0], -a[1], -a[2]]
}

pub fn length(a: &Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The squared length of the chord between two places.
pub fn chord(a: &Vector, b: &Vector) -> f64 {
    let between = plus(a, b, -1.0);
    dot(&between, &between)
}

/// The vector of length 1 in the same direction; no direction stays none.
pub fn unit(a: &Vector) -> Vector {
    let length = length(a);
    if length > 0.0 {
        plus(&[0.0; 3], a, 1.0 / length)
    } else {
        *a
    }
}

/// The normal of the plane through both, twice as long as the cross product and precise for places close together
/// too.
pub fn normal(a: &Vector, b: &Vector) -> Vector {
    cross(&plus(a, b, 1.0), &plus(b, a, -1.0))
}

/// The angle between two vectors, in radians.
pub fn angle(a: &Vector, b: &Vector) -> f64 {
    length(&cross(a, b)).atan2(dot(a, b))
}

/// The position of the component that is largest without its sign.
pub fn largest(a: &Vector) -> usize {
    let [x, y, z] = a.map(f64::abs);
    if x > y {
        if x > z { 0 } else { 2 }
    } else if y > z {
        1
    } else {
        2
    }
}

/// A direction at right angles to `a`, the same for equal vectors. Which one it is decides which of two neighbours a
/// shared corner belongs to, so it is S2's.
pub fn across(a: &Vector) -> Vector {
    let mut other = [0.012, 0.0053, 0.00457];
    other[(largest(a) + 2) % 3] = 1.0;
    unit(&cross(a, &other))
}

/// The place at a longitude and a latitude in degrees.
pub fn from_degrees(longitude: f64, latitude: f64) -> Vector {
    let (across, along) = longitude.to_radians().sin_cos();
    let (up, flat) = latitude.to_radians().sin_cos();
    [along * flat, across * flat, up].map(|part| if part.abs() < NOTHING { 0.0 } else { part })
}

/// Longitude and latitude in degrees.
pub fn to_degrees(a: &Vector) -> (f64, f64) {
    (
        a[1].atan2(a[0]).to_degrees(),
        a[2].atan2((a[0] * a[0] + a[1] * a[1]).sqrt()).to_degrees(),
    )
}
