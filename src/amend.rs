//! Changing a JSON text in places: what is not changed stays to the letter, an id of 19 digits and its white space included.

use crate::json::sort::sort_pairs;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::{pointer, write};
use crate::members::{Unreadable, push_member};

/// The text with `value`, which is JSON text, at `pointer`: in place of what stands there, or as a new member or last item of
/// what the pointer leads into.
///
/// # Errors
/// When the pointer is none, or leads into nothing.
pub fn set(tape: &Tape, pointer: &str, value: &str) -> Result<String, Unreadable> {
    let nowhere = || Unreadable(write::concat(&["there is nothing at ", pointer]));
    let mut tokens =
        pointer::tokens(pointer).ok_or_else(|| Unreadable(write::concat(&[pointer, " is no JSON pointer"])))?;
    let Some(last) = tokens.pop() else { return Ok(value.to_owned()) };
    let parent = tokens.iter().try_fold(0, |at, token| pointer::step(tape, at, token)).ok_or_else(nowhere)?;
    if let Some(node) = pointer::step(tape, parent, &last) {
        return Ok(splice(tape, tape.offset(node), tape.source(node).len(), value));
    }
    let mut added = String::new();
    if tape.count(parent) > 0 {
        added.push(',');
    }
    match tape.tag(parent) {
        Tag::Object => {
            write::string(&mut added, &last);
            added.push(':');
        }
        Tag::Array if last == "-" || pointer::array_index(&last) == Some(tape.count(parent)) => {}
        _ => return Err(nowhere()),
    }
    added.push_str(value);
    let bracket = tape.offset(parent) + tape.source(parent).len() - 1;
    Ok(splice(tape, bracket, 0, &added))
}

/// The text with `length` bytes from `at` on replaced.
fn splice(tape: &Tape, at: usize, length: usize, value: &str) -> String {
    let text = tape.source(0);
    let at = at - tape.offset(0);
    write::concat(&[text.get(..at).unwrap_or_default(), value, text.get(at + length..).unwrap_or_default()])
}

/// The text that a recipe makes of another text. A recipe is JSON:
/// - `true`: the value in the same place, to the letter;
/// - a number: that item of the array in the same place, to the letter;
/// - a string: the JSON text of a new value;
/// - an object or an array: such a value, of recipes.
///
/// # Errors
/// When the recipe asks for what is not there.
pub fn rebuild(original: &Tape, recipe: &Tape) -> Result<String, Unreadable> {
    let mut out = String::new();
    cook(original, Some(0), recipe, 0, &mut out)?;
    Ok(out)
}

/// `from` is what stands in the same place of the original. Recursion is bounded by the depth that the recipe was parsed under.
fn cook(original: &Tape, from: Option<NodeId>, recipe: &Tape, at: NodeId, out: &mut String) -> Result<(), Unreadable> {
    let missing = || Unreadable("a recipe asks for what is not there".to_owned());
    match recipe.tag(at) {
        Tag::True => out.push_str(original.source(from.ok_or_else(missing)?)),
        Tag::String => out.push_str(recipe.string(at)),
        Tag::Object => {
            out.push('{');
            let mut members: Vec<(NodeId, NodeId)> =
                from.map(|from| original.members(from).collect()).unwrap_or_default();
            sort_pairs(&mut members, &mut |a, b| original.string(a.0).cmp(original.string(b.0)));
            for (name, member) in recipe.members(at) {
                let name = recipe.string(name);
                let same = members.binary_search_by(|(key, _)| original.string(*key).cmp(name));
                let same = same.ok().and_then(|index| members.get(index)).map(|(_, value)| *value);
                push_member(out, name, "");
                cook(original, same, recipe, member, out)?;
            }
            out.push('}');
        }
        Tag::Array => {
            out.push('[');
            let items: Vec<NodeId> = from.map(|from| original.items(from).collect()).unwrap_or_default();
            for (index, item) in recipe.items(at).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                if recipe.tag(item) == Tag::Number {
                    let kept = pointer::array_index(recipe.number(item)).and_then(|index| items.get(index as usize));
                    out.push_str(original.source(*kept.ok_or_else(missing)?));
                } else {
                    cook(original, items.get(index).copied(), recipe, item, out)?;
                }
            }
            out.push(']');
        }
        _ => return Err(missing()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::tape::Limits;

    fn tape(text: &str) -> Tape {
        Tape::parse(text.as_bytes(), Limits::default()).unwrap()
    }

    #[test]
    fn a_set_value_leaves_the_rest_to_the_letter() {
        let text = " { \"id\": 9007199254740993123, \"effort\": {\"n\": 1e400 }, \"list\": [ ] , \"a/b\": [1, 2]}";
        let set = |pointer, value| set(&tape(text), pointer, value).map_err(|error| error.0);
        let with = |from: &str, to: &str| Ok(text.trim_start().replace(from, to));
        assert_eq!(set("/effort/n", "true"), with("1e400", "true"));
        assert_eq!(set("/effort/budget_exhausted", "true"), with("1e400 }", "1e400 ,\"budget_exhausted\":true}"));
        assert_eq!(set("/list/-", "[0]"), with("[ ]", "[ [0]]"));
        assert_eq!(set("/list/0", "0"), with("[ ]", "[ 0]"));
        assert_eq!(set("/a~1b/1", "\"x\""), with("2]", "\"x\"]"));
        assert_eq!(set("/a~1b/2", "3"), with("2]", "2,3]"));
        assert_eq!(set("", "[]"), Ok("[]".to_owned()));
        for (pointer, why) in [
            ("/none/x", "there is nothing at /none/x"),
            ("/id/x", "there is nothing at /id/x"),
            ("/a~1b/3", "there is nothing at /a~1b/3"),
            ("id", "id is no JSON pointer"),
        ] {
            assert_eq!(set(pointer, "0"), Err(why.to_owned()));
        }
    }

    #[test]
    fn a_byte_order_mark_does_not_shift_what_is_set() {
        assert_eq!(set(&tape("\u{feff}{\"a\":1}"), "/a", "2").unwrap(), "{\"a\":2}");
    }

    #[test]
    fn a_recipe_keeps_what_it_does_not_change() {
        let original = tape(r#"{"2": 12345678901234567890, "1": {"x" : 1e400}, "list": [1.0, "\u0041", {"y": 2}]}"#);
        let made = |recipe: &str| rebuild(&original, &tape(recipe)).map_err(|error| error.0);
        assert_eq!(made("true").as_deref(), Ok(original.source(0)));
        assert_eq!(
            made(r#"{"1":true,"2":true,"new":"[1]","list":[2,"\"b\"",0,{"y":"3"}]}"#).as_deref(),
            Ok(r#"{"1":{"x" : 1e400},"2":12345678901234567890,"new":[1],"list":[{"y": 2},"b",1.0,{"y":3}]}"#)
        );
        assert_eq!(made(r#"{"list":[true,true,{"y":true}]}"#).as_deref(), Ok(r#"{"list":[1.0,"\u0041",{"y":2}]}"#));
        for bad in [r#"{"none":true}"#, r#"{"list":[7]}"#, "[true]", "false"] {
            assert_eq!(made(bad), Err("a recipe asks for what is not there".to_owned()), "{bad}");
        }
    }
}
