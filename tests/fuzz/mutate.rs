//! Mutants: a seed with a few of its bytes changed, moved, cut out, or words of JSON and JSON Schema put in.

use crate::generator::choices::Choices;

const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u",
    "\\ud83d",
    "\\udc00",
    "\\u0000",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1e400",
    "1.5",
    "-1",
    "18446744073709551616",
    "é",
    "😀",
    "\u{feff}",
    "\u{2028}",
    " ",
    "\n",
    "\t",
    "{}",
    "[]",
    "\"a\"",
    "\"\"",
    "\"a\":",
    "\"\":",
    "\"$ref\":\"#\"",
    "\"$ref\":\"#/$defs/a\"",
    "\"$id\":\"a\"",
    "\"$anchor\":\"a\"",
    "\"$dynamicAnchor\":\"a\"",
    "\"$dynamicRef\":\"#a\"",
    "\"$recursiveAnchor\":true",
    "\"$recursiveRef\":\"#\"",
    "\"$schema\":\"http://json-schema.org/draft-07/schema#\"",
    "\"$defs\":",
    "\"type\":",
    "\"enum\":",
    "\"const\":",
    "\"multipleOf\":",
    "\"minimum\":",
    "\"maxLength\":",
    "\"pattern\":",
    "\"(a|b)*?\"",
    "\"[^\\\\p{L}]\"",
    "\"format\":",
    "\"date-time\"",
    "\"items\":",
    "\"prefixItems\":",
    "\"contains\":",
    "\"minContains\":",
    "\"uniqueItems\":true",
    "\"properties\":",
    "\"patternProperties\":",
    "\"additionalProperties\":",
    "\"propertyNames\":",
    "\"required\":",
    "\"dependentRequired\":",
    "\"dependentSchemas\":",
    "\"dependencies\":",
    "\"allOf\":",
    "\"anyOf\":",
    "\"oneOf\":",
    "\"not\":",
    "\"if\":",
    "\"then\":",
    "\"else\":",
    "\"unevaluatedProperties\":",
    "\"unevaluatedItems\":",
    "\"x-unknown\":",
    "\"__proto__\":",
];

/// Bytes that mean something to a parser, or nothing anywhere.
const BYTES: &[u8] = b"\"\\{}[]:,-+.0123456789eEtfnu \n\x00\x1f\x7f\x80\xbf\xc2\xe2\xed\xf0\xff";

/// A mutant of one of the seeds: more often one that is still JSON.
pub fn mutated(seeds: &[Vec<u8>], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut bytes = pick(seeds, choices).clone();
    if choices.below(3) > 0 {
        for _ in 0..1 + choices.below(4) {
            change_value(&mut bytes, seeds, choices);
        }
    } else {
        for _ in 0..1 + choices.below(5) {
            change_bytes(&mut bytes, seeds, choices);
        }
    }
    bytes
}

/// Puts a value, or a name, of some seed or a word in the place of another.
fn change_value(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], choices: &mut Choices<'_>) {
    let Some((from, to)) = value(bytes, choices) else { return };
    let donor = pick(seeds, choices);
    let new = match (choices.below(4), value(donor, choices)) {
        (0..3, Some((from, to))) => donor[from..to].to_vec(),
        _ => choices.pick(WORDS).as_bytes().to_vec(),
    };
    // A name in the place of a name more often than a value.
    if bytes[from] == b'"' && new.first() != Some(&b'"') && choices.below(4) > 0 {
        return;
    }
    bytes.splice(from..to, new);
}

/// Where some value or member name stands in a text that is roughly JSON.
fn value(bytes: &[u8], choices: &mut Choices<'_>) -> Option<(usize, usize)> {
    let (mut found, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => open.push(start),
            b'}' | b']' => found.extend(open.pop().map(|start| (start, at))),
            b'"' => {
                while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                found.push((start, at));
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9' | b'E' | b'a'..=b'z'))
                    .count();
                found.push((start, at));
            }
            _ => {}
        }
    }
    let index = choices.below(256) << 8 | choices.below(256);
    found.get(index % found.len().max(1)).copied()
}

fn change_bytes(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], choices: &mut Choices<'_>) {
    let at = place(choices, bytes.len());
    match choices.below(8) {
        0 if at < bytes.len() => bytes[at] = choices.pick(BYTES),
        1 if at < bytes.len() => bytes[at] ^= 1 << choices.below(8),
        2 => bytes.insert(at, choices.pick(BYTES)),
        3 => drop(bytes.drain(at..(at + 1 + choices.below(8)).min(bytes.len()))),
        4 => {
            // A stretch again, somewhere else.
            let end = (at + 1 + choices.below(32)).min(bytes.len());
            let stretch = bytes[at..end].to_vec();
            let to = place(choices, bytes.len());
            bytes.splice(to..to, stretch);
        }
        5 => {
            let other = pick(seeds, choices);
            let (from, to) = (place(choices, other.len()), place(choices, other.len()));
            let stretch = other[from.min(to)..from.max(to)].to_vec();
            bytes.splice(at..at, stretch);
        }
        6 => bytes.truncate(at),
        _ => {
            let word = choices.pick(WORDS).bytes();
            bytes.splice(at..at, word);
        }
    }
}

fn pick<'s>(seeds: &'s [Vec<u8>], choices: &mut Choices<'_>) -> &'s Vec<u8> {
    &seeds[(choices.below(256) << 8 | choices.below(256)) % seeds.len()]
}

/// A place in the bytes, their end among them.
fn place(choices: &mut Choices<'_>, length: usize) -> usize {
    (choices.below(256) << 8 | choices.below(256)) % (length + 1)
}
