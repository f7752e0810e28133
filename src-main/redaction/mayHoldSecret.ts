import { NAME_CAPITALS, NAME_WORDS } from './assignments.ts';
import { withoutHidden } from './hiddenWithin.ts';
import { PLACED_FORMS } from './placedForms.ts';
import { SignTable } from './SignTable.ts';
import { TOKEN_FORMS, type TokenForm } from './tokenForms.ts';

/** What a form begins with, up to the first of its characters that may be there more than once. */
const FIXED = /^(?:[^[\\({*]|\\[.-]|\([^()]*\)|\[[^\]]*\](?![{*]))*/;
/** Signs that are tried together: each has a bit, of which there are 32. */
const TOKENS_TOGETHER = 6;

/** Something that every secret of some forms has in its line. */
interface Check {
  /** Expressions of which one matches wherever `isThere` is true. */
  readonly sources: readonly string[];
  isThere(text: string): boolean;
}

const [loose, fixed] = [TOKEN_FORMS.filter(({ sign }) => sign), TOKEN_FORMS.filter(({ sign }) => !sign)];
const TOKEN_CHECKS: readonly Check[] = [
  ...inChunks([...new Set(fixed.map(signOf)), 'PRIVATE KEY']),
  ...loose.map((form) => [signOf(form)]), // an expression without a fixed beginning slows down all that are tried with it
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
/** Built with the first line, because most programs that load this file redact none. */
let table: SignTable | undefined;

/**
 * Whether a secret may begin in this line, from signs that every one has: where no line of a text may hold one, `blankSecrets` finds none in it.
 * Costs a small part of that.
 */
export function mayHoldSecret(line: string): boolean {
  if (isAnyThere(CHECKS, line)) return true;
  const bare = withoutHidden(line);
  return bare !== line && isAnyThere(CHECKS, bare);
}

/** Whether something in the text begins like a token or a private key. */
export function mayHoldToken(text: string): boolean {
  return isAnyThere(TOKEN_CHECKS, text);
}

/** `checks` are the first of those that the table has. */
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
