import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectOf } from '../../../src-main/agents/projectOf.ts';
import { agentPlace } from '../../../src-main/shared/agentPlace.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-project-')));
const harbour = join(folder, 'harbour');
const git = (...args: string[]) =>
  execFileSync('git', ['-C', harbour, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an agent in a folder or a linked work tree of a repository has that repository as its project', async () => {
  mkdirSync(join(harbour, 'src', 'quay'), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  const linked = join(folder, 'harbour-worktrees', 'parallel');
  git('worktree', 'add', '-q', '-b', 'parallel', linked);
  for (const cwd of [harbour, join(harbour, 'src', 'quay'), linked]) expect(await projectOf(cwd)).toBe(harbour);
  expect([await projectOf(folder), await projectOf(null), await projectOf('relative')]).toEqual([null, null, null]);
  const place = { cwd: linked, project: await projectOf(linked), branch: 'parallel' };
  expect(agentPlace(place)).toEqual(['harbour', 'parallel']);
  expect(agentPlace({ cwd: '/a/b/', project: null, branch: null })).toEqual(['b']);
});
