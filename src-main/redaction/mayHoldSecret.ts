import { NAME_CAPITALS, NAME_WORDS } from './assignments.ts';
import { withoutHidden } from './hiddenWithin.ts';
import { PLACED_FORMS } from './placedForms.ts';
import { SignTable } from './SignTable.ts';
import { TOKEN_FORMS, type TokenForm } from './tokenForms.ts';

/** The fixed beginning of a form, up to its first repeatable character. */
const FIXED = /^(?:[^[\\({*]|\\[.-]|\([^()]*\)|\[[^\]]*\](?![{*]))*/;
/** Number of signs that share a bit, of which there are 32. */
const TOKENS_TOGETHER = 6;

/** A sign that every secret of some forms has in its line. */
interface Check {
  /** Expressions of which one matches whenever `isThere` is true. */
  readonly sources: readonly string[];
  isThere(text: string): boolean;
}

const [loose, fixed] = [TOKEN_FORMS.filter(({ sign }) => sign), TOKEN_FORMS.filter(({ sign }) => !sign)];
const TOKEN_CHECKS: readonly Check[] = [
  ...inChunks([...new Set(fixed.map(signOf)), 'PRIVATE KEY']),
  ...loose.map((form) => [signOf(form)]), // an expression without a fixed beginning slows down all others in its group
].map(matching);
const CHECKS: readonly Check[] = [
  ...TOKEN_CHECKS,
  ...PLACED_FORMS.map(({ sign }): Check => ({ sources: [sign.source], isThere: (text) => sign.test(text) })),
  insensitive('bearer'),
  insensitive('authorization'),
  ...[NAME_WORDS, NAME_CAPITALS].map(
    (name): Check => ({
      sources: [name.source],
      isThere: (text) => name.test(text) && /[:=]|--/.test(text),
    }),
  ),
  { sources: ['://'], isThere: (text) => text.includes('://') && text.includes('@') },
  { sources: ['curl'], isThere: (text) => text.includes('curl') && text.includes('-u') },
];
/** Built on first use, because most programs that load this file redact nothing. */
let table: SignTable | undefined;

/**
 * Whether a secret may begin in this line, by signs that every secret has: if no line of a text has one, `blankSecrets` finds nothing in it. Much
 * cheaper than `blankSecrets`.
 */
export function mayHoldSecret(line: string): boolean {
  if (isAnyThere(CHECKS, line)) return true;
  const bare = withoutHidden(line);
  return bare !== line && isAnyThere(CHECKS, bare);
}

/** Whether the text contains the beginning of a token or a private key. */
export function mayHoldToken(text: string): boolean {
  return isAnyThere(TOKEN_CHECKS, text);
}

/** `checks` is a prefix of the table's checks. */
function isAnyThere(checks: readonly Check[], text: string): boolean {
  table ??= new SignTable(CHECKS.map(({ sources }) => sources));
  const mask = table.maskOf(text);
  return mask !== 0 && checks.some(({ isThere }, at) => ((mask >>> at) & 1) === 1 && isThere(text));
}

function matching(sources: readonly string[]): Check {
  const any = new RegExp(sources.join('|'));
  return { sources, isThere: (text) => any.test(text) };
}

function insensitive(source: string): Check {
  const pattern = new RegExp(source, 'i');
  return { sources: [source], isThere: (text) => pattern.test(text) };
}

function inChunks(sources: readonly string[]): string[][] {
  const count = Math.ceil(sources.length / TOKENS_TOGETHER);
  return Array.from({ length: count }, (_, at) => sources.slice(at * TOKENS_TOGETHER, (at + 1) * TOKENS_TOGETHER));
}

export function signOf({ form, sign }: TokenForm): string {
  return sign ?? FIXED.exec(form)?.[0] ?? '';
}
