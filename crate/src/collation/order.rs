//! The order of the strings that were met: each gets a label, equal ones the same.
//!
//! Invariant: a label never changes, so keys made earlier stay comparable with later ones; strings are compared by
//! the host only while a new one is put in its place.

use super::labels::between;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Longer runs are split in two.
const LONGEST_RUN: usize = 256;

struct Entry {
    text: Box<str>,
    label: Rc<str>,
}

/// Strings in the order of a comparison.
#[derive(Default)]
pub struct StringOrder {
    /// Runs of strings, none of them empty, each and all together in order.
    runs: Vec<Vec<Entry>>,
    /// The labels of the very strings that were met.
    known: BTreeMap<Box<str>, Rc<str>>,
}

impl StringOrder {
    /// The label of a string.
    pub fn label(
        &mut self,
        text: &str,
        compare: &mut dyn FnMut(&str, &str) -> Ordering,
    ) -> Rc<str> {
        if let Some(label) = self.known.get(text) {
            return Rc::clone(label);
        }
        let label = self.place(text, compare);
        self.known.insert(text.into(), Rc::clone(&label));
        label
    }

    fn place(&mut self, text: &str, compare: &mut dyn FnMut(&str, &str) -> Ordering) -> Rc<str> {
        // The run that starts at or before the string, or the first one.
        let run = self
            .runs
            .partition_point(|run| {
                run.first()
                    .is_some_and(|entry| compare(&entry.text, text).is_le())
            })
            .saturating_sub(1);
        let Some(entries) = self.runs.get(run) else {
            let label: Rc<str> = between(None, None).into();
            self.runs.push(vec![Entry {
                text: text.into(),
                label: Rc::clone(&label),
            }]);
            return label;
        };
        let at = entries.partition_point(|entry| compare(&entry.text, text).is_lt());
        let above = entries
            .get(at)
            .or_else(|| self.runs.get(run + 1).and_then(|next| next.first()));
        if let Some(equal) = above.filter(|entry| compare(&entry.text, text).is_eq()) {
            return Rc::clone(&equal.label);
        }
        let below = at.checked_sub(1).and_then(|at| entries.get(at));
        let label: Rc<str> = between(
            below.map(|entry| &*entry.label),
            above.map(|entry| &*entry.label),
        )
        .into();
        let entries = &mut self.runs[run];
        entries.insert(
            at,
            Entry {
                text: text.into(),
                label: Rc::clone(&label),
            },
        );
        if entries.len() > LONGEST_RUN {
            let second = entries.split_off(LONGEST_RUN / 2);
            self.runs.insert(run + 1, second);
        }
        label
    }

    /// One string of each kind, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().flatten().map(|entry| &*entry.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    #[test]
    fn labels_sort_as_the_comparison_says() {
        let folded = |a: &str, b: &str| a.to_lowercase().cmp(&b.to_lowercase());
        let mut random = Random::new(11);
        let mut order = StringOrder::default();
        let texts: Vec<String> = (0..3000)
            .map(|_| {
                let number = random.next_u64() % 2000;
                let text = format!("{number:x}");
                if random.next_u64().is_multiple_of(2) {
                    text.to_uppercase()
                } else {
                    text
                }
            })
            .collect();
        let labels: Vec<Rc<str>> = texts
            .iter()
            .map(|text| order.label(text, &mut { folded }))
            .collect();
        for (text, label) in texts.iter().zip(&labels) {
            assert_eq!(order.label(text, &mut { folded }), *label);
        }
        for at in 1..texts.len() {
            let expected = folded(&texts[at - 1], &texts[at]);
            assert_eq!(labels[at - 1].cmp(&labels[at]), expected);
        }
        let mut texts = order.texts();
        let mut before = texts.next().expect("there are strings");
        for text in texts {
            assert!(folded(before, text).is_lt());
            before = text;
        }
    }
}
