import { posix } from 'node:path';
import type { Policy } from '../contract/mcp/policy.ts';

/** A terminal as the policy looks at it. `cwd` is a real path: links are resolved by whoever asks. */
export interface PtyFacts {
  readonly id: string;
  readonly cwd: string | null;
  readonly tags: readonly string[];
}

/** Whether outside clients see nothing of the terminal. A folder that is not known could be a private one. */
export function isPrivate({ ptys }: Policy, pty: PtyFacts): boolean {
  if (ptys.default === 'private') return true;
  return ptys.private.some((rule) => {
    const value = rule.slice(rule.indexOf(':') + 1);
    if (rule.startsWith('tag:')) return pty.tags.includes(value);
    if (rule.startsWith('id:')) return pty.id === value;
    return pty.cwd === null || isBelow(pty.cwd, value);
  });
}

/** By component: /srv/ab is not below /srv/a. Case is ignored, as some file systems do. */
function isBelow(path: string, folder: string): boolean {
  const parts = (text: string): string[] =>
    posix.normalize(text.toLowerCase().normalize('NFC')).split('/').filter(Boolean);
  const inner = parts(path);
  return parts(folder).every((part, at) => inner[at] === part);
}
