import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseHead, readGitBranch } from '../../../src-main/store/record/gitBranch.ts';
import { suiteFolder } from '../suiteFolder.ts';

const root = suiteFolder('git');

function write(path: string, content: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe('parseHead', () => {
  test.each<[string | null, string | null]>([
    ['ref: refs/heads/main\n', 'main'],
    ['ref: refs/heads/feat/a-b\n', 'feat/a-b'],
    [`${'0123456789'.repeat(4)}\n`, '0123456'],
    [`${'0123456789abcdef'.repeat(4)}\n`, '0123456'],
    ['ref: refs/heads/.invalid\n', null],
    ['ref: refs/remotes/origin/x\n', null],
    ['', null],
    [null, null],
  ])('%j is %j', (head, branch) => expect(parseHead(head)).toBe(branch));
});

describe('readGitBranch', () => {
  test('finds the work tree around a folder, a linked one by its file, and the inner one first', async () => {
    write('repo/.git/HEAD', 'ref: refs/heads/outer\n');
    write('repo/.git/worktrees/w/HEAD', 'ref: refs/heads/linked\n');
    write('repo/a/b/file', '');
    write('linked/.git', `gitdir: ${join(root, 'repo/.git/worktrees/w')}\n`);
    write('linked/sub/file', '');
    write('repo/module/.git', 'gitdir: ../.git/modules/m\n');
    write('repo/.git/modules/m/HEAD', 'ref: refs/heads/inner\n');
    const folders = ['repo', 'repo/a/b', 'repo/gone/deeper', 'linked/sub', 'repo/module'];
    expect(await Promise.all(folders.map((folder) => readGitBranch(join(root, folder))))).toEqual([
      'outer',
      'outer',
      'outer',
      'linked',
      'inner',
    ]);
  });

  test.each(['relative', '', '/', `/${'x/'.repeat(500)}`, '/a\0b'])('is null for %j', async (cwd) => {
    expect(await readGitBranch(cwd)).toBeNull();
  });

  test('is null where .git leads nowhere', async () => {
    write('broken/.git', 'gitdir: /no/such/place\n');
    write('empty/.git/config', '');
    write('noise/.git', '\0\0\0');
    for (const name of ['broken', 'empty']) expect(await readGitBranch(join(root, name))).toBeNull();
    expect(await readGitBranch(join(root, 'noise'))).toBeNull();
  });
});
