//! Sorting with one merge sort for the whole engine.
//!
//! The standard library compiles its sort anew for every type and every comparison, several kilobytes each. Here only
//! the moving of items is compiled per type; the merge sort itself works on positions and exists once. Where sorting
//! takes most of the time (`$sort`, index builds), the standard sort is used instead.
//!
//! Invariants: stable; a comparison that is no total order gives some order, never a panic; lists of up to
//! `FEW` items are sorted where they are, without an allocation. A list as long as a document or a collection makes it
//! is sorted by `sort_asking`, which can be interrupted.

use crate::env::{Env, NoEnv};
use crate::error::CommandError;
use std::cmp::Ordering;

/// Lists up to this length are sorted by insertion.
const FEW: usize = 12;

/// How many items are merged between two questions whether to go on.
const STEPS_AT_ONCE: usize = 64;

/// Sorts items, keeping the order of equal ones.
pub fn sort_by<T>(items: &mut [T], compare: &mut dyn FnMut(&T, &T) -> Ordering) {
    // This host never says no.
    let _ = sort_asking(&NoEnv, items, compare);
}

/// Sorts items and drops those that equal an earlier one; asks the host whether to go on.
///
/// # Errors
/// The error of `Env::checkpoint`; the items are as they were then.
pub fn sort_distinct<T>(
    env: &dyn Env,
    items: &mut Vec<T>,
    compare: &mut dyn FnMut(&T, &T) -> Ordering,
) -> Result<(), CommandError> {
    sort_asking(env, items, compare)?;
    items.dedup_by(|later, first| compare(later, first).is_eq());
    Ok(())
}

/// Sorts items, keeping the order of equal ones; asks the host whether to go on.
///
/// # Errors
/// The error of `Env::checkpoint`; the items are as they were then.
#[inline(never)]
pub fn sort_asking<T>(
    env: &dyn Env,
    items: &mut [T],
    compare: &mut dyn FnMut(&T, &T) -> Ordering,
) -> Result<(), CommandError> {
    if items.len() <= FEW {
        for end in 1..items.len() {
            let mut at = end;
            while at > 0 && compare(&items[at - 1], &items[at]) == Ordering::Greater {
                items.swap(at - 1, at);
                at -= 1;
            }
        }
        return Ok(());
    }
    let mut sources = sorted_positions(env, items.len(), &mut |left, right| {
        compare(&items[left], &items[right]) == Ordering::Greater
    })?;
    // Each cycle of the permutation is followed once; a place that got its item is its own source.
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let source = std::mem::replace(&mut sources[at], at);
            if source == start {
                break;
            }
            items.swap(at, source);
            at = source;
        }
    }
    Ok(())
}

/// Sorts items by their own order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, &mut |left, right| left.cmp(right));
}

/// Which position comes first, second and so on; `follows` says whether one belongs behind another. Asks the host
/// whether to go on.
///
/// # Errors
/// The error of `Env::checkpoint`.
#[inline(never)]
pub fn sorted_positions(
    env: &dyn Env,
    count: usize,
    follows: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Vec<usize>, CommandError> {
    let mut steps = 0_usize;
    let mut ask = || {
        steps += 1;
        match steps % STEPS_AT_ONCE {
            0 => env.checkpoint(),
            _ => Ok(()),
        }
    };
    let mut runs: Vec<usize> = (0..count).collect();
    let mut merged = runs.clone();
    let mut width = 1;
    while width < count {
        for start in (0..count).step_by(width * 2) {
            let middle = (start + width).min(count);
            let end = (middle + width).min(count);
            ask()?;
            if middle == end || !follows(runs[middle - 1], runs[middle]) {
                merged[start..end].copy_from_slice(&runs[start..end]);
                continue;
            }
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                ask()?;
                let takes_right =
                    left == middle || (right < end && follows(runs[left], runs[right]));
                let next = if takes_right { &mut right } else { &mut left };
                *place = runs[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut runs, &mut merged);
        width *= 2;
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::env::testing::Patience;

    #[test]
    fn sorts_as_the_standard_library_does_and_keeps_equal_items_in_order() {
        let mut random = Random::new(7);
        for length in (0..40).chain([100, 1000, 1025]) {
            for kinds in [1, 3, 1 << 30] {
                let mut items: Vec<(u64, usize)> = (0..length)
                    .map(|position| (random.next_u64() % kinds, position))
                    .collect();
                let mut expected = items.clone();
                expected.sort_by_key(|item| item.0);
                sort_by(&mut items, &mut |left, right| left.0.cmp(&right.0));
                assert_eq!(items, expected, "{length} items of {kinds} kinds");
            }
        }
    }

    #[test]
    fn sorted_and_reversed_lists_and_lists_that_own_memory() {
        let names: Vec<String> = (0..50).map(|number| format!("{number:03}")).collect();
        let mut items = names.clone();
        sort(&mut items);
        assert_eq!(items, names);
        items.reverse();
        sort(&mut items);
        assert_eq!(items, names);
    }

    #[test]
    fn a_comparison_without_order_keeps_every_item() {
        for length in [5, 12, 13, 200] {
            let mut items: Vec<usize> = (0..length).collect();
            sort_by(&mut items, &mut |_, _| Ordering::Greater);
            items.sort_unstable();
            assert_eq!(items, (0..length).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_long_sort_is_interrupted_and_what_equals_an_earlier_item_is_dropped() {
        let items = || (0..10_000_u64).map(|n| n * 7919 % 5000).collect::<Vec<_>>();
        let patient = Patience::of(u64::MAX);
        let mut sorted = items();
        sort_distinct(&patient, &mut sorted, &mut u64::cmp).expect("it is patient");
        assert_eq!(sorted, (0..5000).collect::<Vec<_>>());
        // N log N of 10 000 is 140 000.
        assert!(
            (1000..10_000).contains(&patient.asked()),
            "{}",
            patient.asked()
        );
        let impatient = Patience::of(100);
        let mut unsorted = items();
        assert!(sort_asking(&impatient, &mut unsorted, &mut u64::cmp).is_err());
        assert_eq!((unsorted, impatient.asked()), (items(), 101));
    }
}
