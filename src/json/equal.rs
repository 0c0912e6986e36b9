//! Equality and order of JSON values: numbers by value, objects whatever the order of their members.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::number::Decimal;
use super::scan::hash;
use super::sort::sort_pairs;
use super::tape::{NodeId, Tag, Tape};

/// Whether two values are equal as JSON.
pub(crate) fn equal(a: &Tape, x: NodeId, b: &Tape, y: NodeId) -> bool {
    let (left, right) = (a.node(x), b.node(y));
    if left.tag != right.tag {
        return false;
    }
    match left.tag {
        Tag::Null | Tag::False | Tag::True => true,
        Tag::String => a.string_bytes(left) == b.string_bytes(right),
        Tag::Number => {
            let (left, right) = (a.number_bytes(left), b.number_bytes(right));
            left == right || Decimal::parse(left) == Decimal::parse(right)
        }
        Tag::Array => left.length == right.length && a.items(x).zip(b.items(y)).all(|(x, y)| equal(a, x, b, y)),
        Tag::Object if left.length != right.length => false,
        Tag::Object if left.length <= 8 => a.members(x).all(|(name, value)| {
            let key = a.node(name);
            b.find(y, a.string_bytes(key), key.link).is_some_and(|other| equal(a, value, b, other))
        }),
        Tag::Object => compare(a, x, b, y) == Ordering::Equal,
    }
}

/// A total order of JSON values, under which equal values are equal.
pub(crate) fn compare(a: &Tape, x: NodeId, b: &Tape, y: NodeId) -> Ordering {
    let (left, right) = (a.node(x), b.node(y));
    let by_kind = (left.tag as u8).cmp(&(right.tag as u8));
    if by_kind != Ordering::Equal {
        return by_kind;
    }
    match left.tag {
        Tag::Null | Tag::False | Tag::True => Ordering::Equal,
        Tag::String => a.string_bytes(left).cmp(b.string_bytes(right)),
        Tag::Number => Decimal::parse(a.number_bytes(left)).cmp(&Decimal::parse(b.number_bytes(right))),
        Tag::Array => left.length.cmp(&right.length).then_with(|| {
            let unequal = a.items(x).zip(b.items(y)).map(|(x, y)| compare(a, x, b, y)).find(|order| order.is_ne());
            unequal.unwrap_or(Ordering::Equal)
        }),
        Tag::Object => left.length.cmp(&right.length).then_with(|| {
            let unequal = sorted_members(a, x)
                .into_iter()
                .zip(sorted_members(b, y))
                .map(|((k, v), (l, w))| a.string(k).cmp(b.string(l)).then_with(|| compare(a, v, b, w)));
            unequal.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }),
    }
}

/// Members in order of their names' bytes.
fn sorted_members(tape: &Tape, object: NodeId) -> Vec<(NodeId, NodeId)> {
    let mut members: Vec<(NodeId, NodeId)> = tape.members(object).collect();
    sort_pairs(&mut members, &mut |a, b| tape.string(a.0).cmp(tape.string(b.0)));
    members
}

/// The positions of two equal items of an array: of all pairs, the one whose later item comes first.
pub(crate) fn first_repeated(tape: &Tape, array: NodeId) -> Option<(u32, u32)> {
    let count = tape.count(array);
    if count <= 8 {
        for (second, later) in tape.items(array).enumerate() {
            let same = tape.items(array).take(second).position(|earlier| equal(tape, earlier, tape, later));
            if let Some(first) = same {
                return Some((first as u32, second as u32));
            }
        }
        return None;
    }
    // Equal values have equal hashes; where unequal ones have them too, the order of values keeps this O(n log n).
    let hashes: Vec<u64> = tape.items(array).map(|item| value_hash(tape, item)).collect();
    let hash_of = |position: u32| hashes.get(position as usize).copied().unwrap_or(0);
    let mut items: Vec<(u32, NodeId)> = tape.items(array).enumerate().map(|(at, item)| (at as u32, item)).collect();
    sort_pairs(&mut items, &mut |a, b| {
        hash_of(a.0).cmp(&hash_of(b.0)).then_with(|| compare(tape, a.1, tape, b.1)).then(a.0.cmp(&b.0))
    });
    let repeats = items.windows(2).filter_map(|pair| match pair {
        [a, b] if hash_of(a.0) == hash_of(b.0) && equal(tape, a.1, tape, b.1) => Some((a.0, b.0)),
        _ => None,
    });
    repeats.min_by_key(|pair| pair.1)
}

/// A hash under which equal values are equal.
fn value_hash(tape: &Tape, id: NodeId) -> u64 {
    let node = tape.node(id);
    let own = match node.tag {
        Tag::Null | Tag::False | Tag::True => 0,
        Tag::String => hash(tape.string_bytes(node)) as u64,
        Tag::Number => {
            let mut mixer = Mixer(0);
            Decimal::parse(tape.number_bytes(node)).hash(&mut mixer);
            mixer.finish()
        }
        Tag::Array => tape.items(id).fold(1, |sum: u64, item| mixed(sum, value_hash(tape, item))),
        // A sum does not depend on the order of the members.
        Tag::Object => tape.members(id).fold(1, |sum: u64, (name, value)| {
            sum.wrapping_add(mixed(tape.node(name).link as u64, value_hash(tape, value)))
        }),
    };
    mixed(own, node.tag as u64)
}

fn mixed(state: u64, value: u64) -> u64 {
    let product = (state.rotate_left(29) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}

struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = mixed(self.0, *byte as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tape(text: &str) -> Tape {
        Tape::parse(text.as_bytes(), Default::default()).unwrap()
    }

    #[test]
    fn values_are_equal_by_value() {
        let equals = |a: &str, b: &str| {
            let (a, b) = (tape(a), tape(b));
            let same = equal(&a, 0, &b, 0);
            assert_eq!(same, compare(&a, 0, &b, 0) == Ordering::Equal);
            assert!(!same || value_hash(&a, 0) == value_hash(&b, 0));
            same
        };
        assert!(equals("1.0", "1") && equals("1e2", "100") && equals("-0", "0") && equals("\"\\u0061\"", "\"a\""));
        assert!(equals(r#"{"a":1,"b":[{}]}"#, r#"{"b":[{}],"a":1.0}"#));
        assert!(!equals("9007199254740993", "9007199254740992") && !equals("0", "false") && !equals("[1,2]", "[2,1]"));
        assert!(!equals(r#"{"a":1}"#, r#"{"b":1}"#) && !equals("\"1\"", "1") && !equals("{}", "[]"));
        let many = |order: &mut dyn Iterator<Item = u32>| {
            let members: Vec<String> = order.map(|i| format!("\"k{i}\":{i}")).collect();
            format!("{{{}}}", members.join(","))
        };
        assert!(equals(&many(&mut (0..20)), &many(&mut (0..20).rev())));
        assert!(!equals(&many(&mut (0..20)), &many(&mut (1..21))));
    }

    #[test]
    fn the_first_repeated_item_is_found_among_few_and_many() {
        assert_eq!(first_repeated(&tape("[1,2,3,2.0,1]"), 0), Some((1, 3)));
        assert_eq!(first_repeated(&tape("[[1],[2],{\"a\":1},{\"a\":2}]"), 0), None);
        let mut items: Vec<String> = (0..100).map(|i| i.to_string()).collect();
        assert_eq!(first_repeated(&tape(&format!("[{}]", items.join(","))), 0), None);
        items[77] = "5.0".into();
        items[60] = "4e0".into();
        assert_eq!(first_repeated(&tape(&format!("[{}]", items.join(","))), 0), Some((4, 60)));
    }
}
