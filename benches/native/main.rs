//! The native bench: documents per second of the garden-shop workload, through `Engine::run`.
//!
//! `cargo bench --bench native -- [--count N]`. Every reply is checked; a wrong one stops the bench.

mod products;

use products::{Generator, Product, TAGS, products, tag};
use quire::bson::{Document, DocumentBuf, DocumentBuilder};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use std::time::{Duration, Instant};

/// How long a row of repeated operations may take.
const BUDGET: Duration = Duration::from_secs(3);
/// Documents of one insert command.
const BATCH: usize = 1000;

struct Bench {
    engine: Engine,
    env: NativeEnv,
}

impl Bench {
    fn new() -> Self {
        let env = NativeEnv::new();
        let engine = Engine::create(&env).expect("an empty deployment opens");
        Self { engine, env }
    }

    /// Runs a command and gives its reply, which must be a success.
    fn run(&mut self, mut command: DocumentBuilder) -> DocumentBuf {
        command.append("$db", "bench");
        let outcome = self.engine.run(command.finish().as_bytes(), &self.env);
        let reply = DocumentBuf::from_valid_bytes(outcome.reply);
        let good = reply.get("ok").is_truthy() && reply.get("writeErrors").is_missing();
        assert!(good, "the engine refused: {:?}", reply.get("errmsg"));
        reply
    }

    /// Runs a find and gives the number of documents in its first batch.
    fn find(&mut self, command: DocumentBuilder) -> usize {
        first_batch(&self.run(command))
    }
}

fn first_batch(reply: &DocumentBuf) -> usize {
    let cursor = reply.get("cursor").as_document().unwrap_or(Document::EMPTY);
    cursor
        .get("firstBatch")
        .as_array()
        .map_or(0, |batch| batch.iter().count())
}

fn find_one(field: &str, value: &str) -> DocumentBuilder {
    let mut command = DocumentBuilder::new();
    command
        .append("find", "products")
        .begin_document("filter")
        .append(field, value)
        .end();
    command.append("limit", 1).append("singleBatch", true);
    command
}

/// Repeats an operation `count` times or until the budget is spent; gives documents per second.
/// The operation says how many documents it handled.
fn repeat(count: usize, mut operation: impl FnMut() -> usize) -> f64 {
    let begun = Instant::now();
    let mut documents = 0;
    for done in 1..=count {
        documents += operation();
        if done % 8 == 0 && begun.elapsed() > BUDGET {
            break;
        }
    }
    documents as f64 / begun.elapsed().as_secs_f64()
}

fn show(what: &str, speed: f64) {
    println!("{what:<44} {speed:>12.0}");
}

fn create_indexes(bench: &mut Bench) {
    let mut command = DocumentBuilder::new();
    command
        .append("createIndexes", "products")
        .begin_array("indexes");
    for (position, (field, name, unique)) in [
        ("slug", "slug_1", true),
        ("tags", "tags_1", false),
        ("pricing.sale", "sale_1", false),
    ]
    .into_iter()
    .enumerate()
    {
        command.begin_document(&position.to_string());
        command
            .begin_document("key")
            .append(field, 1)
            .end()
            .append("name", name);
        if unique {
            command.append("unique", true);
        }
        command.end();
    }
    command.end();
    bench.run(command);
}

fn load(bench: &mut Bench, all: &[Product]) -> f64 {
    let begun = Instant::now();
    create_indexes(bench);
    for batch in all.chunks(BATCH) {
        let mut command = DocumentBuilder::new();
        command
            .append("insert", "products")
            .begin_array("documents");
        for (position, product) in batch.iter().enumerate() {
            command.append(&position.to_string(), &product.document);
        }
        command.end();
        bench.run(command);
    }
    all.len() as f64 / begun.elapsed().as_secs_f64()
}

