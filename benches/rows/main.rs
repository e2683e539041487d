//! The rows bench: runs one everyday command over 2,000 garden-shop products, for a counter of instructions.
//!
//! `cargo xtask bench --counts` runs it once a row under callgrind, which counts inside `measured` alone. A count
//! is the same on a busy machine; a time is not. `--list` prints the rows.

#[path = "../native/products.rs"]
#[expect(dead_code, reason = "the native bench asks for more of a product")]
mod products;
mod table;

use quire::bson::extended_json::parse_document;
use quire::bson::{DocumentBuf, DocumentBuilder};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use table::{ROWS, Row};

const PRODUCTS: usize = 2000;
/// Runs before the counted ones: they fill the plan cache and the buffers that commands reuse.
const WARM_RUNS: u32 = 5;

struct Bench {
    engine: Engine,
    env: NativeEnv,
    ids: Vec<String>,
}

impl Bench {
    fn new() -> Self {
        let env = NativeEnv::fixed(1_700_000_000_000, 1);
        let engine = Engine::create(&env).expect("an empty deployment opens");
        let all = products::products(PRODUCTS, 7);
        let ids = all.iter().map(|product| product.id.clone()).collect();
        let mut bench = Self { engine, env, ids };
        for (first, chunk) in all.chunks(500).enumerate() {
            let mut command = DocumentBuilder::new();
            command
                .append("insert", "products")
                .append("$db", "bench")
                .begin_array("documents");
            for (position, product) in chunk.iter().enumerate() {
                command.begin_document(&position.to_string());
                command.append_all(product.document.as_document());
                command
                    .append("number", (first * 500 + position) as i32)
                    .end();
            }
            command.end();
            bench.run(&command.finish());
        }
        let indexes = r#"{"createIndexes": "products", "$db": "bench", "indexes": [
            {"name": "slug", "key": {"slug": 1}, "unique": true}, {"name": "tags", "key": {"tags": 1}},
            {"name": "sale", "key": {"pricing.sale": 1}}, {"name": "number", "key": {"number": 1}}]}"#;
        bench.run(&parse_document(indexes).expect("it is JSON"));
        let mut reviews = DocumentBuilder::new();
        reviews
            .append("insert", "reviews")
            .append("$db", "bench")
            .begin_array("documents");
        for number in 0..200 {
            reviews
                .begin_document(&number.to_string())
                .append("_id", number as i32)
                .append("product", bench.ids[number * 9].as_str())
                .append("tag", products::tag(number).as_str())
                .end();
        }
        reviews.end();
        bench.run(&reviews.finish());
        bench
    }

    /// The command of one run of a row.
    fn command(&self, row: &Row, run: u32) -> DocumentBuf {
        let number = run as usize * 13 % PRODUCTS;
        let text = row
            .command
            .replace("@ID", &self.ids[number])
            .replace('@', &number.to_string());
        let mut command = DocumentBuilder::new();
        let parsed = parse_document(&text).expect("a row is JSON");
        command.append_all(parsed.as_document());
        command.append("$db", "bench");
        command.finish()
    }

    fn run(&mut self, command: &DocumentBuf) {
        let outcome = self.engine.run(command.as_bytes(), &self.env);
        let reply = DocumentBuf::from_valid_bytes(outcome.reply);
        let good = reply.get("ok").is_truthy() && reply.get("writeErrors").is_missing();
        assert!(good, "the engine refused: {:?}", reply.get("errmsg"));
        self.engine.recycle(reply.into_bytes());
    }
}

/// The part that is counted: nothing but commands given to the engine.
#[inline(never)]
fn measured(bench: &mut Bench, commands: &[DocumentBuf]) {
    for command in commands {
        bench.run(command);
    }
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let name = words.next().unwrap_or_else(|| "--list".to_owned());
    if name == "--list" {
        for row in ROWS {
            println!("{}\t{}", row.name, row.runs);
        }
        return;
    }
    let row = ROWS.iter().find(|row| row.name == name);
    let row = row.expect("the name is of a row in benches/rows/table.rs");
    let mut bench = Bench::new();
    let commands: Vec<DocumentBuf> = (0..WARM_RUNS + row.runs)
        .map(|run| bench.command(row, run))
        .collect();
    let (warm, counted) = commands.split_at(WARM_RUNS as usize);
    for command in warm {
        bench.run(command);
    }
    measured(&mut bench, counted);
}
