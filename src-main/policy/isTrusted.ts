import { posix } from 'node:path';
import type { TrustRule } from '../contract/mcp/policy.ts';
import { namesMore, namesWhatRuns } from './programs/namesWhatRuns.ts';
import { HARMLESS_OPTIONS } from './programs/reviewedPrograms.ts';

/**
 * The command begins with the rule's words, letter for letter, in the rule's folder or below it, and behind them are only options that the
 * rule names (or that print more or less) and words that do not lead out of the folder and do not name one more thing to run. `cwd` is a real path;
 * null matches nothing.
 */
export function isTrustedBy(rule: TrustRule, argv: readonly string[], cwd: string | null): boolean {
  if (cwd === null || !namesWhatRuns(rule.argv) || !isIn(cwd, rule.cwd)) return false;
  if (!rule.argv.every((word, at) => argv[at] === word)) return false;
  const own = new Set(rule.options);
  return argv.slice(rule.argv.length).every((word) => {
    const [name = '', ...value] = word.split('=');
    if (!word.startsWith('-')) return !namesMore(rule.argv) && staysIn(word, rule.cwd, cwd);
    return (own.has(name) || HARMLESS_OPTIONS.has(word)) && staysIn(value.join('='), rule.cwd, cwd);
  });
}

/** Compares paths by component and exactly. */
function isIn(path: string, folder: string): boolean {
  const parts = (text: string): string[] => posix.normalize(text).split('/').filter(Boolean);
  const inner = parts(path);
  return path.startsWith('/') && parts(folder).every((part, at) => inner[at] === part);
}

/** False for an address, and for a path that leads out of the folder, also as a part of a word (`a:b`, `--x=../y`). */
function staysIn(word: string, folder: string, cwd: string): boolean {
  if (word.includes('://') || word.startsWith('~')) return false;
  return word
    .split(/[:,;=]/)
    .map((part) => part.replace(/^@+/, '')) // a file of arguments: pytest, compilers
    .every((part) => isIn(posix.resolve(cwd, part), folder) && !part.startsWith('~'));
}