fn reads(bench: &mut Bench, all: &[Product]) {
    let mut random = Generator::new(99);
    let limit = all.len() as u32;
    show(
        "read by _id",
        repeat(10_000, || {
            let found = bench.find(find_one("_id", &all[random.below(limit)].id));
            assert_eq!(found, 1, "a product is found by its _id");
            found
        }),
    );
    show(
        "read by slug",
        repeat(10_000, || {
            let found = bench.find(find_one("slug", &all[random.below(limit)].slug));
            assert_eq!(found, 1, "a product is found by its slug");
            found
        }),
    );
    let width = 0.1 * 100_000.0 / all.len() as f64;
    show(
        "range of 20, sorted",
        repeat(1000, || {
            let low = ((1.0 + random.unit() * 499.0) * 100.0).round() / 100.0;
            let mut command = DocumentBuilder::new();
            command
                .append("find", "products")
                .begin_document("filter")
                .begin_document("pricing.sale");
            command
                .append("$gte", low)
                .append("$lt", low + width)
                .end()
                .end();
            command
                .begin_document("sort")
                .append("pricing.sale", 1)
                .end();
            bench.find(command)
        }),
    );
    show(
        "tag, limit 20",
        repeat(1000, || {
            let mut command = DocumentBuilder::new();
            let tag = tag(random.below(TAGS));
            command
                .append("find", "products")
                .begin_document("filter")
                .append("tags", tag.as_str());
            command.end().append("limit", 20);
            bench.find(command)
        }),
    );
    let heavy = all.iter().filter(|product| product.weight > 75.0).count();
    show(
        "unindexed filter",
        repeat(5, || {
            let mut command = DocumentBuilder::new();
            command.append("count", "products").begin_document("query");
            command
                .begin_document("details.weight")
                .append("$gt", 75.0)
                .end()
                .end();
            let reply = bench.run(command);
            assert_eq!(
                reply.get("n").as_exact_i64(),
                Some(heavy as i64),
                "heavy products"
            );
            all.len()
        }),
    );
    show(
        "group over all",
        repeat(5, || {
            let mut command = DocumentBuilder::new();
            command
                .append("aggregate", "products")
                .begin_array("pipeline")
                .begin_document("0");
            command
                .begin_document("$group")
                .append("_id", "$details.manufacturer");
            command
                .begin_document("average")
                .append("$avg", "$pricing.sale")
                .end();
            command
                .begin_document("sum")
                .append("$sum", "$total_reviews")
                .end()
                .end()
                .end()
                .end();
            command.begin_document("cursor").end();
            assert_eq!(
                first_batch(&bench.run(command)),
                50.min(all.len()),
                "groups"
            );
            all.len()
        }),
    );
}

fn writes(bench: &mut Bench, all: &[Product]) {
    let mut random = Generator::new(7);
    let limit = all.len() as u32;
    show(
        "$inc by _id",
        repeat(10_000, || {
            let mut command = DocumentBuilder::new();
            command
                .append("update", "products")
                .begin_array("updates")
                .begin_document("0");
            command
                .begin_document("q")
                .append("_id", all[random.below(limit)].id.as_str())
                .end();
            command
                .begin_document("u")
                .begin_document("$inc")
                .append("total_reviews", 1);
            command.end().end().end().end();
            let reply = bench.run(command);
            assert_eq!(
                reply.get("nModified").as_exact_i64(),
                Some(1),
                "one product is modified"
            );
            1
        }),
    );
    let light = all.iter().filter(|product| product.weight < 50.0).count();
    show(
        "delete half",
        repeat(1, || {
            let mut command = DocumentBuilder::new();
            command
                .append("delete", "products")
                .begin_array("deletes")
                .begin_document("0");
            command
                .begin_document("q")
                .begin_document("details.weight")
                .append("$lt", 50.0)
                .end()
                .end();
            command.append("limit", 0).end().end();
            let reply = bench.run(command);
            assert_eq!(
                reply.get("n").as_exact_i64(),
                Some(light as i64),
                "light products"
            );
            light
        }),
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let count = arguments
        .iter()
        .position(|word| word == "--count")
        .and_then(|position| arguments.get(position + 1)?.parse().ok())
        .unwrap_or(100_000);
    let all = products(count, 7);
    let bytes: usize = all
        .iter()
        .map(|product| product.document.as_bytes().len())
        .sum();
    println!(
        "{count} products of {} bytes{:>29}",
        bytes / count.max(1),
        "docs/s"
    );
    let mut bench = Bench::new();
    show("insert all, 3 indexes", load(&mut bench, &all));
    reads(&mut bench, &all);
    writes(&mut bench, &all);
}
