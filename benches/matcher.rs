//! Documents per second of the matcher, of projections and of sort keys, natively.
//!
//! `cargo bench --bench matcher`. Documents are like the garden shop's products, about 570 bytes each.

use quire::bson::{DocumentBuf, DocumentBuilder, ValueRef};
use quire::env::NoEnv;
use quire::expr::CompileContext;
use quire::query::{Matcher, Projection, SortPattern, SortScratch};
use std::hint::black_box;
use std::time::Instant;

fn product(number: i32) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    let mut id = [7; 12];
    id[8..].copy_from_slice(&number.to_be_bytes());
    builder
        .append("_id", ValueRef::ObjectId(id))
        .append("slug", format!("wheelbarrow-{number}").as_str())
        .append("sku", format!("{:04}", number % 10_000).as_str())
        .append("name", "Extra Large Wheelbarrow")
        .append(
            "description",
            "Heavy duty wheelbarrow with a steel tray, for every garden that grows.",
        );
    builder
        .begin_document("details")
        .append("weight", number % 100)
        .append("weight_units", "lbs")
        .append("model_num", 4_039_283_402_i64)
        .append("manufacturer", "Acme")
        .append("color", "Green")
        .end();
    builder.append("total_reviews", 4);
    builder.append("average_review", 4.5);
    builder
        .begin_document("pricing")
        .append("retail", 589_700)
        .append("sale", 489_700 + number % 1_000)
        .end();
    builder.begin_array("price_history");
    for position in ["0", "1"] {
        builder
            .begin_document(position)
            .append("retail", 529_700)
            .append("sale", 429_700)
            .append("start", ValueRef::DateTime(1_272_499_200_000))
            .append("end", ValueRef::DateTime(1_275_177_600_000))
            .end();
    }
    builder.end();
    builder.append("primary_category", ValueRef::ObjectId([1; 12]));
    builder.begin_array("category_ids");
    builder
        .append("0", ValueRef::ObjectId([1; 12]))
        .append("1", ValueRef::ObjectId([2; 12]))
        .end();
    builder
        .append("main_cat_id", ValueRef::ObjectId([1; 12]))
        .begin_array("tags")
        .append("0", "tools")
        .append("1", "gardening")
        .append("2", "soil")
        .end();
    builder.finish()
}

fn measure(name: &str, documents: &[DocumentBuf], mut one: impl FnMut(&DocumentBuf) -> bool) {
    let mut found = 0_usize;
    // The best round counts: others share this machine.
    let mut best = f64::MAX;
    let begin = Instant::now();
    while begin.elapsed().as_millis() < 400 {
        let start = Instant::now();
        found = documents
            .iter()
            .filter(|document| one(black_box(document)))
            .count();
        best = best.min(start.elapsed().as_secs_f64());
    }
    let rate = documents.len() as f64 / best / 1e6;
    println!("{name:<64} {rate:>8.2} M docs/s ({found} found)");
}

fn main() {
    let context = CompileContext::new(&NoEnv, 0);
    let documents: Vec<DocumentBuf> = (0..2_000).map(product).collect();
    let bytes: usize = documents.iter().map(|one| one.as_bytes().len()).sum();
    println!("{} bytes a document", bytes / documents.len());

    let filter = |build: &dyn Fn(&mut DocumentBuilder)| {
        let mut builder = DocumentBuilder::new();
        build(&mut builder);
        let filter = builder.finish();
        Matcher::compile(filter.as_document(), &context).expect("a valid filter")
    };
    let filters = [
        filter(&|builder| {
            builder.append("slug", "wheelbarrow-77");
        }),
        filter(&|builder| {
            builder.append("details.weight", 47);
        }),
        filter(&|builder| {
            builder
                .begin_document("details.weight")
                .append("$gt", 90)
                .append("$lt", 95)
                .end();
        }),
        filter(&|builder| {
            builder
                .begin_document("pricing.sale")
                .append("$lt", 489_710)
                .end();
        }),
        filter(&|builder| {
            builder.append("tags", "soil");
        }),
        filter(&|builder| {
            builder
                .append("details.color", "Green")
                .append("tags", "soil")
                .append("pricing.sale", 489_750);
        }),
    ];
    for matcher in &filters {
        measure(&format!("{:?}", matcher.root()), &documents, |document| {
            matcher
                .matches(document.as_document(), &NoEnv)
                .unwrap_or(false)
        });
    }

    let mut specification = DocumentBuilder::new();
    specification.append("name", 1).append("pricing.sale", 1);
    let projection =
        Projection::compile(specification.finish().as_document(), &filters[0], &context)
            .expect("a valid projection");
    let mut buffer = Vec::new();
    measure(
        "project {name: 1, \"pricing.sale\": 1}",
        &documents,
        |document| {
            let mut output = DocumentBuilder::with_buffer(std::mem::take(&mut buffer));
            let result = projection.apply(document.as_document(), &mut output, &NoEnv);
            buffer = output.finish().into_bytes();
            result.is_ok()
        },
    );

    let mut specification = DocumentBuilder::new();
    specification.append("pricing.sale", -1).append("slug", 1);
    let pattern =
        SortPattern::compile(specification.finish().as_document()).expect("a valid sort pattern");
    let (mut scratch, mut key) = (SortScratch::default(), Vec::new());
    measure(
        "sort key {\"pricing.sale\": -1, slug: 1}",
        &documents,
        |document| {
            key.clear();
            pattern
                .write_key(document.as_document(), &mut scratch, &mut key)
                .is_ok()
        },
    );
}
