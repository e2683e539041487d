//! Tests of demand paging (`crate/src/wasm/paging.rs`): commands over a deployment that is not read yet stop at the
//! pages that are missing, and answer as if all were there. A test of stops drops the timer after which an idle engine
//! streams: on a busy machine the stream would be there before the first command.

use super::*;

#[wasm_bindgen_test]
async fn a_point_query_is_answered_before_most_pages_are_there() {
    let tools = tools();
    tools.drop_timers(IDLE_MILLIS);
    let pages = plant("demand").await;
    let mut engine = open_cold("demand").await;
    assert!(
        pages_fetched(&engine) <= 16,
        "the catalog and its neighbours"
    );
    let (reply, stops) = run_cold(&mut engine, BY_ID).await;
    assert!(reply.contains(r#""_id":{"$numberInt":"7777"}"#), "{reply}");
    assert!(stops > 0, "nothing was missing");
    let fetched = pages_fetched(&engine);
    assert!(fetched * 3 < pages, "{fetched} of {pages} pages were read");
    // The rest comes by itself: the answer began the stream.
    tools.restore();
    resident(&engine).await;
    assert!(pages_fetched(&engine) * 10 > pages * 9, "all were read");
    assert_eq!(run_cold(&mut engine, BY_ID).await.1, 0);
    assert!(is_valid(&mut engine));
    assert!(!engine.has_unsaved(), "reading changes nothing");
}

#[wasm_bindgen_test]
async fn commands_that_stop_answer_as_if_all_were_there() {
    let tools = tools();
    tools.drop_timers(IDLE_MILLIS);
    plant("stops").await;
    plant("no stops").await;
    let commands = [
        // A write that stops in its middle, more than once.
        r#"{"update":"herbs","$db":"garden","updates":[{"q":{"tag":"t7","_id":{"$lt":9000}},"u":{"$set":{"tag":"t3","more":1}},"multi":true}]}"#,
        r#"{"delete":"herbs","$db":"garden","deletes":[{"q":{"_id":{"$in":[1,5001,10001,15001]}},"limit":0}]}"#,
        r#"{"find":"herbs","filter":{"tag":"t3"},"sort":{"_id":-1},"batchSize":30,"$db":"garden"}"#,
        r#"{"aggregate":"herbs","pipeline":[{"$group":{"_id":"$tag","n":{"$sum":1}}},{"$sort":{"_id":1}}],"cursor":{},"$db":"garden"}"#,
        r#"{"insert":"herbs","$db":"garden","documents":[{"_id":70000},{"_id":15002},{"_id":70001}]}"#,
        r#"{"count":"herbs","query":{"more":1},"$db":"garden"}"#,
    ];
    let (mut cold, mut warm) = (open_cold("stops").await, open("no stops").await);
    let mut stopped = 0;
    for command in commands {
        let (reply, stops) = run_cold(&mut cold, command).await;
        stopped += stops;
        let said = |reply: &str| {
            // Cursors and times are others in each engine.
            let ends = [r#""id":{"$numberLong""#, r#","$clusterTime":"#];
            let end = ends.iter().filter_map(|end| reply.find(end)).min();
            reply[..end.unwrap_or(reply.len())].to_owned()
        };
        assert_eq!(said(&reply), said(&warm.run_json(command)), "{command}");
    }
    // How many there are is the browser's to decide: pages stream in behind the first answer.
    assert!(stopped > 0, "no stop proves nothing");
    tools.restore();
    drop(warm);
    saved(&cold).await;
    drop(cold);
    assert!(is_valid(&mut open("stops").await));
}

#[wasm_bindgen_test]
async fn a_cursor_waits_for_all_pages() {
    plant("cursor").await;
    let mut engine = open_cold("cursor").await;
    let find = r#"{"find":"herbs","batchSize":2,"sort":{"tag":1},"$db":"garden"}"#;
    let (first, _) = run_cold(&mut engine, find).await;
    let id = first
        .split(r#""id":{"$numberLong":""#)
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("there is more");
    let more = format!(
        r#"{{"getMore":{{"$numberLong":"{id}"}},"collection":"herbs","batchSize":3000,"$db":"garden"}}"#
    );
    let (next, stops) = run_cold(&mut engine, &more).await;
    assert_eq!(next.matches(r#""tag":"#).count(), 3000);
    assert!(stops <= 1, "it asks once, for everything");
}

#[wasm_bindgen_test]
async fn another_writer_meanwhile_is_caught_up_with() {
    // An engine that has read everything while idle may rightly answer from its old snapshot.
    let tools = tools();
    tools.drop_timers(IDLE_MILLIS);
    plant("meanwhile").await;
    let (mut one, mut other) = (open("meanwhile").await, open_cold("meanwhile").await);
    let mut late = open_cold("meanwhile").await;
    // The second round reuses pages that the first freed: pages that `other` has not read are gone.
    for text in ["first", "second"] {
        let update = format!(
            r#"{{"update":"herbs","$db":"garden","updates":[{{"q":{{}},"u":{{"$set":{{"text":"{text}"}}}},"multi":true}}]}}"#
        );
        run(&mut one, &update);
        saved(&one).await;
    }
    // With the lock's turn: taken over, then read on demand.
    assert!(reloaded(&other).await);
    // And without one: noticed when a page is missing.
    for engine in [&mut other, &mut late] {
        let (reply, _) = run_cold(engine, BY_ID).await;
        assert!(reply.contains(r#""text":"second""#), "{reply}");
        resident(engine).await;
        assert!(is_valid(engine));
        assert_eq!(counted(engine), HERBS.to_string());
    }
    run(&mut late, &insert(HERBS, HERBS + 1, ""));
    saved(&late).await;
    tools.restore();
}

#[wasm_bindgen_test]
async fn a_page_that_is_gone_or_damaged_is_named_when_it_is_asked_for() {
    let tools = tools();
    plant("holes").await;
    let find = r#"{"find":"herbs","filter":{"tag":"t7"},"$db":"garden"}"#;
    // A record of another length, as no writer of ours leaves it.
    let damaged = 150;
    let short = Uint8Array::new_with_length(100);
    let written = tools.write("holes", "pages", 150.0, &short).await;
    written.expect("the store is there");
    let mut engine = open_cold("holes").await;
    let (reply, _) = run_cold(&mut engine, find).await;
    let named = format!("page {damaged} is corrupt");
    let (scan, _) = run_cold(
        &mut engine,
        r#"{"count":"herbs","query":{"text":"none"},"$db":"garden"}"#,
    )
    .await;
    let (check, _) = run_cold(&mut engine, r#"{"validate":"herbs","$db":"garden"}"#).await;
    assert!(
        [&reply, &scan, &check]
            .iter()
            .any(|said| said.contains(&named)),
        "{scan} {check}"
    );
    assert!(!scan.contains("not resident") && !check.contains("not resident"));
}
