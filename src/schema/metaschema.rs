//! The metaschemas of all five drafts, without their prose.

/// The text of the metaschema or vocabulary schema with this URI, which has no fragment.
pub(crate) fn text(uri: &str) -> Option<&'static str> {
    if let Some(name) = uri.strip_prefix("https://json-schema.org/draft/2020-12/") {
        return Some(match name {
            "schema" => include_str!("metaschema/draft2020-12/schema.json"),
            "meta/core" => include_str!("metaschema/draft2020-12/core.json"),
            "meta/applicator" => include_str!("metaschema/draft2020-12/applicator.json"),
            "meta/unevaluated" => include_str!("metaschema/draft2020-12/unevaluated.json"),
            "meta/validation" => include_str!("metaschema/draft2020-12/validation.json"),
            "meta/meta-data" => include_str!("metaschema/draft2020-12/meta-data.json"),
            "meta/format-annotation" => include_str!("metaschema/draft2020-12/format-annotation.json"),
            "meta/format-assertion" => include_str!("metaschema/draft2020-12/format-assertion.json"),
            "meta/content" => include_str!("metaschema/draft2020-12/content.json"),
            _ => return None,
        });
    }
    if let Some(name) = uri.strip_prefix("https://json-schema.org/draft/2019-09/") {
        return Some(match name {
            "schema" => include_str!("metaschema/draft2019-09/schema.json"),
            "meta/core" => include_str!("metaschema/draft2019-09/core.json"),
            "meta/applicator" => include_str!("metaschema/draft2019-09/applicator.json"),
            "meta/validation" => include_str!("metaschema/draft2019-09/validation.json"),
            "meta/meta-data" => include_str!("metaschema/draft2019-09/meta-data.json"),
            "meta/format" => include_str!("metaschema/draft2019-09/format.json"),
            "meta/content" => include_str!("metaschema/draft2019-09/content.json"),
            _ => return None,
        });
    }
    match uri {
        "http://json-schema.org/draft-04/schema" => Some(include_str!("metaschema/draft4.json")),
        "http://json-schema.org/draft-06/schema" => Some(include_str!("metaschema/draft6.json")),
        "http://json-schema.org/draft-07/schema" => Some(include_str!("metaschema/draft7.json")),
        _ => None,
    }
}
