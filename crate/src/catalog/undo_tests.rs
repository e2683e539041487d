//! Tests of what the catalog undoes, and of what that costs.

use super::*;
use crate::storage::{MOVED, Pager};
use std::rc::Rc;

/// How many entries of sorted maps are moved when all of `count` collections are dropped, undone, and dropped again.
fn moved_by_drops(count: u32) -> usize {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    for number in 0..count {
        catalog
            .create_collection(
                &mut pager,
                &format!("d.c{number:06}"),
                [0; 16],
                CollectionOptions::default(),
            )
            .expect("created");
    }
    let namespaces: Vec<_> = catalog
        .collections_of("d")
        .map(|one| Rc::clone(&one.namespace))
        .collect();
    let before = MOVED.get();
    for keeps in [false, true] {
        let (pages, savepoint) = (pager.savepoint(), catalog.savepoint());
        for namespace in &namespaces {
            catalog
                .drop_collection(&mut pager, namespace)
                .expect("dropped");
        }
        assert_eq!(catalog.collections().count(), 0);
        match keeps {
            true => {
                pager.release(pages);
                catalog.release(savepoint);
            }
            false => {
                catalog.rollback_to(savepoint);
                pager.rollback_to(pages).expect("undone");
            }
        }
        let left = if keeps { 0 } else { count as usize };
        assert_eq!(catalog.collections_of("d").count(), left);
    }
    assert!(catalog.databases().is_empty());
    MOVED.get() - before
}

#[test]
fn a_command_over_all_collections_costs_as_many_steps_as_there_are() {
    let (once, twice) = (moved_by_drops(200), moved_by_drops(400));
    assert!(twice <= 2 * once + 10, "{once} for 200, {twice} for 400");
}

#[test]
fn savepoints_inside_one_another_each_put_their_own_state_back() {
    let mut pager = Pager::new();
    let mut catalog = Catalog::new();
    let mut next = 0;
    let mut remake = |catalog: &mut Catalog, pager: &mut Pager| {
        catalog.drop_collection(pager, "d.a").expect("dropped");
        next += 1;
        catalog
            .create_collection(pager, "d.a", [next; 16], CollectionOptions::default())
            .expect("created");
    };
    let uuid = |catalog: &Catalog| catalog.collection("d.a").map_or(0, |one| one.uuid[0]);
    remake(&mut catalog, &mut pager);
    let outer = catalog.savepoint();
    remake(&mut catalog, &mut pager);
    let inner = catalog.savepoint();
    remake(&mut catalog, &mut pager);
    catalog.rollback_to(inner);
    assert_eq!(uuid(&catalog), 2);
    let kept = catalog.savepoint();
    remake(&mut catalog, &mut pager);
    catalog.release(kept);
    let second = catalog.savepoint();
    remake(&mut catalog, &mut pager);
    catalog.rollback_to(second);
    assert_eq!(uuid(&catalog), 4);
    catalog.rollback_to(outer);
    assert_eq!(uuid(&catalog), 1);
    assert_eq!(catalog.databases(), ["d"]);
}
