//! What judges a contract's values: the own engine, or the reference engine.

use super::ISSUE_CAP;
use crate::json::tape::{NodeId, Tape};
#[cfg(feature = "reference")]
use crate::validate::issue::Issue;
use crate::validate::{Report, TooComplex, Validator};

/// What judges a contract's values.
#[derive(Debug)]
pub(super) enum Engine {
    Own(Box<Validator>),
    #[cfg(feature = "reference")]
    Reference(crate::reference::Validator),
}

impl Engine {
    pub(super) fn is_valid(&self, instance: &Tape) -> Result<bool, TooComplex> {
        match self {
            Self::Own(validator) => validator.is_valid(instance),
            #[cfg(feature = "reference")]
            Self::Reference(validator) => Ok(validator.is_valid(instance)),
        }
    }

    pub(super) fn issues(&self, instance: &Tape) -> Report {
        match self {
            Self::Own(validator) => validator.issues(instance, ISSUE_CAP),
            #[cfg(feature = "reference")]
            Self::Reference(validator) => validator.issues(instance, ISSUE_CAP),
        }
    }

    pub(super) fn faults(&self, instance: &Tape) -> Option<Vec<(NodeId, bool)>> {
        match self {
            Self::Own(validator) => validator.faults(instance),
            #[cfg(feature = "reference")]
            Self::Reference(validator) => {
                let Report { issues, .. } = validator.issues(instance, ISSUE_CAP);
                let lacks = |issue: &Issue| matches!(issue.keyword(), "required" | "minItems" | "minProperties");
                issues.iter().map(|issue| Some((instance.pointer(&issue.instance_path)?, lacks(issue)))).collect()
            }
        }
    }
}
