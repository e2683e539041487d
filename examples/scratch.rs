//! scratch
#[path = "../benches/native/products.rs"]
mod products;
use products::{Generator, Product, TAGS, products, tag};
use quire::bson::{Document, DocumentBuf, DocumentBuilder};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use std::time::Instant;
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

fn command(op: &str, random: &mut Generator, all: &[Product]) -> DocumentBuf {
    let limit = all.len() as u32;
    let mut command = match op {
        "byId" => find_one("_id", &all[random.below(limit)].id),
        "range" => {
            let low = ((1.0 + random.unit() * 499.0) * 100.0).round() / 100.0;
            let width = 0.1 * 100_000.0 / all.len() as f64;
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
            command
        }
        "tag" => {
            let mut command = DocumentBuilder::new();
            let tag = tag(random.below(TAGS));
            command
                .append("find", "products")
                .begin_document("filter")
                .append("tags", tag.as_str());
            command.end().append("limit", 20);
            command
        }
        "delete" => {
            let mut command = DocumentBuilder::new();
            command
                .append("delete", "products")
                .begin_array("deletes")
                .begin_document("0")
                .begin_document("q")
                .begin_document("details.weight")
                .append("$lt", 50.0)
                .end()
                .end()
                .append("limit", 0)
                .end()
                .end();
            command
        }
        "scan" => {
            let mut command = DocumentBuilder::new();
            command.append("count", "products").begin_document("query");
            command
                .begin_document("details.weight")
                .append("$gt", 75.0)
                .end()
                .end();
            command
        }
        other if other.starts_with("scan:") => {
            let mut command = DocumentBuilder::new();
            command.append("count", "products").begin_document("query");
            command
                .begin_document(&other[5..])
                .append("$gt", 75.0)
                .end()
                .end();
            command
        }
        other => panic!("{other}"),
    };
    command.append("$db", "bench");
    command.finish()
}
#[inline(never)]
fn measured(bench: &mut Bench, commands: &[DocumentBuf]) -> usize {
    let mut total = 0;
    for command in commands {
        let reply = bench.engine.run(command.as_bytes(), &bench.env).reply;
        total += reply.len();
        bench.engine.recycle(reply);
    }
    total
}
fn main() {
    let words: Vec<String> = std::env::args().collect();
    let count: usize = words[2].parse().unwrap();
    let times: usize = words[3].parse().unwrap();
    let all = products(count, 7);
    let mut bench = Bench::new();
    println!("load {}", load(&mut bench, &all));
    let mut random = Generator::new(99);
    let commands: Vec<_> = (0..times)
        .map(|_| command(&words[1], &mut random, &all))
        .collect();
    let begun = Instant::now();
    let total = measured(&mut bench, &commands);
    println!(
        "{} us each, {} bytes",
        begun.elapsed().as_secs_f64() * 1e6 / times as f64,
        total / times
    );
}
