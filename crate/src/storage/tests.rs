//! The pager's promises: which pages a commit writes, when a page number is reused, paging in on demand, other tabs.

use super::conformance::block_on;
use super::*;
use crate::env::NoEnv;
use crate::error::{StorageError, StorageFault};

type Result<T = ()> = std::result::Result<T, StorageError>;

fn key(number: u32) -> [u8; 4] {
    number.to_be_bytes()
}

fn planted(count: u32) -> Result<(Pager, Tree)> {
    let mut pager = Pager::new();
    let mut tree = Tree::new();
    for number in 0..count {
        tree.insert(&mut pager, &key(number), &[5; 100])?;
    }
    Ok((pager, tree))
}

fn seal(pager: &mut Pager, tree: Tree) -> Result<CommitBatch> {
    pager.set_catalog_root(tree);
    pager
        .seal()?
        .ok_or_else(|| StorageError::broken("nothing to seal"))
}

fn commit(pager: &mut Pager, tree: Tree, device: &MemoryDevice) -> Result<CommitBatch> {
    let batch = seal(pager, tree)?;
    block_on(device.write(&batch, Durability::Strict))?;
    pager.confirm(batch.sequence);
    Ok(batch)
}

#[test]
fn a_small_write_commits_the_pages_of_its_path_only() -> Result {
    let (mut pager, mut tree) = planted(20_000)?;
    let device = MemoryDevice::new();
    commit(&mut pager, tree, &device)?;
    assert_eq!(tree.height(), 2);
    for number in 0..50 {
        tree.replace(&mut pager, &key(number * 399), &[6; 100])?;
        let batch = commit(&mut pager, tree, &device)?;
        assert_eq!(batch.pages.len(), 2, "a leaf and the root");
        assert!(batch.header.len() < 300);
    }
    assert!(pager.seal()?.is_none(), "nothing changed");
    tree.replace(&mut pager, &key(1), &[7; 100])?;
    tree.replace(&mut pager, &key(2), &[7; 100])?;
    assert_eq!(
        commit(&mut pager, tree, &device)?.pages.len(),
        2,
        "two writes to one leaf are one batch"
    );
    Ok(())
}

#[test]
fn a_page_number_waits_for_its_batch_and_for_snapshots() -> Result {
    let (mut pager, mut tree) = planted(1000)?;
    let first = seal(&mut pager, tree)?;
    pager.confirm(first.sequence);
    let free = pager.reusable_count();
    tree.replace(&mut pager, &key(1), &[6; 100])?;
    assert_eq!(
        pager.reusable_count(),
        free,
        "the copied pages are part of the durable state"
    );
    let second = seal(&mut pager, tree)?;
    assert_eq!(pager.reusable_count(), free, "the batch is not durable");
    let snapshot = pager.open_snapshot();
    pager.confirm(second.sequence);
    assert_eq!(
        pager.reusable_count(),
        free + 2,
        "the snapshot came after the pages were freed"
    );
    tree.replace(&mut pager, &key(1), &[7; 100])?;
    let third = seal(&mut pager, tree)?;
    pager.confirm(third.sequence);
    assert_eq!(
        pager.reusable_count(),
        free,
        "two were taken, and the snapshot sees the two freed ones"
    );
    drop(snapshot);
    let savepoint = pager.savepoint();
    pager.release(savepoint);
    assert_eq!(pager.reusable_count(), free + 2);
    Ok(())
}

#[test]
fn a_command_that_misses_a_page_runs_again() -> Result {
    let (mut pager, mut tree) = planted(30_000)?;
    let device = MemoryDevice::new();
    for number in (0..30_000).step_by(3) {
        tree.remove(&mut pager, &key(number))?;
    }
    commit(&mut pager, tree, &device)?;
    for number in (1..30_000).step_by(150) {
        tree.remove(&mut pager, &key(number))?;
    }
    commit(&mut pager, tree, &device)?;
    let header = block_on(device.read_header())?.expect("a header");
    let mut cold = Pager::open(&header)?;
    let mut faults = 0;
    let mut tree = cold.catalog_root();
    let mut fetch = |cold: &mut Pager, error: StorageError| match error.into_fault() {
        StorageFault::NotResident { page } => {
            faults += 1;
            cold.insert_page(page, &device.page(page).expect("the page is stored"))
        }
        other => panic!("{other}"),
    };
    for number in (0..30_000).step_by(1000) {
        loop {
            let savepoint = cold.savepoint();
            let mut changed = tree;
            match changed.put(&mut cold, &key(number), &[9; 3000]) {
                Ok(_) => {
                    cold.release(savepoint);
                    tree = changed;
                    break;
                }
                Err(error) => {
                    cold.rollback_to(savepoint)?;
                    fetch(&mut cold, error)?;
                }
            }
        }
    }
    let mut cursor = tree.cursor();
    let mut entries = 0;
    loop {
        match cursor.next(&cold) {
            Ok(true) => entries += 1,
            Ok(false) => break,
            Err(error) => fetch(&mut cold, error)?,
        }
    }
    assert_eq!(entries, tree.len());
    assert!(faults > 50, "{faults}");
    assert!(check(&cold, &[("garden", tree)], &NoEnv)?.is_sound());
    Ok(())
}

