import { replaceAssigned } from './assignments.ts';
import { changedAround, withoutHidden } from './hiddenWithin.ts';
import { mayHoldToken } from './mayHoldSecret.ts';
import { PLACED_FORMS } from './placedForms.ts';
import { TOKEN_FORMS } from './tokenForms.ts';

export interface Redacted {
  text: string;
  /** Number of redacted secrets. */
  count: number;
}

/** Returns the replacement of a secret. */
type Mark = (kind: string, secret: string) => string;

/** A letter or digit in front makes it part of something else, except the `n` of a `\n` in quoted code. */
const BEFORE = '(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))';
/** A token continues in the next line if the screen was too narrow for it. */
const BREAK = '(?:\\r?\\n[ \\t]{0,16})?';
/** Longer than any token; without a bound, the matcher would keep megabytes on its stack. */
const MOST = 4096;

/** A secret directly after another one is found in the next pass. Few passes, so that the time does not depend on the matches. */
const MOST_PASSES = 4;

interface Form {
  readonly kind: string;
  readonly isLikely: (text: string) => boolean;
  /** Matches anywhere, with line breaks inside. */
  readonly broken: RegExp;
  /** Matches a whole text of one line. */
  readonly whole: RegExp;
}

const FORMS: readonly Form[] = TOKEN_FORMS.map(({ kind, form, isLikely = () => true }) => ({
  kind,
  isLikely,
  broken: new RegExp(
    BEFORE + form.replace(/,\}/g, `,${MOST}}`).replace(/(\[[^\]]+\])(?=[{*])/g, `(?:$1${BREAK})`),
    'g',
  ),
  whole: new RegExp(`^(?:${form})$`),
}));

/** The block's lines may be indented, quoted, in a gutter, or one string with `\n`; a block without an end was cut off. */
const SEPARATOR = '(?:[\\s│|>"\',]|\\\\[nrt])';
const PRIVATE_KEY = new RegExp(
  `-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${SEPARATOR}{1,32}(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\\n]{0,200}|[A-Za-z0-9+/=]{16,}))+` +
    `(?:${SEPARATOR}{0,32}[A-Za-z0-9+/=]{0,80}${SEPARATOR}{0,32}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`,
  'g',
);
const SCHEME = '(?:basic|bearer|token|digest|apikey|negotiate)';
const AUTHORIZATION = new RegExp(
  `(\\bauthorization["']?[ \\t]{0,4}[:=][ \\t]{0,4}["'\`]?(?:${SCHEME}[ \\t]{1,4})?)(?!${SCHEME}\\b)([^\\s"'\`,$<{}*[(]{6,4096})(?![\\w.$<{}*[(])`,
  'gi',
);
const BEARER = /(\bbearer[ \t]{1,4})([A-Za-z0-9._~+/=-]{16,4096})/gi;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'`<>]{0,128}:)([^\s/"'`<>]{1,256})@/gi;
const CURL_USER = /(\bcurl[^\n]{0,200}?[ \t](?:-u|--user)[ =]["']?[^\s:"']{1,128}:)([^\s"']{1,256})/g;

/**
 * Replaces secrets in `text` by `[redacted: kind]`: those recognized by form (keys and tokens of known issuers, private keys, JWTs, passwords in URLs
 * and headers) and by name (`API_KEY=…`, `"password": "…"`). Keeps names, hosts and users. Hashes, UUIDs and placeholders are not secrets.
 * Idempotent. Takes time linear in the text's length, whatever it contains.
 */
export function redactSecrets(text: string): Redacted {
  const found = replaceSecrets(text, redacted);
  if (withoutHidden(found.text) === found.text) return found;
  let { count } = found;
  const lines = found.text.split('\n').map((line) => {
    const bare = replaceSecrets(withoutHidden(line), redacted);
    count += bare.count;
    return bare.count === 0 ? line : bare.text;
  });
  return { text: lines.join('\n'), count };
}

const redacted: Mark = (kind) => `[redacted: ${kind}]`;

/** Counts as a placeholder, so blanked text is not found again. */
const BLANK = '•';

/** Replaces each character of the same secrets by `•`, except line breaks, so all offsets stay the same. */
export function blankSecrets(text: string): Redacted {
  const found = replaceSecrets(text, blanked);
  if (withoutHidden(found.text) === found.text) return found;
  let { count } = found;
  const blank = (bare: string): string => {
    const more = replaceSecrets(bare, blanked);
    count += more.count;
    return more.text;
  };
  return { text: changedAround(found.text, blank, BLANK), count };
}

const blanked: Mark = (_, secret) => secret.replace(/[^\r\n]/g, BLANK);

function replaceSecrets(text: string, mark: Mark): Redacted {
  let rest = text;
  let count = 0;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const found = replaceOnce(rest, mark);
    if (found.count === 0) break;
    rest = found.text;
    count += found.count;
  }
  return { text: rest, count };
}

function replaceOnce(text: string, replacing: Mark): Redacted {
  let count = 0;
  const mark: Mark = (kind, secret) => {
    const marked = replacing(kind, secret);
    if (marked !== secret) count += 1;
    return marked;
  };
  let rest = text;
  if (rest.includes('PRIVATE KEY')) rest = rest.replace(PRIVATE_KEY, (key) => mark('private key', key));
  if (mayHoldToken(rest)) for (const form of FORMS) rest = replaceForm(rest, form, mark);
  rest = replaceAfter(rest, AUTHORIZATION, (value) => mark('credentials', value));
  rest = replaceAfter(rest, BEARER, (value) => (/\d/.test(value) ? mark('credentials', value) : value));
  for (const { kind, sign, pattern } of PLACED_FORMS)
    if (sign.test(rest)) rest = replaceAfter(rest, pattern, (value) => mark(kind, value));
  rest = replaceAfter(rest, CURL_USER, (value) => mark('password', value));
  if (rest.includes('://'))
    rest = rest.replace(URL_PASSWORD, (whole: string, before: string, password: string) =>
      isVariable(password) ? whole : `${before}${mark('password', password)}@`,
    );
  return { text: replaceAssigned(rest, mark), count };
}

function replaceForm(text: string, form: Form, mark: Mark): string {
  return text.replace(form.broken, (match) => {
    const secret = withoutNextLines(match.trimEnd(), form.whole);
    if (!form.isLikely(secret)) return match;
    return mark(form.kind, secret) + match.slice(secret.length);
  });
}

/** `match` without trailing lines that may be ordinary words after a secret that is complete without them. */
function withoutNextLines(match: string, whole: RegExp): string {
  let secret = match;
  for (let at = secret.lastIndexOf('\n'); at > 0; at = secret.lastIndexOf('\n')) {
    const before = secret.slice(0, at).trimEnd();
    const isMixed = [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(secret.slice(at)));
    if (isMixed || !whole.test(before.replace(/\s+/g, ''))) break;
    secret = before;
  }
  return secret;
}

function replaceAfter(text: string, pattern: RegExp, replace: (value: string) => string): string {
  return text.replace(pattern, (whole: string, before: string, value: string) =>
    isVariable(value) ? whole : before + replace(value),
  );
}

/** A reference to a value elsewhere, or a value that is already redacted. */
function isVariable(value: string): boolean {
  return /^(?:\$|%|\{\{|<|\*+$|•+$|x+$|\.+$|…|\d+$|\[redacted)/i.test(value);
}
