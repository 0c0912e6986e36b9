//! Runs the differential test for as long as asked. It stands with the crate's other tests; this only starts it.

use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

const USAGE: &str = "cargo xtask differential [--seconds N] [--seed S] [--case C]";

/// The test's name in tests/differential.rs.
const LONG_RUN: &str = "long_run::for_as_long_as_asked";

/// Reads the options and runs `cargo test` in the profile of tools, which spares the release profile's link-time optimisation.
///
/// # Errors
///
/// When an option is none of those, or the engines disagreed.
pub fn run(options: &[&str]) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--locked", "--profile", "tool", "--package", "subcontract", "--features", "reference"]);
    cargo.args(["--test", "differential", "--", "--ignored", "--exact", "--nocapture", LONG_RUN]);
    for (name, value) in variables(options)? {
        cargo.env(name, value);
    }
    let status = cargo.status().context("starting cargo")?;
    ensure!(status.success(), "the run failed; what it found stands above");
    Ok(())
}

/// The options as the environment variables that the test reads.
fn variables(options: &[&str]) -> Result<Vec<(&'static str, String)>> {
    let mut variables = Vec::new();
    for option in options.chunks(2) {
        let name = match option[0] {
            "--seconds" => "DIFFERENTIAL_SECONDS",
            "--seed" => "DIFFERENTIAL_SEED",
            "--case" => "DIFFERENTIAL_CASE",
            other => bail!("unknown option {other}\nusage: {USAGE}"),
        };
        let value = option.get(1).and_then(|text| text.parse::<u64>().ok());
        let value = value.with_context(|| format!("{} takes a number\nusage: {USAGE}", option[0]))?;
        variables.push((name, value.to_string()));
    }
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::variables;

    #[test]
    fn options_become_variables() {
        let read = variables(&["--seconds", "60", "--seed", "7"]).unwrap();
        assert_eq!(read, [("DIFFERENTIAL_SECONDS", "60".to_owned()), ("DIFFERENTIAL_SEED", "7".to_owned())]);
        assert!(variables(&[]).unwrap().is_empty());
    }

    #[test]
    fn unknown_options_and_missing_numbers_are_errors() {
        let error = |options: &[&str]| variables(options).unwrap_err().to_string().lines().next().map(str::to_owned);
        assert_eq!(error(&["--minutes", "1"]).as_deref(), Some("unknown option --minutes"));
        assert_eq!(error(&["--seed"]).as_deref(), Some("--seed takes a number"));
        assert_eq!(error(&["--seconds", "long"]).as_deref(), Some("--seconds takes a number"));
    }
}