#[test]
fn another_tab_fetches_what_changed() -> Result {
    let (mut pager, mut tree) = planted(5000)?;
    let device = MemoryDevice::new();
    commit(&mut pager, tree, &device)?;
    let mut other = block_on(load(&device))?.expect("a deployment").pager;
    let mut changed = Vec::new();
    for number in 0..3 {
        tree.replace(&mut pager, &key(number * 700), &[8; 100])?;
        tree.remove(&mut pager, &key(number * 900 + 1))?;
        let batch = commit(&mut pager, tree, &device)?;
        changed.extend(batch.pages.iter().map(|(number, _)| *number));
    }
    let header = block_on(device.read_header())?.expect("a header");
    other.refresh(&header, &changed)?;
    for number in &changed {
        other.insert_page(*number, &device.page(*number).expect("the page is stored"))?;
    }
    other.load_free_list()?;
    assert_eq!(other.catalog_root(), tree);
    assert!(check(&other, &[("garden", tree)], &NoEnv)?.is_sound());
    assert!(other.absent_pages().is_empty());
    let mut theirs = tree;
    theirs.put(&mut other, &key(9), b"theirs")?;
    assert!(
        other.refresh(&header, &[]).is_err(),
        "there are changes that are not stored"
    );
    Ok(())
}

#[test]
fn a_long_free_list_moves_into_pages_and_back() -> Result {
    let mut pager = Pager::new();
    let device = MemoryDevice::new();
    // Every second large value goes, so that the free pages are thousands of runs.
    let mut tree = Tree::new();
    for number in 0..5000 {
        tree.insert(&mut pager, &key(number), &[1; 5000])?;
    }
    commit(&mut pager, tree, &device)?;
    for number in (0..5000).step_by(2) {
        tree.remove(&mut pager, &key(number))?;
    }
    let batch = commit(&mut pager, tree, &device)?;
    assert!(batch.header.len() < 1000, "the free list is in pages");
    assert!(check(&pager, &[("garden", tree)], &NoEnv)?.is_sound());
    let mut loaded = block_on(load(&device))?.expect("a deployment").pager;
    assert_eq!(
        loaded.reusable_count() + tree.page_count() + 1,
        loaded.page_count() - 1
    );
    assert!(check(&loaded, &[("garden", tree)], &NoEnv)?.is_sound());
    for number in (0..5000).step_by(2) {
        tree.insert(&mut loaded, &key(number), &[2; 5000])?;
    }
    let pages = loaded.page_count();
    commit(&mut loaded, tree, &device)?;
    assert!(loaded.page_count() < pages + 100, "free pages were reused");
    assert!(check(&loaded, &[("garden", tree)], &NoEnv)?.is_sound());
    Ok(())
}

#[test]
fn a_command_is_accounted_by_distinct_pages() -> Result {
    let (mut pager, mut tree) = planted(20_000)?;
    pager.take_accounting();
    for _ in 0..10 {
        tree.get(&pager, &key(7))?;
    }
    let counters = pager.take_accounting();
    assert_eq!(
        (
            counters.pages_read,
            counters.pages_written,
            counters.bytes_read
        ),
        (2, 0, 1000)
    );
    tree.replace(&mut pager, &key(7), &[1; 100])?;
    let counters = pager.take_accounting();
    assert_eq!(
        (
            counters.pages_written,
            counters.pages_allocated,
            counters.bytes_written
        ),
        (1, 0, 104)
    );
    pager.seal()?;
    tree.replace(&mut pager, &key(7), &[2; 100])?;
    let counters = pager.take_accounting();
    assert_eq!(
        (
            counters.pages_written,
            counters.pages_allocated,
            counters.pages_freed
        ),
        (2, 2, 2)
    );
    Ok(())
}

