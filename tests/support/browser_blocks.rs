//! Tests of how pages lie in IndexedDB (`crate/src/wasm/blocks.rs`): whole blocks, pages that were written alone, and
//! the first layout.

use super::*;

/// The keys of a store that stand for marks, and those that do not.
async fn marks_and_numbers(tools: &Tools, name: &str) -> (Vec<f64>, Vec<f64>) {
    let keys = tools.keys(name, "pages").await;
    let keys = Array::from(&keys.expect("the store is there"));
    let keys = keys.iter().filter_map(|key| key.as_f64());
    keys.partition(|key| key.fract() != 0.0)
}

const CHANGE: &str = r#"{"update":"herbs","$db":"garden","updates":[{"q":{"_id":1234},"u":{"$set":{"text":"changed"}}}]}"#;
const CHANGED: &str = r#"{"find":"herbs","filter":{"_id":1234},"$db":"garden"}"#;

#[wasm_bindgen_test]
async fn a_page_that_was_written_alone_is_newer_than_its_block() {
    let tools = tools();
    plant("alone").await;
    let mut engine = open("alone").await;
    // Pages come after the last block's, and freed ones are used again.
    for _ in 0..3 {
        run(&mut engine, CHANGE);
        run(&mut engine, &insert(HERBS, HERBS + 1, ""));
        saved(&engine).await;
        let delete = format!(
            r#"{{"delete":"herbs","$db":"garden","deletes":[{{"q":{{"_id":{HERBS}}},"limit":1}}]}}"#
        );
        run(&mut engine, &delete);
        saved(&engine).await;
    }
    drop(engine);
    let mut engine = open_cold("alone").await;
    let (reply, _) = run_cold(&mut engine, CHANGED).await;
    assert!(reply.contains("changed"), "{reply}");
    resident(&engine).await;
    assert!(is_valid(&mut engine));
    drop(engine);
    // One whose record is lost is missing; its older copy in the block is not taken for it.
    let (marks, numbers) = marks_and_numbers(&tools, "alone").await;
    assert!(!marks.is_empty(), "{numbers:?} lie in blocks");
    let mut named = 0;
    for number in marks.iter().map(|mark| mark.floor()) {
        let page = tools.read("alone", "pages", number).await;
        let page = page.expect("the store is there");
        let nothing = JsValue::UNDEFINED;
        let lost = tools.write("alone", "pages", number, &nothing);
        lost.await.expect("the store is there");
        let said = match QuireEngine::open_indexed_db("alone".to_owned(), host()).await {
            Ok(mut engine) => {
                resident(&engine).await;
                let found = engine.run_json(CHANGED);
                assert!(
                    found.contains("changed") || found.contains("is corrupt"),
                    "{found}"
                );
                found + &engine.run_json(r#"{"validate":"herbs","full":true,"$db":"garden"}"#)
            }
            Err(error) => text(&error),
        };
        named += usize::from(said.contains(&format!("page {number} is corrupt: it is not stored")));
        let back = tools.write("alone", "pages", number, &page).await;
        back.expect("the store is there");
    }
    assert!(named > 0, "some of them are in use");
    // Writing most of a block takes them back into it.
    let mut engine = open("alone").await;
    run(
        &mut engine,
        r#"{"update":"herbs","$db":"garden","updates":[{"q":{},"u":{"$set":{"text":"all"}},"multi":true}]}"#,
    );
    saved(&engine).await;
    run(
        &mut engine,
        r#"{"update":"herbs","$db":"garden","updates":[{"q":{},"u":{"$set":{"text":"new"}},"multi":true}]}"#,
    );
    saved(&engine).await;
    drop(engine);
    let mut engine = open("alone").await;
    assert!(is_valid(&mut engine));
    assert_eq!(counted(&mut engine), HERBS.to_string());
}

#[wasm_bindgen_test]
async fn what_the_first_layout_stored_is_opened_and_written_to() {
    let tools = tools();
    plant("old").await;
    let blocks = tools.make_old("old").await;
    let blocks = blocks.expect("nobody has it open").as_f64();
    assert!(blocks > Some(5.0), "{blocks:?} blocks prove nothing");
    let mut engine = open_cold("old").await;
    assert!(run_cold(&mut engine, BY_ID).await.0.contains("firstBatch"));
    resident(&engine).await;
    assert!(is_valid(&mut engine));
    run(&mut engine, CHANGE);
    run(&mut engine, &insert(HERBS, HERBS + 4000, ""));
    saved(&engine).await;
    drop(engine);
    let mut engine = open("old").await;
    assert_eq!(counted(&mut engine), (HERBS + 4000).to_string());
    assert!(run(&mut engine, CHANGED).contains("changed"));
    assert!(is_valid(&mut engine));
}
