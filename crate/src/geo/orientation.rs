//! Whether three places turn left or right, decided exactly.
//!
//! A plain determinant decides nearly always. Where its rounding could have changed the sign it is summed without
//! rounding, and places on one great circle are taken to be moved apart by amounts too small to measure, always in
//! the same way. Invariant: the answer is 0 only where two of the places are equal; it is the same for every rotation
//! of the three, and the opposite for every exchange of two.

use super::vector::{Vector, cross, dot};
use std::cmp::Ordering;

/// Rounding can make a determinant wrong by no more than this.
const ROUNDING: f64 = 1.6e-15;

/// 1 where `a`, `b`, `c` turn left as seen from above, -1 where they turn right, 0 where two are equal.
pub fn turn(a: &Vector, b: &Vector, c: &Vector) -> i32 {
    turn_from(&cross(a, b), a, b, c)
}

/// As `turn`, where the cross product of `a` and `b` is known.
pub fn turn_from(product: &Vector, a: &Vector, b: &Vector, c: &Vector) -> i32 {
    let volume = dot(product, c);
    if volume > ROUNDING {
        1
    } else if volume < -ROUNDING {
        -1
    } else {
        exact(a, b, c)
    }
}

/// Whether `a`, `b`, `c` are met in this order when turning left around `center`; true where `b` is one of the
/// others.
pub fn in_order(a: &Vector, b: &Vector, c: &Vector, center: &Vector) -> bool {
    let agreed = i32::from(turn(b, center, a) >= 0)
        + i32::from(turn(c, center, b) >= 0)
        + i32::from(turn(a, center, c) > 0);
    agreed >= 2
}

#[cold]
#[inline(never)]
fn exact(a: &Vector, b: &Vector, c: &Vector) -> i32 {
    if a == b || b == c || a == c {
        return 0;
    }
    let mut sorted = [a, b, c];
    let mut sign = 1;
    for (first, second) in [(0, 1), (1, 2), (0, 1)] {
        if before(sorted[second], sorted[first]) {
            sorted.swap(first, second);
            sign = -sign;
        }
    }
    let [a, b, c] = sorted;
    let mut volume = Sum::default();
    for (x, y, z) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        volume.add_product(a[x], b[y], c[z]);
        volume.add_product(-a[x], b[z], c[y]);
    }
    let found = match volume.sign() {
        0 => moved_apart(a, b, c),
        found => found,
    };
    sign * found
}

fn before(a: &Vector, b: &Vector) -> bool {
    a.iter()
        .zip(b)
        .find(|(left, right)| left != right)
        .is_some_and(|(left, right)| left < right)
}

/// The sign of the determinant once the coordinates of `a`, then those of `b`, are moved by shrinking amounts, `z`
/// before `y` before `x`: the first coefficient that isn't 0. Three of them are coordinates of `c`, so one is found.
fn moved_apart(a: &Vector, b: &Vector, c: &Vector) -> i32 {
    let minor = |p: f64, q: f64, r: f64, s: f64| {
        let mut sum = Sum::default();
        sum.add_product(p, q, 1.0);
        sum.add_product(-r, s, 1.0);
        sum.sign()
    };
    let coefficients: [&dyn Fn() -> i32; 8] = [
        &|| minor(b[0], c[1], b[1], c[0]),
        &|| minor(b[2], c[0], b[0], c[2]),
        &|| minor(b[1], c[2], b[2], c[1]),
        &|| minor(c[0], a[1], c[1], a[0]),
        &|| signum(c[0]),
        &|| -signum(c[1]),
        &|| minor(c[2], a[0], c[0], a[2]),
        &|| signum(c[2]),
    ];
    coefficients
        .iter()
        .map(|coefficient| coefficient())
        .find(|sign| *sign != 0)
        .unwrap_or(1)
}

fn signum(value: f64) -> i32 {
    match value.partial_cmp(&0.0) {
        Some(Ordering::Greater) => 1,
        Some(Ordering::Less) => -1,
        _ => 0,
    }
}

/// A sum without rounding: parts of growing size that do not overlap.
#[derive(Default)]
struct Sum {
    parts: [f64; 24],
    count: usize,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let mut carried = value;
        for part in &mut self.parts[..self.count] {
            let sum = carried + *part;
            let taken = sum - carried;
            *part = (carried - (sum - taken)) + (*part - taken);
            carried = sum;
        }
        self.parts[self.count] = carried;
        self.count += 1;
    }

    /// Four parts a product, so six products fit.
    fn add_product(&mut self, a: f64, b: f64, c: f64) {
        let (high, low) = product(a, b);
        for part in [high, low] {
            let (high, low) = product(part, c);
            self.add(low);
            self.add(high);
        }
    }

    fn sign(&self) -> i32 {
        self.parts
            .iter()
            .rev()
            .map(|part| signum(*part))
            .find(|sign| *sign != 0)
            .unwrap_or(0)
    }
}

/// A product and what rounding took from it.
fn product(a: f64, b: f64) -> (f64, f64) {
    let halves = |value: f64| {
        let scaled = value * 134_217_729.0;
        let high = scaled - (scaled - value);
        (high, value - high)
    };
    let (a_high, a_low) = halves(a);
    let (b_high, b_low) = halves(b);
    let rounded = a * b;
    let rest = ((a_high * b_high - rounded) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (rounded, rest)
}
