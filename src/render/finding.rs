//! A finding as a line: with its confidence, its provenance last.

use super::lines::{Class, Lines, Marker};
use super::record::items_or_itself;
use crate::members::Value;

impl Lines {
    /// A finding: never without its confidence.
    pub(super) fn finding(&mut self, item: Value<'_>, whose: Option<&str>, merge: bool) {
        let confidence = item.text_of("confidence");
        let by_child = if merge { item.list_of("by_child") } else { Vec::new() };
        self.put("finding");
        self.put_marker(Marker::Finding);
        self.put(", ");
        match confidence {
            Some(word) => self.put_name(word),
            None => self.put("confidence not given"),
        }
        self.put_owner(whose);
        self.put_owners(&by_child, confidence);
        self.put(": ");
        match item.member("claim") {
            Some(claim) => {
                self.put_value(claim);
                let shown = ["by_child", "claim", "provenance", "confidence"];
                self.put_rest(None, item, shown.get(usize::from(!merge)..).unwrap_or_default());
            }
            None => self.put_value(item),
        }
        self.put_own(&by_child);
        let tail = self.here();
        if item.member("claim").is_some() {
            let mut before = " | provenance: ";
            for source in items_or_itself(item.member("provenance")) {
                self.put(before);
                self.put_value(source);
                before = ", ";
            }
        }
        let class = match confidence {
            Some("verified") => Class::Verified,
            Some("inferred") => Class::Inferred,
            _ => Class::Reported,
        };
        self.end_with_tail(class, tail);
    }
}
