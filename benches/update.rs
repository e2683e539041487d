//! Nanoseconds per update of one 570-byte garden product, by kind of update; and per encoded index key.
//!
//! `cargo bench --bench update`

use quire::bson::{DocumentBuf, Text, ValueRef, extended_json};
use quire::env::native::NativeEnv;
use quire::expr::CompileContext;
use quire::keycode::{TypeBits, encode};
use quire::update::{ApplyContext, Update, UpdateScratch};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: u32 = 2_000;
const ROUND: u32 = 200;

fn product() -> DocumentBuf {
    let text = r#"{"_id":{"$oid":"4c4b1476238d3b4dd5003981"},"slug":"wheel-barrow-9092","sku":"9092",
        "name":"Extra Large Wheel Barrow","description":"Heavy duty wheel barrow with two wheels",
        "details":{"weight":47,"weight_units":"lbs","model_num":4039283402,"manufacturer":"Acme","color":"Green"},
        "total_reviews":4,"average_review":4.5,"pricing":{"retail":589700,"sale":489700},
        "price_history":[{"retail":529700,"sale":429700,"start":{"$date":"2010-05-01T00:00:00Z"}},
        {"retail":529700,"sale":529700,"start":{"$date":"2010-05-09T00:00:00Z"}}],
        "primary_category":{"$oid":"6a5b1476238d3b4dd5000048"},"tags":["tools","gardening","soil"],"n":1}"#;
    extended_json::parse_document(text).expect("the product is valid")
}

fn measure(name: &str, mut work: impl FnMut()) {
    // The best round counts: others share this machine.
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..ROUND {
            work();
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let nanoseconds = best * 1e9 / f64::from(ROUND);
    println!("{name:<46} {nanoseconds:>6.0} ns");
}

fn main() {
    let env = NativeEnv::fixed(0, 1);
    let product = product();
    println!("a product of {} bytes", product.as_bytes().len());
    let timestamps = quire::storage::LogicalClock::default();
    let context = ApplyContext {
        timestamps: &timestamps,
        env: &env,
        now_millis: 0,
        array_index: None,
        is_insert: false,
    };
    for spec in [
        r#"{"$inc":{"n":1}}"#,
        r#"{"$inc":{"total_reviews":1}}"#,
        r#"{"$inc":{"pricing.sale":1}}"#,
        r#"{"$set":{"name":"Wheel Barrow"}}"#,
        r#"{"$set":{"details.color":"Red","new.path":1}}"#,
        r#"{"$push":{"tags":"new"}}"#,
        r#"{"$addToSet":{"tags":"soil"}}"#,
    ] {
        let update = extended_json::parse_document(spec).expect("the update is valid");
        let compile = CompileContext::new(&env, 0);
        let update =
            Update::compile(update.as_document(), None, &compile).expect("the update compiles");
        let mut scratch = UpdateScratch::default();
        measure(spec, || {
            let updated = update.apply(black_box(product.as_document()), &context, &mut scratch);
            black_box(updated.is_ok());
        });
    }
    let (mut key, mut bits) = (Vec::new(), TypeBits::new());
    for (name, value) in [
        ("encode int", ValueRef::Int32(4711)),
        ("encode double", ValueRef::Double(19.99)),
        ("encode slug", ValueRef::String(Text(b"wheel-barrow-9092"))),
        ("encode ObjectId", ValueRef::ObjectId([7; 12])),
    ] {
        measure(name, || {
            key.clear();
            bits.clear();
            encode(black_box(value), false, &mut key, &mut bits);
            black_box(&key);
        });
    }
}
