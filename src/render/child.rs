//! A child beside its result: how it ended, its last words and its transcript's handle.

use super::lines::{Class, Lines};
use crate::members::{Unreadable, Value};

impl Lines {
    /// How a child ended, and what is to be known of it. `id`: its id in a merge.
    pub fn child(&mut self, id: Option<&str>, subagent: &str, child: Value<'_>) -> Result<(), Unreadable> {
        let status: String = child.need("status")?;
        self.put_whose(id);
        self.put("subagent ");
        self.put_name(subagent);
        self.put(": ");
        self.put_name(&status);
        if let Some(error) = child.member("error").filter(|error| error.text() != "null") {
            self.put(" | error ");
            match (error.text_of("code"), error.text_of("message").or(error.as_str())) {
                (code, Some(message)) => {
                    if let Some(code) = code {
                        self.put_name(code);
                        self.put(": ");
                    }
                    self.put_string(message);
                }
                _ => self.put_value(error),
            }
        }
        self.end(Class::Never);
        for note in child.list_of("degraded") {
            self.put_whose(id);
            self.put("degraded");
            match (note.text_of("by"), note.text_of("message")) {
                (Some(by), Some(message)) => {
                    self.put(" by ");
                    self.put_name(by);
                    if let Some(pointer) = note.text_of("pointer") {
                        self.put(" at ");
                        self.put_string(pointer);
                    }
                    self.put(": ");
                    self.put_string(message);
                }
                _ => {
                    self.put(": ");
                    self.put_value(note);
                }
            }
            self.end(Class::Never);
        }
        Ok(())
    }

    /// What a child said beside its result, or in place of one.
    pub fn words(&mut self, id: Option<&str>, child: Value<'_>, has_result: bool) {
        if let Some(words) = child.text_of("task_summary") {
            self.put_whose(id);
            self.put(if has_result { "last words: " } else { "answer: " });
            self.put_string(words);
            self.end(if has_result { Class::Note } else { Class::Never });
        }
    }

    /// A transcript's handle.
    pub fn handle(&mut self, id: Option<&str>, handle: Value<'_>) {
        self.put_whose(id);
        self.put("transcript_ref: ");
        self.put_value(handle);
        self.end(Class::Handle);
    }
}
