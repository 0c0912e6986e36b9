// What must not stand in an error's text: credentials, which providers, drivers and proxies quote in what they say.

/** Stands in the place of a credential. */
const HIDDEN = '[hidden]';

/**
 * What a credential looks like: by its prefix, by the name before it, or by its place in a URL or a header; and what of it stays in
 * front of what is hidden.
 */
const CREDENTIALS: readonly (readonly [form: RegExp, kept: string])[] = [
  [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/g, ''],
  // A JSON Web Token.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g, ''],
  // Keys of providers and platforms, masked or whole.
  [
    /\b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abeprs]|npm|pypi|AIza|AKIA|ASIA|ya29|SG|whsec|dop_v1)(?:[-_.][\w.*-]{8,}|(?<=A(?:Iza|KIA|SIA))[\w-]{12,})/g,
    '',
  ],
  [/\b(bearer|basic)(\s+)[\w.~+/=*-]{8,}/gi, '$1$2'],
  [/([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@]{1,300}(?=@)/gi, '$1'],
  [/([?&][\w.-]{0,40}(?:key|token|secret|signature|sig|password|credential|code)=)[^&\s"'#]+/gi, '$1'],
  [
    /\b((?:x-)?api[-_ ]?key|authorization|(?:[a-z]{2,20}[-_])?(?:token|secret|password|passwd)|pwd|cookie)(["']?\s{0,3}[:=]\s{0,3}["']?)(?!\[hidden\]|(?:bearer|basic)\s)[^\s"',;&}]{4,}/gi,
    '$1$2',
  ],
];

/** How much of a text is looked through, and kept: nobody reads more of an error. */
const LIMIT = 10_000;

/**
 * An error's text without what looks like a credential, for whoever is not the host: the parent's model and the browser. The
 * error itself, which has the whole text, stays with the host as the `cause`.
 *
 * It knows the forms that keys have and the names that stand before them. It is a net under careful hosts, not a proof.
 */
export function withoutCredentials(text: string): string {
  return CREDENTIALS.reduce((shown, [form, kept]) => shown.replace(form, kept + HIDDEN), text.slice(0, LIMIT));
}
