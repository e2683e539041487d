//! Room: pages that dropping and compacting free are given back, and a crash on the way costs nothing.
//!
//! Invariant: after every cut the deployment is sound and holds the same documents.

use crate::support::stored::{
    DOCUMENTS, commit, done, garden, holdings, host, insert, is_sound, number, open,
};
use bson::{Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::storage::conformance::block_on;
use quire::storage::{Durability, Fault, FaultDevice, MemoryDevice, PageDevice, fault};

/// Compacts the herbs, with more fields.
fn compact(more: Document) -> Document {
    let mut command = doc! { "compact": "herbs", "$db": "garden" };
    command.extend(more);
    command
}

/// Stores everything, and before that every batch with the power going at each of its write points.
fn commit_through_crashes(engine: &mut Engine, env: &NativeEnv, device: &MemoryDevice) -> u32 {
    let expected = holdings(engine, env)[..DOCUMENTS].to_vec();
    let mut cuts = 0;
    while let Some(batch) = engine.take_batch().expect("the pages are sound") {
        let points = fault::points(&batch);
        // The first pages are alike; all that follows them is tried.
        let tried = (0..points).filter(|point| *point < 3 || point + 8 > points || point % 7 == 0);
        for point in tried {
            for fault in [Fault::Cut, Fault::Torn] {
                let faulty = FaultDevice::over(device.copy());
                faulty.plan(point, fault);
                let written = block_on(faulty.write(&batch, Durability::Strict));
                assert!(written.is_err(), "the power went");
                let mut after = open(faulty.stored(), env)
                    .unwrap_or_else(|said| panic!("{fault:?} at {point} of {points}: {said}"));
                assert_eq!(holdings(&mut after, env)[..DOCUMENTS], expected);
                is_sound(&mut after, env);
                cuts += 1;
            }
        }
        block_on(device.write(&batch, Durability::Strict)).expect("memory can be written");
        engine.confirm(batch.sequence);
    }
    cuts
}

fn pages(device: &MemoryDevice) -> usize {
    device.page_numbers().len()
}

#[test]
fn a_drop_gives_the_end_back() {
    let env = host();
    let device = MemoryDevice::new();
    let mut engine = garden(&env, &device);
    let before = pages(&device);
    done(&mut engine, &env, &insert("weeds", 0, 12_000));
    commit(&mut engine, &device);
    assert!(pages(&device) > before + 30);
    done(&mut engine, &env, &doc! {"drop":"weeds","$db":"garden"});
    let cuts = commit_through_crashes(&mut engine, &env, &device);
    assert!(cuts > 10 && pages(&device) <= before + 16, "{cuts}");
    assert_eq!(engine.pager().page_count() as usize, pages(&device) + 1);
    let mut reopened = open(&device, &env).expect("the store is sound");
    is_sound(&mut reopened, &env);
    // In memory, where nothing is ever sealed, too.
    let mut memory = Engine::create(&env).expect("memory can be had");
    done(&mut memory, &env, &insert("weeds", 0, 12_000));
    let most = memory.pager().page_count();
    done(&mut memory, &env, &doc! {"drop":"weeds","$db":"garden"});
    done(&mut memory, &env, &insert("herbs", 0, 10));
    assert!(memory.pager().page_count() + 30 < most);
    is_sound_in_memory(&mut memory, &env);
}

fn is_sound_in_memory(engine: &mut Engine, env: &NativeEnv) {
    let report = done(engine, env, &doc! { "validate": "herbs", "$db": "garden" });
    assert_eq!(report.get_bool("valid").ok(), Some(true), "{report}");
}

#[test]
fn compact_gives_back_what_grew_under_an_open_cursor() {
    let env = host();
    let device = MemoryDevice::new();
    let mut engine = garden(&env, &device);
    done(&mut engine, &env, &compact(doc! {}));
    commit(&mut engine, &device);
    let before = pages(&device);
    let find = doc! { "find": "herbs", "$db": "garden", "batchSize": 2 };
    let reply = done(&mut engine, &env, &find);
    let cursor = reply.get_document("cursor").expect("a cursor");
    let id = cursor.get_i64("id").expect("an id");
    // New pages lie behind the weeds', because the cursor still reads those.
    done(&mut engine, &env, &insert("weeds", 0, 12_000));
    commit(&mut engine, &device);
    for name in ["herbs", "trees"] {
        let set = doc! { "$set": { "bed.row": 5 } };
        let update = doc! { "update": name, "$db": "garden", "updates": [{ "q": {}, "u": set, "multi": true }] };
        done(&mut engine, &env, &update);
        commit(&mut engine, &device);
    }
    done(&mut engine, &env, &doc! {"drop":"weeds","$db":"garden"});
    commit(&mut engine, &device);
    let grown = pages(&device);
    assert!(grown > before * 3, "{before} {grown}");
    let kill = doc! { "killCursors": "herbs", "$db": "garden", "cursors": [id] };
    done(&mut engine, &env, &kill);
    // A write notices that the cursor is gone.
    done(&mut engine, &env, &insert("herbs", 5000, 5001));
    commit(&mut engine, &device);
    let dry = done(&mut engine, &env, &compact(doc! { "dryRun": true }));
    let count = engine.pager().page_count();
    assert!(dry.contains_key("estimatedBytesFreed"), "{dry}");
    let much = compact(doc! { "freeSpaceTargetMB": 100_000 });
    let reply = done(&mut engine, &env, &much);
    assert_eq!(number(&reply, "bytesFreed"), 0, "{reply}");
    assert_eq!(engine.pager().page_count(), count);
    let reply = done(&mut engine, &env, &compact(doc! {}));
    assert_ne!(number(&reply, "bytesFreed"), 0, "{reply}");
    is_sound(&mut engine, &env);
    let cuts = commit_through_crashes(&mut engine, &env, &device);
    assert!(cuts > 20, "{cuts}");
    let after = pages(&device);
    assert!(
        after < before + before / 3 && after * 2 < grown,
        "{before} {grown} {after}"
    );
    // Nothing more can be gained, and nothing is lost.
    let mut reopened = open(&device, &env).expect("the store is sound");
    assert_eq!(holdings(&mut reopened, &env), holdings(&mut engine, &env));
    is_sound(&mut reopened, &env);
    for _ in 0..3 {
        done(&mut engine, &env, &compact(doc! {}));
        commit(&mut engine, &device);
    }
    assert!(pages(&device) <= after, "{after} {}", pages(&device));
    is_sound(&mut engine, &env);
}

#[test]
fn compact_refuses_what_the_server_refuses() {
    let env = host();
    let mut engine = garden(&env, &MemoryDevice::new());
    for (command, code) in [
        (
            doc! {"compact":"nowhere","$db":"garden"},
            "NamespaceNotFound",
        ),
        (
            doc! {"compact":"wild","$db":"garden"},
            "CommandNotSupportedOnView",
        ),
        (
            doc! {"compact":"herbs","freeSpaceTargetMB":0,"$db":"garden"},
            "BadValue",
        ),
        (
            doc! {"compact":"herbs","paddingFactor":2,"$db":"garden"},
            "IDLUnknownField",
        ),
    ] {
        let said = engine.run_command(&command, &env);
        assert_eq!(said.expect_err("it is refused").code_name(), code);
    }
}
