//! Batches that one worker lends and another stores, in a browser: a long script's durability rests on them.
//!
//! Invariant: each test has a deployment of its own.
#![cfg(target_arch = "wasm32")]

#[path = "support/herbs.rs"]
mod herbs;
#[path = "support/host.rs"]
mod host;

use herbs::insert;
use host::host;
use js_sys::Uint8Array;
use quire::wasm::QuireEngine;
use quire::wasm::host::message_of as text;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

async fn open(name: &str) -> QuireEngine {
    QuireEngine::open_indexed_db(name.to_owned(), host())
        .await
        .unwrap_or_else(|error| panic!("opening {name}: {}", text(&error)))
}

/// Runs a command that must succeed, wherever the pages are.
async fn run(engine: &mut QuireEngine, command: &str) -> String {
    JsFuture::from(engine.resident())
        .await
        .unwrap_or_else(|error| panic!("reading pages: {}", text(&error)));
    herbs::run(engine, command)
}

async fn has(engine: &mut QuireEngine, documents: u32) {
    let reply = run(engine, r#"{"count":"herbs","$db":"garden"}"#).await;
    assert!(
        reply.contains(&format!(r#""n":{{"$numberInt":"{documents}"}}"#)),
        "{reply}"
    );
    let report = run(engine, r#"{"validate":"herbs","full":true,"$db":"garden"}"#).await;
    assert!(report.contains(r#""valid":true"#), "{report}");
}

async fn flush(engine: &QuireEngine) -> Result<(), String> {
    let outcome = JsFuture::from(engine.flush(false, false)).await;
    outcome.map(drop).map_err(|error| text(&error))
}

/// Stores a lent batch as another worker would.
async fn stored(name: &str, slice: &Uint8Array) -> Result<(), String> {
    let outcome = JsFuture::from(QuireEngine::store_batch(name.to_owned(), slice.clone())).await;
    outcome.map(drop).map_err(|error| text(&error))
}

fn lent(engine: &QuireEngine) -> Uint8Array {
    let slice = engine.lend_batch().expect("the pages are sound");
    slice.expect("there is something to store")
}

fn sequence_of(slice: &Uint8Array) -> f64 {
    let bytes = slice.subarray(0, 8).to_vec();
    u64::from_le_bytes(bytes.try_into().expect("eight bytes")) as f64
}

#[wasm_bindgen_test]
async fn lent_batches_are_stored_elsewhere_and_the_rest_here() {
    let mut engine = open("lent").await;
    run(&mut engine, &insert(0, 300, "")).await;
    let first = lent(&engine);
    assert!(engine.lend_batch().expect("sound pages").is_none());
    run(
        &mut engine,
        &insert(300, 400, r#","writeConcern":{"j":true}"#),
    )
    .await;
    assert!(engine.wants_strict());
    let second = lent(&engine);
    assert!(!engine.wants_strict());
    run(&mut engine, &insert(400, 500, "")).await;
    let third = lent(&engine);
    // A flush before everything came back is refused: two writers would meet at the fence.
    let refused = flush(&engine).await.expect_err("batches are lent");
    assert!(refused.contains("amid lent batches"), "{refused}");
    assert!(engine.has_unsaved());

    stored("lent", &first).await.expect("storage works");
    engine.lent_stored(sequence_of(&first));
    has(&mut open("lent").await, 300).await;
    // Out of turn, or bytes that are no batch: refused, and nothing is torn.
    assert!(stored("lent", &third).await.is_err());
    assert!(stored("lent", &second.subarray(0, 40)).await.is_err());
    assert!(
        stored("lent", &Uint8Array::new_with_length(0))
            .await
            .is_err()
    );
    stored("lent", &second).await.expect("storage works");
    engine.lent_stored(sequence_of(&second));
    engine.end_lending(false);
    flush(&engine).await.expect("storage works");
    assert!(!engine.has_unsaved());
    drop(engine);

    let mut engine = open("lent").await;
    has(&mut engine, 500).await;
}

/// The thread that batches were lent to was given up and stores them all the same, or stored them and ended before it
/// said so: the batches that it stored are known again at the fence, and the rest is written behind them.
#[wasm_bindgen_test]
async fn lent_batches_that_nobody_told_of_are_no_other_writers() {
    for stored_batches in 1..=3 {
        let name = format!("untold {stored_batches}");
        let mut engine = open(&name).await;
        run(&mut engine, &insert(0, 100, "")).await;
        flush(&engine).await.expect("storage works");
        let mut slices = Vec::new();
        for from in [100, 200, 300] {
            run(&mut engine, &insert(from, from + 100, "")).await;
            slices.push(lent(&engine));
        }
        run(&mut engine, &insert(400, 500, "")).await;
        for slice in &slices[..stored_batches] {
            stored(&name, slice).await.expect("storage works");
        }
        engine.end_lending(false);
        flush(&engine).await.expect("storage works");
        assert!(!engine.has_unsaved());
        // A lent batch that comes later still is refused, and harms nothing.
        for slice in &slices[stored_batches..] {
            assert!(stored(&name, slice).await.is_err());
        }
        has(&mut engine, 500).await;
        drop(engine);
        has(&mut open(&name).await, 500).await;
    }
}

/// Another writer's batches are never taken for one's own, also where they have the same sequence.
#[wasm_bindgen_test]
async fn another_writers_batch_at_the_sequence_of_a_lent_one_displaces() {
    let mut engine = open("not ours").await;
    run(&mut engine, &insert(0, 100, "")).await;
    flush(&engine).await.expect("storage works");
    let mut other = open("not ours").await;
    run(&mut engine, &insert(100, 200, "")).await;
    let slice = lent(&engine);
    run(&mut other, &insert(500, 700, "")).await;
    flush(&other).await.expect("storage works");
    assert!(stored("not ours", &slice).await.is_err());
    engine.end_lending(false);
    let displaced = flush(&engine).await.expect_err("another writer was first");
    assert!(displaced.contains("another tab"), "{displaced}");
    has(&mut open("not ours").await, 300).await;
}
