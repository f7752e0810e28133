/** How to start a shell with its hook: the `# @key value` lines at the beginning of a hook file. */
export interface HookHeader {
  /** Base names of the shells it supports, such as `bash`. */
  shells: string[];
  /** Arguments after the program's name; placeholders as in launchPlan. */
  args: string[];
  /** Arguments for a login shell; null if they equal `args`. */
  loginArgs: string[] | null;
  /** Added to the shell's environment. */
  env: Record<string, string>;
  /** Added only for a login shell, overriding `env`. */
  loginEnv: Record<string, string>;
  quality: 'basic' | 'rich';
  /** Lines with which a running shell loads the hook, '' if it cannot; placeholders as in launchPlan. */
  source: string;
  /** Limitations, for people; '' if there are none. */
  note: string;
}

export type ParsedHeader = { ok: true; header: HookHeader } | { ok: false; reason: string };

const LINE = /^# @([a-z-]+)[ \t]+(.*?)\s*$/;

/**
 * Parses the header of a hook file's text: its leading comment lines. Lines without `@` are comments for people. An unknown
 * or missing key, or a malformed value, is reported as a reason, not as an exception.
 */
export function parseHookHeader(text: string): ParsedHeader {
  const header: HookHeader = {
    shells: [],
    args: [],
    loginArgs: null,
    env: {},
    loginEnv: {},
    quality: 'basic',
    source: '',
    note: '',
  };
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) break;
    const [, key = '', value = ''] = LINE.exec(line) ?? [];
    const reason = key === '' ? null : take(header, key, value);
    if (reason) return { ok: false, reason };
  }
  if (header.shells.length === 0) return { ok: false, reason: 'no @shells line' };
  return { ok: true, header };
}

/** Adds one line to `header`; returns the reason if it cannot. */
function take(header: HookHeader, key: string, value: string): string | null {
  switch (key) {
    case 'shells':
      header.shells = value.split(/\s+/);
      return null;
    case 'quality':
      if (value !== 'basic' && value !== 'rich') return `@quality is "${value}", not basic or rich`;
      header.quality = value;
      return null;
    case 'source':
      header.source = value;
      return null;
    case 'note':
      header.note = value;
      return null;
    case 'args':
    case 'login-args': {
      const args = parseJson(value);
      if (!isStrings(args)) return `@${key} is no JSON array of strings`;
      header[key === 'args' ? 'args' : 'loginArgs'] = args;
      return null;
    }
    case 'env':
    case 'login-env': {
      const env = parseJson(value);
      if (!isStringRecord(env)) return `@${key} is no JSON object of strings`;
      header[key === 'env' ? 'env' : 'loginEnv'] = env;
      return null;
    }
    default:
      return `unknown key @${key}`;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports the problem, with the key
  }
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isStringRecord(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isStrings(Object.values(value));
}
