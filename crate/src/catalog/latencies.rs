//! How long the commands on each namespace took: the `latencyStats` of `$collStats`.
//!
//! Manual: reference/operator/aggregation/collStats. Invariant: in memory only, and only for collections and views that
//! exist.

use crate::bson::DocumentBuilder;
use std::cmp::Ordering;

/// The kinds of commands whose times are counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    Other,
}

/// Buckets of a histogram: powers of two, each halved from 2^11 to 2^21.
const BUCKETS: usize = 51;
const FIRST_HALVED: u32 = 11;
const LAST_HALVED: u32 = 20;

/// The bucket of a latency.
fn bucket(micros: u64) -> usize {
    let Some(log) = micros.checked_ilog2() else {
        return 0;
    };
    let halves = log.clamp(FIRST_HALVED, LAST_HALVED + 1) - FIRST_HALVED;
    let upper = (FIRST_HALVED..=LAST_HALVED).contains(&log) && micros >= 3 << (log - 1);
    ((log + halves + u32::from(upper)) as usize).min(BUCKETS - 1)
}

/// The least latency of a bucket.
fn lower_bound(bucket: usize) -> i64 {
    let bucket = bucket as u32;
    let last = LAST_HALVED + (LAST_HALVED - FIRST_HALVED) + 1;
    match bucket {
        0 => 0,
        _ if bucket < FIRST_HALVED => 1 << bucket,
        _ if bucket <= last => {
            let (power, upper) = ((bucket - FIRST_HALVED) / 2, (bucket - FIRST_HALVED) % 2);
            let whole = 1_i64 << (FIRST_HALVED + power);
            whole + if upper == 1 { whole / 2 } else { 0 }
        }
        _ => 1 << (bucket - (LAST_HALVED - FIRST_HALVED) - 1),
    }
}

#[derive(Debug, Clone, Default)]
struct Histogram {
    /// Bucket and count, for those that are not empty, in order.
    buckets: Vec<(usize, i64)>,
    micros: i64,
    operations: i64,
}

impl Histogram {
    fn add(&mut self, micros: u64) {
        let bucket = bucket(micros);
        match self.buckets.binary_search_by_key(&bucket, |held| held.0) {
            Ok(at) => self.buckets[at].1 += 1,
            Err(at) => self.buckets.insert(at, (bucket, 1)),
        }
        self.micros = self.micros.saturating_add(micros as i64);
        self.operations += 1;
    }

    fn append(&self, name: &str, histograms: bool, builder: &mut DocumentBuilder) {
        builder.begin_document(name);
        if histograms {
            builder.begin_array("histogram");
            for (position, (bucket, count)) in self.buckets.iter().enumerate() {
                builder.begin_document(&position.to_string());
                builder.append("micros", lower_bound(*bucket));
                builder.append("count", *count).end();
            }
            builder.end();
        }
        builder.append("latency", self.micros);
        builder.append("ops", self.operations).end();
    }
}

/// Reads, writes and other commands.
type Three = [Histogram; 3];

/// The operations that `top` tells apart, as the profiler names them, and as `top` does.
const OPERATIONS: [(&str, &str); 6] = [
    ("query", "queries"),
    ("getmore", "getmore"),
    ("insert", "insert"),
    ("update", "update"),
    ("remove", "remove"),
    ("command", "commands"),
];

/// The counts of one namespace.
#[derive(Debug, Default)]
struct Counts {
    histograms: Three,
    /// Microseconds and number of each of `OPERATIONS`.
    operations: [(i64, i64); OPERATIONS.len()],
}

/// The latencies of every namespace, sorted by name.
#[derive(Debug, Default)]
pub struct LatencyTable {
    namespaces: Vec<(Box<str>, Counts)>,
    /// Those of all commands.
    all: Three,
}

/// Compares a namespace with `database.collection`, which is not put together for it.
fn compare(namespace: &str, database: &str, collection: &str) -> Ordering {
    let (first, rest) = namespace
        .as_bytes()
        .split_at(namespace.len().min(database.len()));
    first.cmp(database.as_bytes()).then_with(|| match rest {
        [b'.', rest @ ..] => rest.cmp(collection.as_bytes()),
        [] => Ordering::Less,
        [other, ..] => other.cmp(&b'.'),
    })
}

impl LatencyTable {
    /// Counts one command, whatever it is run on.
    pub fn add_to_all(&mut self, kind: Kind, micros: u64) {
        self.all[kind as usize].add(micros);
    }

