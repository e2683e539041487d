//! The best of all values, however many are kept: the state of `$topN`, `$bottomN`, `$minN`, `$maxN` and their like.
//!
//! Invariants: of equal keys the earlier row comes first; a row costs about log n comparisons, because the row that
//! goes next is the top of a heap and the others are put in order only when they are asked for.

use super::accumulator::Result;
use super::several::{size, to_array};
use crate::algorithms::sorting;
use crate::bson::{Value, ValueRef};
use crate::env::Env;
use std::cmp::Ordering;

/// How two keys compare.
pub type Rank<'r> = &'r dyn Fn(ValueRef<'_>, ValueRef<'_>) -> Ordering;

struct RankedValue {
    key: Value<'static>,
    /// Missing where the key itself is kept.
    output: Value<'static>,
    arrival: usize,
}

impl RankedValue {
    fn shown(&self) -> &Value<'static> {
        match self.output.as_ref() {
            ValueRef::Missing => &self.key,
            _ => &self.output,
        }
    }

    fn size(&self) -> usize {
        let output = self.output.as_ref();
        let beside = match output.is_missing() {
            true => 0,
            false => size(output),
        };
        size(self.key.as_ref()) + beside
    }

    fn compare(&self, other: &Self, rank: Rank<'_>) -> Ordering {
        rank(self.key.as_ref(), other.key.as_ref()).then(self.arrival.cmp(&other.arrival))
    }
}

/// The best `count` rows of all that were offered.
pub struct Ranked {
    /// How many are kept.
    pub count: usize,
    /// Whether the last ranks are kept instead of the first.
    keeps_last: bool,
    /// A heap: each row goes before those at twice its place and one or two more.
    rows: Vec<RankedValue>,
    arrivals: usize,
}

impl Ranked {
    pub fn new(keeps_last: bool) -> Self {
        Self {
            count: 0,
            keeps_last,
            rows: Vec::new(),
            arrivals: 0,
        }
    }

    /// Whether the first row is to go before the second.
    fn goes_before(&self, first: usize, second: usize, rank: Rank<'_>) -> bool {
        let ordering = self.rows[first].compare(&self.rows[second], rank);
        match self.keeps_last {
            true => ordering.is_lt(),
            false => ordering.is_gt(),
        }
    }

    /// Keeps a row if it is among the best; gives how many more bytes are held.
    pub fn offer(&mut self, key: ValueRef<'_>, output: ValueRef<'_>, rank: Rank<'_>) -> usize {
        if let Some(worst) = self.rows.first()
            && self.rows.len() >= self.count
        {
            // The offered row comes last, and so ranks behind the rows that it equals.
            let is_better = match self.keeps_last {
                true => rank(key, worst.key.as_ref()).is_ge(),
                false => rank(key, worst.key.as_ref()).is_lt(),
            };
            if !is_better {
                return 0;
            }
        }
        let row = RankedValue {
            key: key.to_value(),
            output: output.to_value(),
            arrival: self.arrivals,
        };
        self.arrivals += 1;
        let bytes = row.size();
        if self.rows.len() < self.count {
            self.rows.push(row);
            self.rise(rank);
            return bytes;
        }
        let freed = self.rows[0].size();
        self.rows[0] = row;
        self.sink(rank);
        bytes.saturating_sub(freed)
    }

    /// Moves the last row up to its place.
    fn rise(&mut self, rank: Rank<'_>) {
        let mut at = self.rows.len() - 1;
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.goes_before(at, above, rank) {
                return;
            }
            self.rows.swap(at, above);
            at = above;
        }
    }

    /// Moves the first row down to its place.
    fn sink(&mut self, rank: Rank<'_>) {
        let mut at = 0;
        loop {
            let mut next = at;
            for below in [2 * at + 1, 2 * at + 2] {
                if below < self.rows.len() && self.goes_before(below, next, rank) {
                    next = below;
                }
            }
            if next == at {
                return;
            }
            self.rows.swap(at, next);
            at = next;
        }
    }

    /// The kept values, in order.
    ///
    /// # Errors
    /// Errors of `Env::checkpoint`.
    pub fn values(&self, rank: Rank<'_>, env: &dyn Env) -> Result<Value<'static>> {
        let mut rows: Vec<&RankedValue> = self.rows.iter().collect();
        sorting::sort_asking(env, &mut rows, &mut |left, right| left.compare(right, rank))?;
        Ok(to_array(rows.into_iter().map(RankedValue::shown)))
    }

    /// The kept value where only one is kept.
    pub fn first(&self) -> Option<&Value<'static>> {
        self.rows.first().map(RankedValue::shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::env::NoEnv;
    use std::cell::Cell;

    #[test]
    fn keeps_what_sorting_everything_leaves() {
        let mut random = Random::new(5);
        for (count, keeps_last) in [(1, false), (1, true), (7, false), (7, true), (400, true)] {
            let mut ranked = Ranked::new(keeps_last);
            ranked.count = count;
            let mut all: Vec<(i32, i32)> = Vec::new();
            for arrival in 0..300 {
                // Few different keys, so that many are equal.
                let key = (random.next_u64() % 40) as i32;
                all.push((key, arrival));
                let rank = |a: ValueRef<'_>, b: ValueRef<'_>| crate::bson::compare(a, b);
                ranked.offer(ValueRef::Int32(key), ValueRef::Int32(arrival), &rank);
            }
            all.sort_unstable();
            let from = match keeps_last {
                true => all.len().saturating_sub(count),
                false => 0,
            };
            let expected: Vec<i32> = { all.iter().skip(from).take(count) }
                .map(|(_, arrival)| *arrival)
                .collect();
            let found = ranked
                .values(&|a, b| crate::bson::compare(a, b), &NoEnv)
                .expect("it is not interrupted");
            let found: Vec<i32> = found
                .as_ref()
                .as_array()
                .expect("an array")
                .iter()
                .map(|item| item.as_exact_i64().expect("a number") as i32)
                .collect();
            assert_eq!(found, expected, "{count} rows, last: {keeps_last}");
        }
    }

    #[test]
    fn many_rows_cost_few_comparisons_each() {
        const MANY: i32 = 20_000;
        let asked = Cell::new(0_u64);
        let rank = |a: ValueRef<'_>, b: ValueRef<'_>| {
            asked.set(asked.get() + 1);
            crate::bson::compare(a, b)
        };
        for keeps_last in [false, true] {
            let mut ranked = Ranked::new(keeps_last);
            ranked.count = MANY as usize / 2;
            asked.set(0);
            for number in 0..MANY {
                ranked.offer(ValueRef::Int32(-number), ValueRef::Missing, &rank);
            }
            for number in 0..MANY {
                ranked.offer(ValueRef::Int32(number), ValueRef::Missing, &rank);
            }
            // Twice the logarithm for each, and moving rows costs no more.
            assert!(asked.get() < MANY as u64 * 2 * 30, "{}", asked.get());
        }
    }
}
