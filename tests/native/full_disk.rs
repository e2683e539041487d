//! A deployment in a file whose disk has no more room: what was acknowledged can be stored all the same, and whoever
//! deletes gets room again.
//!
//! Invariant: storing never fails for want of room, because a command that would need it was refused.

use crate::crash::Random;
use crate::files::Disk;
use crate::support::stored::{done, first_batch, host, number};
use bson::{Document, doc};
use quire::engine::Engine;
use quire::env::native::NativeEnv;
use quire::error::StorageError;
use quire::storage::conformance::block_on;
use quire::storage::{Durability, FileDevice, PageDevice, PageSource, Pager};
use std::collections::BTreeSet;
use std::rc::Rc;

const MIB: usize = 1 << 20;
const OUT_OF_DISK_SPACE: i32 = 14031;

/// A deployment in a file.
struct Shop {
    device: Rc<FileDevice<Disk>>,
    engine: Engine,
    env: NativeEnv,
}

impl Shop {
    /// Opens the file as a host does.
    fn open(disk: Disk) -> Self {
        let device = Rc::new(FileDevice::new(disk));
        let header = device.header().expect("the file can be read");
        let opened = header.map_or_else(|| Ok(Pager::new()), |header| Pager::open(&header));
        let mut pager = opened.expect("the header is sound");
        pager.set_source(device.clone());
        let env = host();
        Engine::prepare(&mut pager, &env).expect("the catalog is sound");
        let _ = device.claim(pager.page_count(), true);
        let engine = Engine::open(pager, &env).expect("the catalog is sound");
        Self {
            device,
            engine,
            env,
        }
    }

    /// Whether a command was done; it may be refused for want of room alone.
    fn may(&mut self, command: &Document) -> bool {
        let Err(error) = self.engine.run_command(command, &self.env) else {
            return true;
        };
        assert_eq!(error.code, OUT_OF_DISK_SPACE, "{command}: {error:?}");
        false
    }

    fn must(&mut self, command: &Document) -> Document {
        done(&mut self.engine, &self.env, command)
    }

    /// Stores everything. No room is found wanting.
    fn store(&mut self) -> Result<(), StorageError> {
        while let Some(batch) = self.engine.take_batch()? {
            block_on(self.device.write(&batch, Durability::Strict))?;
            self.engine.confirm(batch.sequence);
        }
        Ok(())
    }

    fn ids(&mut self) -> BTreeSet<i32> {
        let find = doc! { "find": "teas", "$db": "shop", "projection": { "_id": 1 }, "batchSize": 100_000 };
        let reply = self.must(&find);
        let ids = first_batch(&reply).iter();
        ids.map(|tea| {
            tea.as_document()
                .and_then(|tea| tea.get_i32("_id").ok())
                .expect("an _id")
        })
        .collect()
    }

    fn is_sound(&mut self) {
        let report = self.must(&doc! { "validate": "teas", "$db": "shop" });
        assert_eq!(report.get_bool("valid").ok(), Some(true), "{report}");
    }
}

fn teas(ids: std::ops::Range<i32>) -> Document {
    let all = ids.map(|id| {
        doc! { "_id": id, "name": format!("tea {}", id % 977), "batch": (id * 7919) % 10_007, "notes": "leaf ".repeat(500) }
    });
    doc! { "insert": "teas", "$db": "shop", "documents": all.collect::<Vec<Document>>() }
}

fn delete(filter: Document) -> Document {
    doc! { "delete": "teas", "$db": "shop", "deletes": [{ "q": filter, "limit": 0 }] }
}

/// A shop with two indexes, filled until its disk takes no more; gives how many documents were acknowledged.
fn filled(disk: &Disk, stores: bool) -> (Shop, i32) {
    let mut shop = Shop::open(disk.clone());
    let indexes = doc! { "createIndexes": "teas", "$db": "shop", "indexes": [
        { "key": { "name": 1 }, "name": "name_1" }, { "key": { "batch": 1 }, "name": "batch_1", "unique": false },
    ] };
    shop.must(&indexes);
    shop.store().expect("there is room");
    let mut count = 0;
    while shop.may(&teas(count..count + 20)) {
        count += 20;
        if stores {
            shop.store().expect("what was acknowledged has its room");
        }
    }
    (shop, count)
}

#[test]
fn what_was_acknowledged_before_the_disk_was_full_is_stored() {
    for stores in [false, true] {
        let disk = Disk::default();
        disk.set_room(10 * MIB);
        let (mut shop, count) = filled(&disk, stores);
        assert!(count > 500, "{count}");
        assert!(!shop.may(&teas(count..count + 2000)), "it stays full");
        shop.store().expect("what was acknowledged has its room");
        let mut again = Shop::open(Disk::with(disk.bytes()));
        assert_eq!(again.ids(), (0..count).collect());
        again.is_sound();
    }
}

