import { posix } from 'node:path';
import type { Policy } from '../contract/mcp/policy.ts';

/** The facts about a terminal that the policy uses. `cwd` is a real path: callers resolve links. */
export interface PtyFacts {
  readonly id: string;
  readonly cwd: string | null;
  readonly tags: readonly string[];
}

/** Whether the terminal is hidden from outside clients. An unknown folder counts as private. */
export function isPrivate({ ptys }: Policy, pty: PtyFacts): boolean {
  if (ptys.default === 'private') return true;
  return ptys.private.some((rule) => {
    const value = rule.slice(rule.indexOf(':') + 1);
    if (rule.startsWith('tag:')) return pty.tags.includes(value);
    if (rule.startsWith('id:')) return pty.id === value;
    return pty.cwd === null || isBelow(pty.cwd, value);
  });
}

/** Compares by component: /srv/ab is not below /srv/a. Ignores case, as some file systems do. */
function isBelow(path: string, folder: string): boolean {
  const parts = (text: string): string[] =>
    posix.normalize(text.toLowerCase().normalize('NFC')).split('/').filter(Boolean);
  const inner = parts(path);
  return parts(folder).every((part, at) => inner[at] === part);
}
