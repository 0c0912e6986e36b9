//! The `task_summary` beside a typed result.

use crate::json::write::concat;

/// The longest `task_summary` in characters, its cut mark included.
pub const SUMMARY_LIMIT: usize = 600;

/// The child's last text beside a typed result: trimmed, at most [`SUMMARY_LIMIT`] characters with a visible cut;
/// nothing when it is blank.
pub fn task_summary(text: &str) -> Option<String> {
    const CUT: &str = " […]";
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if text.chars().count() <= SUMMARY_LIMIT {
        return Some(text.to_owned());
    }
    let kept: String = text.chars().take(SUMMARY_LIMIT - CUT.chars().count()).collect();
    Some(concat(&[kept.trim_end(), CUT]))
}