#[test]
fn deleting_on_a_full_disk_makes_room() {
    let disk = Disk::default();
    disk.set_room(10 * MIB);
    let (mut shop, count) = filled(&disk, false);
    shop.store().expect("there is room");
    // A process that begins on the full disk can delete too.
    let mut shop = Shop::open(Disk::with(shop.device.file().bytes()));
    let disk = shop.device.file().clone();
    disk.set_room(disk.bytes().len());
    assert!(!shop.may(&teas(count..count + 2000)));
    // One document lies on a page of each tree; a hundred of them lie scattered.
    for id in (0..count).step_by(7).take(100) {
        shop.must(&delete(doc! { "_id": id }));
        shop.store().expect("a delete finds its room");
    }
    let before = shop.ids();
    // This one changes nearly every page of every tree, which is more than is spare.
    let every_other = delete(doc! { "_id": { "$mod": [2, 0] } });
    if !shop.may(&every_other) {
        assert!(shop.ids() == before, "it left no trace");
    }
    shop.must(&delete(doc! { "_id": { "$gte": count / 2 } }));
    shop.store().expect("a delete finds its room");
    assert!(shop.may(&teas(count..count + 20)), "there is room again");
    shop.store().expect("there is room again");
    shop.is_sound();
    let mut again = Shop::open(Disk::with(disk.bytes()));
    assert_eq!(again.ids(), shop.ids());
    again.is_sound();
    shop.must(&doc! { "dropIndexes": "teas", "$db": "shop", "index": "name_1" });
    shop.store().expect("a drop finds its room");
    let full = disk.bytes().len();
    shop.must(&doc! { "drop": "teas", "$db": "shop" });
    shop.store().expect("a drop finds its room");
    assert!(
        disk.bytes().len() < full / 2,
        "the file gives the room back"
    );
}

#[test]
fn on_a_disk_that_is_nearly_full_nothing_stored_is_lost() {
    let mut random = Random::seeded();
    let disk = Disk::default();
    disk.set_room(8 * MIB);
    let (mut shop, mut next) = filled(&disk, false);
    shop.store().expect("there is room");
    let mut stored = shop.ids();
    let (mut refused, mut done, mut lives) = (0, 0, 0);
    for round in 0..300 {
        let at = random.below(next as u64) as i32;
        let command = match random.below(6) {
            0..=2 => {
                let more = 1 + random.below(60) as i32;
                next += more;
                teas(next - more..next)
            }
            3 => delete(doc! { "_id": { "$gte": at, "$lt": at + 1 + random.below(40) as i32 } }),
            4 => doc! { "update": "teas", "$db": "shop", "updates": [
                { "q": { "_id": { "$gte": at, "$lt": at + 20 } }, "u": { "$inc": { "batch": 1 } }, "multi": true },
            ] },
            _ => {
                doc! { "findAndModify": "teas", "$db": "shop", "query": { "_id": at }, "remove": true }
            }
        };
        let is_delete = command.contains_key("delete") || command.contains_key("findAndModify");
        match shop.may(&command) {
            true => done += 1,
            false => {
                assert!(!is_delete, "round {round}: {command}");
                refused += 1;
            }
        }
        match random.below(8) {
            0 => {
                lives += 1;
                let room = disk.bytes().len();
                let kept = Disk::with(disk.bytes());
                kept.set_room(room);
                let mut found = Shop::open(kept);
                assert_eq!(found.ids(), stored, "round {round}");
                found.is_sound();
            }
            1..=4 => {
                shop.store()
                    .unwrap_or_else(|error| panic!("round {round}: {error}"));
                stored = shop.ids();
            }
            _ => {}
        }
    }
    println!("{done} done, {refused} refused, {lives} lives");
    assert!(refused > 20 && done > 100 && lives > 10);
    let total = shop.must(&doc! { "count": "teas", "$db": "shop" });
    assert_eq!(number(&total, "n"), shop.ids().len() as i64);
}

#[test]
fn a_pass_over_expired_documents_without_room_is_put_off() {
    let disk = Disk::default();
    disk.set_room(10 * MIB);
    let (mut shop, count) = filled(&disk, true);
    disk.set_room(32 * MIB);
    let expired = doc! { "q": { "_id": { "$mod": [6, 0] } }, "multi": true, "u": { "$set": {
        "at": bson::DateTime::from_millis(0),
    } } };
    shop.must(&doc! { "update": "teas", "$db": "shop", "updates": [expired] });
    shop.must(&doc! { "createIndexes": "teas", "$db": "shop", "indexes": [
        { "key": { "at": 1 }, "name": "at_1", "expireAfterSeconds": 60 },
    ] });
    shop.store().expect("there is room");
    // No room but what is free inside the file, and then not that either.
    disk.set_room(disk.bytes().len());
    let mut next = count;
    for _ in 0..4 {
        shop.store().expect("what was acknowledged has its room");
        while shop.may(&teas(next..next + 20)) {
            next += 20;
        }
    }
    let before = shop.ids();
    shop.env.advance(120_000);
    // The pass would change nearly every page, which is more than is spare.
    assert!(
        shop.ids() == before,
        "it left no trace, and the command went on"
    );
    disk.set_room(64 * MIB);
    shop.env.advance(120_000);
    let left = shop.ids();
    let is_kept = |id: &i32| *id >= count || id % 6 != 0;
    assert!(left == before.into_iter().filter(is_kept).collect());
}
