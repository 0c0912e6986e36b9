//! Completing the beginning of a JSON text at random, to see that what was rejected could not have become valid.

use crate::generator::choices::Choices;
use crate::generator::schema::value;

enum Place {
    Value,
    ItemOrEnd,
    NameOrEnd,
    Name,
    Colon,
    After,
    Text { name: bool },
    Word(String),
}

/// A whole JSON text that starts with `beginning`, which is one's. It may name a member twice.
pub fn complete(beginning: &str, choices: &mut Choices<'_>) -> String {
    let (mut open, mut place) = read(beginning);
    let mut text = beginning.to_owned();
    for step in 0.. {
        // Choices may be many, the end has to come.
        let more = |choices: &mut Choices<'_>| step < 40 && choices.once_in(2);
        place = match place {
            Place::Text { name } => {
                text.push_str(choices.pick(&["", "", "a", "b1", "é", "-01-01"]));
                text.push('"');
                if name { Place::Colon } else { Place::After }
            }
            Place::Word(word) => {
                match ["true", "false", "null"].iter().find(|whole| whole.starts_with(&word)) {
                    Some(whole) => text.push_str(&whole[word.len()..]),
                    None => {
                        if !word.ends_with(|last: char| last.is_ascii_digit()) {
                            text.push('1');
                        }
                        let fraction = if word.contains(['.', 'e', 'E']) { "0" } else { ".5" };
                        text.push_str(choices.pick(&["", "", fraction]));
                    }
                }
                Place::After
            }
            Place::Colon => {
                text.push(':');
                Place::Value
            }
            Place::Value => {
                text.push_str(&value(choices, 2).text());
                Place::After
            }
            Place::ItemOrEnd if more(choices) => Place::Value,
            Place::NameOrEnd if more(choices) => Place::Name,
            Place::Name => {
                let name = ["a", "b", "c", "ab", "a1", "é"][choices.below(6)];
                text.push_str(&if choices.once_in(3) { format!("\"{name}\"") } else { format!("\"n{step}\"") });
                Place::Colon
            }
            Place::After if open.is_empty() => return text,
            Place::After if more(choices) => {
                text.push(',');
                if open.last() == Some(&'{') { Place::Name } else { Place::Value }
            }
            Place::After | Place::ItemOrEnd | Place::NameOrEnd => {
                text.push(if open.pop() == Some('{') { '}' } else { ']' });
                Place::After
            }
        };
    }
    text
}

/// The brackets that are open at the end of a text, and what can come there.
fn read(text: &str) -> (Vec<char>, Place) {
    let mut open = Vec::new();
    let mut place = Place::Value;
    let mut escaped = false;
    for character in text.trim_start_matches('\u{feff}').chars() {
        if let Place::Word(word) = &mut place {
            if character.is_ascii_alphanumeric() || "+-.".contains(character) {
                word.push(character);
                continue;
            }
            place = Place::After;
        }
        place = match (place, character) {
            (Place::Text { name }, '"') if !escaped => {
                if name {
                    Place::Colon
                } else {
                    Place::After
                }
            }
            (text @ Place::Text { .. }, _) => {
                escaped = character == '\\' && !escaped;
                text
            }
            (place, ' ' | '\n' | '\r' | '\t') => place,
            (Place::Colon, _) => Place::Value,
            (Place::NameOrEnd | Place::Name, '"') => Place::Text { name: true },
            (Place::After, ',') if open.last() == Some(&'{') => Place::Name,
            (Place::After, ',') => Place::Value,
            (_, '}' | ']') => {
                open.pop();
                Place::After
            }
            (_, '"') => Place::Text { name: false },
            (_, '{') => {
                open.push('{');
                Place::NameOrEnd
            }
            (_, '[') => {
                open.push('[');
                Place::ItemOrEnd
            }
            (_, first) => Place::Word(first.to_string()),
        };
    }
    (open, place)
}