#[test]
fn damaged_pages_are_named_and_the_rest_is_read() -> Result {
    let (mut pager, tree) = planted(20_000)?;
    let device = MemoryDevice::new();
    let batch = commit(&mut pager, tree, &device)?;
    let victim = batch.pages[7].0;
    device.put_page(victim, &[1; 100]);
    let loaded = block_on(load(&device))?.expect("a deployment");
    assert_eq!(loaded.damaged, [victim]);
    let (mut read, mut failed) = (0, 0);
    for number in 0..20_000 {
        match tree
            .get(&loaded.pager, &key(number))
            .map_err(StorageError::into_fault)
        {
            Ok(Some(_)) => read += 1,
            Err(StorageFault::Corrupt { page, .. }) if page == victim => failed += 1,
            other => panic!("{number}: {other:?}"),
        }
    }
    assert!(failed > 50 && read > 19_000);
    let report = check(&loaded.pager, &[("garden", tree)], &NoEnv)?;
    assert!(report.problems.iter().any(|problem| problem.page == victim));
    Ok(())
}

#[test]
fn what_was_dropped_before_it_was_stored_is_not_written() -> Result {
    let (mut pager, mut tree) = planted(10)?;
    let device = MemoryDevice::new();
    commit(&mut pager, tree, &device)?;
    let mut dropped = Tree::new();
    for number in 0..20_000 {
        dropped.put(&mut pager, &key(number), &[7; 40])?;
    }
    tree.put(&mut pager, &key(1), b"kept")?;
    pager.set_catalog_root(tree);
    let full = pager.seal()?.expect("there are changes");
    dropped.drop_tree(&mut pager)?;
    tree.put(&mut pager, &key(2), b"kept too")?;
    pager.set_catalog_root(tree);
    pager.seal()?;
    let merged = pager.unconfirmed_batch().expect("nothing is stored");
    assert!(full.pages.len() > 50 && merged.pages.len() == 1);
    block_on(device.write(&merged, Durability::Strict))?;
    pager.confirm(merged.sequence);
    let loaded = block_on(load(&device))?.expect("a deployment");
    assert!(loaded.damaged.is_empty());
    let tree = loaded.pager.catalog_root();
    assert!(check(&loaded.pager, &[("garden", tree)], &NoEnv)?.is_sound());
    assert_eq!(
        tree.get(&loaded.pager, &key(2))?.as_deref(),
        Some(&b"kept too"[..])
    );
    // Writing goes on over the numbers that were never stored.
    for number in 0..20_000 {
        tree_put(&mut pager, &mut dropped, number)?;
    }
    let batch = commit(&mut pager, dropped, &device)?;
    assert!(batch.pages.len() > 50);
    Ok(())
}

fn tree_put(pager: &mut Pager, tree: &mut Tree, number: u32) -> Result {
    tree.put(pager, &key(number), &[8; 40]).map(drop)
}

#[test]
fn a_seal_inside_a_savepoint_is_refused() -> Result {
    let (mut pager, _) = planted(10)?;
    let savepoint = pager.savepoint();
    let refused = pager.seal().expect_err("a savepoint is open");
    assert!(matches!(refused.fault(), StorageFault::Broken { .. }));
    pager.release(savepoint);
    pager.release(savepoint);
    assert!(pager.rollback_to(savepoint).is_err());
    assert!(pager.seal()?.is_some());
    Ok(())
}

/// A device may drop every page of a batch's whole blocks that is not in the batch: nobody misses it.
#[test]
fn whole_blocks_have_every_page_in_use() -> Result {
    let (mut pager, mut tree) = planted(20_000)?;
    let device = MemoryDevice::new();
    let (mut whole, mut with_unchanged) = (0, 0);
    for round in 0u32..40 {
        // A stretch of the keys: some blocks change, some for the most part, most not at all.
        let start = round * 7919 % 18_000;
        for number in start..start + 400 + round * 150 {
            tree.put(&mut pager, &key(number), &[round as u8; 120])?;
        }
        let changed = seal(&mut pager, tree)?.pages.len();
        let batch = pager.unconfirmed_batch().expect("it was just sealed");
        assert!(batch.pages.is_sorted_by_key(|(number, _)| *number));
        whole += batch.whole_blocks.len();
        with_unchanged += usize::from(batch.pages.len() > changed);
        block_on(device.write(&batch, Durability::Strict))?;
        pager.confirm(batch.sequence);
        for block in &batch.whole_blocks {
            for number in block * BLOCK_PAGES..(block + 1) * BLOCK_PAGES {
                let place = batch
                    .pages
                    .binary_search_by_key(&number, |(number, _)| *number);
                if place.is_err() {
                    device.remove_page(number);
                }
            }
        }
        let loaded = block_on(load(&device))?.expect("a deployment");
        assert!(loaded.damaged.is_empty(), "after round {round}");
        assert!(
            check(
                &loaded.pager,
                &[("garden", loaded.pager.catalog_root())],
                &NoEnv
            )?
            .is_sound()
        );
    }
    assert!(whole > 20 && with_unchanged > 5, "{whole} {with_unchanged}");
    Ok(())
}
