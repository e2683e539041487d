//! Labels: short texts that sort by memcmp, one of which fits between any two others.
//!
//! A label is a sequence of whole numbers, each written so that it sorts and ends by itself: a digit that tells how
//! many digits follow (and the sign), then those. Invariants: a label that is the beginning of another sorts before
//! it; strings that arrive in order, upwards or downwards, anywhere, get labels that grow with the logarithm of
//! their number; labels hold ASCII letters, digits, `-` and `_` only.

/// The digits, ascending.
const DIGITS: &[u8; 64] = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
/// The head of zero; larger ones say how many digits of a positive number follow, smaller ones of a negative.
const ZERO: usize = 32;
/// Numbers stay far within this many digits.
const MOST_DIGITS: usize = 9;

/// The least amount of the numbers with `count` digits, and how many such numbers there are.
fn amounts(count: usize) -> (u64, u64) {
    (0..count).fold((0, 1), |(least, room), _| (least + room, room * 64))
}

/// One number of a label.
fn append(number: i64, label: &mut String) {
    let amount = number.unsigned_abs();
    let fits = |count: &usize| {
        let (least, room) = amounts(*count);
        amount < least + room
    };
    let count = (0..MOST_DIGITS).find(fits).unwrap_or(MOST_DIGITS);
    let (least, room) = amounts(count);
    let rest = (amount - least).min(room - 1);
    // Of negative numbers the larger amount sorts first.
    let (head, rest) = match number < 0 {
        true => (ZERO - count, room - 1 - rest),
        false => (ZERO + count, rest),
    };
    label.push(char::from(DIGITS[head]));
    for place in (0..count).rev() {
        label.push(char::from(DIGITS[(rest >> (6 * place)) as usize % 64]));
    }
}

fn digit(byte: Option<&u8>) -> usize {
    byte.and_then(|byte| DIGITS.binary_search(byte).ok())
        .unwrap_or(0)
}

/// The numbers of a label.
fn numbers(label: &str) -> Vec<i64> {
    let bytes = label.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let head = digit(bytes.get(at));
        let count = head.abs_diff(ZERO).min(MOST_DIGITS);
        let (least, room) = amounts(count);
        let rest = (1..=count).fold(0, |rest, place| {
            rest * 64 + digit(bytes.get(at + place)) as u64
        });
        found.push(match head < ZERO {
            true => -((least + (room - 1 - rest)) as i64),
            false => (least + rest) as i64,
        });
        at += 1 + count;
    }
    found
}

fn written(numbers: &[i64]) -> String {
    let mut label = String::new();
    for number in numbers {
        append(*number, &mut label);
    }
    label
}

/// A label after `below` and before `above`, where these are given; `below` must sort before `above`.
pub fn between(below: Option<&str>, above: Option<&str>) -> String {
    let (Some(below), Some(above)) = (below, above) else {
        let number = match (below, above) {
            (Some(below), _) => numbers(below).first().map_or(0, |first| first + 1),
            (None, Some(above)) => numbers(above).first().map_or(0, |first| first - 1),
            (None, None) => 0,
        };
        return written(&[number]);
    };
    let (low, high) = (numbers(below), numbers(above));
    let shared = low
        .iter()
        .zip(&high)
        .take_while(|(low, high)| low == high)
        .count();
    let mut label = low[..shared].to_vec();
    match (low.get(shared), high.get(shared)) {
        // `below` is the beginning of `above`: the label goes before the next number of `above`.
        (None, Some(next)) => label.push(next - 1),
        (Some(low_next), Some(high_next)) if low_next + 1 < *high_next => label.push(low_next + 1),
        (Some(low_next), _) => {
            label.push(*low_next);
            label.push(low.get(shared + 1).map_or(0, |next| next + 1));
        }
        // Equal labels, which have nothing between.
        (None, None) => label.push(0),
    }
    written(&label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    #[test]
    fn numbers_sort_and_read_back() {
        let mut all: Vec<i64> = (-9000..9000).collect();
        all.extend([
            266_304,
            266_305,
            17_000_000,
            -17_000_000,
            1 << 40,
            -(1 << 40),
        ]);
        all.sort_unstable();
        let labels: Vec<String> = all.iter().map(|number| written(&[*number])).collect();
        assert!(labels.windows(2).all(|pair| pair[0] < pair[1]));
        for (number, label) in all.iter().zip(&labels) {
            assert_eq!(numbers(label), [*number]);
        }
    }

    /// Inserts at the places that `place` says and gives the longest label.
    fn longest(count: usize, mut place: impl FnMut(usize) -> usize) -> usize {
        let mut labels: Vec<String> = Vec::new();
        for done in 0..count {
            let at = place(done);
            let below = at.checked_sub(1).map(|at| labels[at].as_str());
            let label = between(below, labels.get(at).map(String::as_str));
            labels.insert(at, label);
        }
        assert!(labels.windows(2).all(|pair| pair[0] < pair[1]));
        labels.iter().map(String::len).max().unwrap_or(0)
    }

    #[test]
    fn one_fits_between_any_two_and_stays_short() {
        assert!(longest(5000, |done| done) <= 4, "upwards");
        assert!(longest(5000, |_| 0) <= 4, "downwards");
        assert!(
            longest(5000, |done| done.saturating_sub(1)) <= 8,
            "before one"
        );
        assert!(longest(5000, |done| done.min(1)) <= 8, "behind one");
        let mut random = Random::new(3);
        let length = longest(5000, |done| random.next_u64() as usize % (done + 1));
        assert!(length <= 60, "at random: {length}");
    }
}