    /// Counts one command on a namespace, by its kind and its name in the profile; `exists` is asked about a namespace
    /// that is new here.
    pub fn add(
        &mut self,
        (database, collection): (&str, &str),
        (kind, op): (Kind, &str),
        micros: u64,
        exists: impl FnOnce(&str) -> bool,
    ) {
        let found = self
            .namespaces
            .binary_search_by(|(known, _)| compare(known, database, collection));
        let at = match found {
            Ok(at) => at,
            Err(at) => {
                let namespace = format!("{database}.{collection}");
                if !exists(&namespace) {
                    return;
                }
                self.namespaces
                    .insert(at, (namespace.into(), Counts::default()));
                at
            }
        };
        if let Some((_, counts)) = self.namespaces.get_mut(at) {
            counts.histograms[kind as usize].add(micros);
            let names = OPERATIONS.iter().zip(&mut counts.operations);
            if let Some((_, (sum, count))) = { names }.find(|((known, _), _)| *known == op) {
                *sum = sum.saturating_add(micros as i64);
                *count += 1;
            }
        }
    }

    /// Forgets collections that are not there any more.
    pub fn retain(&mut self, mut exists: impl FnMut(&str) -> bool) {
        self.namespaces.retain(|(namespace, _)| exists(namespace));
    }

    /// Appends the `latencyStats` of a namespace.
    pub fn append(&self, namespace: &str, histograms: bool, builder: &mut DocumentBuilder) {
        let none = Three::default();
        let found = self
            .namespaces
            .binary_search_by(|(known, _)| (**known).cmp(namespace))
            .ok()
            .and_then(|at| self.namespaces.get(at));
        let three = found.map_or(&none, |(_, counts)| &counts.histograms);
        append_three("latencyStats", three, histograms, builder);
    }

    /// Appends the latencies of all commands.
    pub fn append_all(&self, histograms: bool, builder: &mut DocumentBuilder) {
        append_three("opLatencies", &self.all, histograms, builder);
    }

    /// Appends the time and number of the operations on each namespace, as `top` tells them.
    pub fn append_totals(&self, builder: &mut DocumentBuilder) {
        for (namespace, counts) in &self.namespaces {
            builder.begin_document(namespace);
            let mut append = |name: &str, (micros, count): (i64, i64)| {
                builder.begin_document(name);
                builder.append_integer("time", micros);
                builder.append_integer("count", count).end();
            };
            let [reads, writes, others] =
                { counts.histograms.each_ref() }.map(|one| (one.micros, one.operations));
            let micros = reads.0 + writes.0 + others.0;
            append("total", (micros, reads.1 + writes.1 + others.1));
            append("readLock", reads);
            append("writeLock", writes);
            for ((_, name), counted) in OPERATIONS.iter().zip(counts.operations) {
                append(name, counted);
            }
            builder.end();
        }
    }
}

fn append_three(name: &str, three: &Three, histograms: bool, builder: &mut DocumentBuilder) {
    builder.begin_document(name);
    for (name, histogram) in ["reads", "writes", "commands"].iter().zip(three) {
        histogram.append(name, histograms, builder);
    }
    Histogram::default().append("transactions", histograms, builder);
    builder.end();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_fall_into_their_buckets() {
        let bounds: Vec<i64> = (0..BUCKETS).map(lower_bound).collect();
        assert_eq!(bounds[..5], [0, 2, 4, 8, 16]);
        assert_eq!(bounds[10..15], [1024, 2048, 3072, 4096, 6144]);
        assert_eq!(
            bounds[29..34],
            [1_048_576, 1_572_864, 2_097_152, 4_194_304, 8_388_608]
        );
        assert_eq!(bounds[BUCKETS - 1], 1 << 40);
        for (at, bound) in bounds.iter().enumerate() {
            assert_eq!(bucket(*bound as u64), at, "{bound}");
        }
        assert_eq!(
            (bucket(1), bucket(3071), bucket(u64::MAX)),
            (0, 11, BUCKETS - 1)
        );
    }

    #[test]
    fn namespaces_are_found_by_their_parts() {
        let mut table = LatencyTable::default();
        for (database, name) in [
            ("b", "x"),
            ("a", "y"),
            ("a", "b.c"),
            ("a-b", "x"),
            ("a", "y"),
        ] {
            table.add((database, name), (Kind::Read, "query"), 5, |_| true);
        }
        table.add(("a", "none"), (Kind::Write, "insert"), 5, |_| false);
        let names: Vec<&str> = table.namespaces.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["a-b.x", "a.b.c", "a.y", "b.x"]);
        assert_eq!(table.namespaces[2].1.histograms[0].operations, 2);
        assert_eq!(table.namespaces[2].1.operations[0], (10, 2));
    }
}
