//! Plain collections: documents in the order of their RecordIds, as many as there is room for.
//!
//! Manual: reference/method/db.createCollection. A plain collection answers every question as the rules do of
//! themselves.

use super::kind::KindRules;

/// The kind of a collection that was created without an option of another kind.
pub(super) struct Plain;

impl KindRules for Plain {}

#[cfg(test)]
mod tests {
    use crate::bson::Document;
    use crate::catalog::collections::{CollectionKind, ExpiryChange, KindChanges};

    #[test]
    fn a_plain_collection_has_nothing_of_the_other_kinds() {
        let plain = CollectionKind::read(Document::EMPTY);
        assert_eq!(plain, CollectionKind::Plain);
        assert!(plain.view().is_none() && plain.limits().is_none() && plain.clustering().is_none());
        let ask = |size, expiry| {
            let changes = KindChanges {
                size,
                max: None,
                expiry,
                series: None,
            };
            plain.rules().changed(&changes)
        };
        assert_eq!(ask(None, ExpiryChange::Keep), Ok(None));
        let message = |changed: Result<_, crate::error::CommandError>| {
            let error = changed.expect_err("a plain collection has no such option");
            error.message.as_str().to_owned()
        };
        assert_eq!(
            message(ask(Some(512), ExpiryChange::Keep)),
            "Collection must be capped."
        );
        assert!(message(ask(Some(0), ExpiryChange::Keep)).contains("cappedSize"));
        assert!(message(ask(None, ExpiryChange::Off)).contains("clustered by _id"));
    }
}
