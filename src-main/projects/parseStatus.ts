import type { Project } from '../contract/project.ts';

type Counts = Pick<Project, 'ahead' | 'behind' | 'dirty'> & { branch: string | null };

/** Short names as `parseHead` gives them. */
const SHORT_HASH = 7;

/** `git status --porcelain=v2 --branch -z`. A renamed file has a second entry with its former path, which is not counted. */
export function parseStatus(text: string): Counts {
  const counts: Counts = { branch: null, ahead: null, behind: null, dirty: 0 };
  const entries = text.split('\0');
  let hash: string | null = null;
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] as string;
    const [, key, value] = /^# branch\.(\w+) (.*)$/s.exec(entry) ?? [];
    if (key === 'oid' && value !== '(initial)') hash = value?.slice(0, SHORT_HASH) ?? null;
    if (key === 'head') counts.branch = value === '(detached)' ? hash : (value ?? null);
    if (key === 'ab') Object.assign(counts, parseAheadBehind(value ?? ''));
    if (!/^[12u?] /.test(entry)) continue;
    counts.dirty = (counts.dirty ?? 0) + 1;
    if (entry.startsWith('2 ')) at += 1;
  }
  return counts;
}

function parseAheadBehind(text: string): Pick<Project, 'ahead' | 'behind'> {
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(text) ?? [];
  return { ahead: ahead === undefined ? null : Number(ahead), behind: behind === undefined ? null : Number(behind) };
}
