import { posix } from 'node:path';
import type { TrustRule } from '../contract/mcp/policy.ts';
import { namesMore, namesWhatRuns } from './programs/namesWhatRuns.ts';
import { HARMLESS_OPTIONS } from './programs/reviewedPrograms.ts';

/**
 * Whether the command begins exactly with the rule's words, in the rule's folder or below it. Later words must be options that the rule names (or
 * that affect verbosity), or words that neither leave the folder nor name another thing to run. `cwd` is a real path; null matches nothing.
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

/** False for a URL, and for a path that leaves the folder, also within a word (`a:b`, `--x=../y`). */
function staysIn(word: string, folder: string, cwd: string): boolean {
  if (word.includes('://') || word.startsWith('~')) return false;
  return word
    .split(/[:,;=]/)
    .map((part) => part.replace(/^@+/, '')) // an arguments file, as for pytest and compilers
    .every((part) => isIn(posix.resolve(cwd, part), folder) && !part.startsWith('~'));
}
