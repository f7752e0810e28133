/** A name and its value, as seen by redaction. */
interface Assignment {
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
}

/** The value after the name, with or without quotes. A name matches only from its first character, so the text is scanned once. */
const ASSIGNMENT =
  /(?<![\w.$-])(-{0,2}[A-Za-z_][\w.-]{0,127})(["'`]?[ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}|(?<=--[\w-]{1,64})[ \t]{1,4})(?:(["'`])((?:(?!\3)[^\n\\]|\\.){1,1024})\3|([^\s"'`,;]{1,1024}))/g;

/** Like an environment variable: the last or a middle word decides. */
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;
const ENV_SECRET = /(?:^|_)(?:SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PW|CREDENTIALS?)(?:_|$)/;
const ENV_TOKEN = /(?:^|_)(?:KEY|APIKEY|TOKEN|AUTH)(?:_|$)/;
/** Names that are about a secret but do not contain one. */
const ABOUT =
  /(?:^|[_.-])(?:public|path|file|dir|url|uri|host|name|id|type|kind|count|limit|max|min|ttl|expiry|expires|length|size|algorithm|alg|version|prefix|header|field|format)$|public|(?:max|min|num)[_-]?tokens/i;
const PASSWORD_NAME = /(?:passwords?|passwd|passphrase|pwd)$/i;
/** What a key is for. */
const KEYS = 'api|access|private|secret|signing|encryption|auth|master|session|account|subscription';
const SECRET_NAME = new RegExp(`(?:secret|token|credentials?|(?:${KEYS})[_.-]?key)$`, 'i');

/** Placeholders for a secret, and values that cannot be one. */
const PLACEHOLDER =
  /^(?:[*x.•…]+|<.*>?|\$.*|%.*|\{\{.*|\[redacted.*|(?:your|my|the|some|change|replace|example|placeholder|dummy|todo|none|null|nil|undefined|true|false|yes|no|on|off|string|str|text|bool|boolean|number|required|optional|empty|unset|redacted|hidden)(?:[_-].*)?)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A call, an index, a template or a dotted path: code that produces the value. */
const CODE = /[(){}[\]<>]|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^(?:\/|~\/|\.{1,2}\/)/;

/**
 * Every name of a secret contains one of these. A key needs capitals or a purpose before it, because `key: value` and `author:` are in every other
 * line of a log.
 */
export const NAME_WORDS = new RegExp(`pass|pw|secret|token|credential|(?:${KEYS})[_.-]?key`, 'i');
export const NAME_CAPITALS = /KEY|AUTH/;
const ASSIGNED_NAME = new RegExp(`${inAnyCase(NAME_WORDS.source)}|${NAME_CAPITALS.source}`);
/**
 * Maximum number of assignments within the value of another one: `env: DB_PASS=…`, `CMD="DB_PASS=… run"`. More are useless, and each costs a scan of
 * the value.
 */
const MOST_WITHIN = 3;

/** `text` with the values of secret names replaced by `mark`; other assignments stay unchanged. */
export function replaceAssigned(text: string, mark: (kind: string, secret: string) => string): string {
  const telling = new RegExp(ASSIGNED_NAME, 'g');
  let replaced = '';
  let from = 0;
  for (let found = telling.exec(text); found; found = telling.exec(text)) {
    const start = text.lastIndexOf('\n', found.index) + 1;
    const lf = text.indexOf('\n', found.index);
    const end = lf < 0 ? text.length : lf;
    replaced += text.slice(from, start) + replaceInLine(text.slice(start, end), mark, MOST_WITHIN);
    from = end;
    telling.lastIndex = end;
  }
  return replaced + text.slice(from);
}

function replaceInLine(line: string, mark: (kind: string, secret: string) => string, within: number): string {
  return line.replace(ASSIGNMENT, (whole: string, ...groups: (string | undefined)[]) => {
    const [name = '', between = '', quote = '', quoted, bare] = groups;
    const value = quoted ?? bare ?? '';
    const kind = kindOf({ name: name.replace(/^-+/, ''), value, isQuoted: quoted !== undefined });
    if (kind !== null) return `${name}${between}${quote}${mark(kind, value)}${quote}`;
    if (within === 0 || !ASSIGNED_NAME.test(value)) return whole;
    return `${name}${between}${quote}${replaceInLine(value, mark, within - 1)}${quote}`;
  });
}

/** The kind of secret under a name; null if the name is not one of a secret or the value cannot be one. */
function kindOf({ name, value, isQuoted }: Assignment): string | null {
  if (ABOUT.test(name) || PLACEHOLDER.test(value) || UUID.test(value)) return null;
  if (!isQuoted && CODE.test(value)) return null;
  if (ENV_NAME.test(name)) {
    if (ENV_SECRET.test(name)) return value.length >= 3 ? 'password' : null;
    return ENV_TOKEN.test(name) && looksRandom(value) ? 'secret' : null;
  }
  if (PASSWORD_NAME.test(name)) return isPassword(value, isQuoted) ? 'password' : null;
  return SECRET_NAME.test(name) && looksRandom(value) ? 'secret' : null;
}

function isPassword(value: string, isQuoted: boolean): boolean {
  if (/\s/.test(value) || /passw/i.test(value)) return false;
  return isQuoted ? value.length >= 3 : value.length >= 4 && /\d/.test(value) && /\D/.test(value);
}

/** Letters and digits, as long as a key. Only digits are a count; only letters are a word. */
function looksRandom(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

function inAnyCase(source: string): string {
  return source.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
