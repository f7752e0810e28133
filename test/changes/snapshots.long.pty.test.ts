import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SNAPSHOT_LIMITS } from '../../src-main/changes/Candidates.ts';
import { fromId, toBytes } from '../../src-main/changes/pathBytes.ts';
import { readDiff, readWholePatch } from '../../src-main/changes/readDiff.ts';
import { restoreFile } from '../../src-main/changes/restoreFile.ts';
import type { Shadow } from '../../src-main/changes/Shadow.ts';
import { takeSnapshot } from '../../src-main/changes/takeSnapshot.ts';
import type { SnapshotTaken } from '../../src-main/contract/changes.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { apply, EDITS } from './editScripts.ts';
import { blobId, contentOf, Repo } from './Repo.ts';

const CONVERSATION = 'c1-abcd';
const take = (shadow: Shadow, n: number, before: SnapshotTaken | null = null, also: string[] = []) =>
  takeSnapshot(shadow, { conversationId: CONVERSATION, n, before, also, limits: SNAPSHOT_LIMITS });

const split = (text: string) => text.split('\0').filter((part) => part !== '');

/** `mode id path` of each file that git does not ignore, read from the disk only. */
function filesOnDisk(repo: Repo): string[] {
  const paths = new Set(split(repo.git('ls-files', '-z', '-c', '-o', '--exclude-standard')));
  return [...paths]
    .flatMap((raw) => {
      const full = Buffer.concat([Buffer.from(`${repo.root}/`), toBytes(raw)]).toString();
      const found = lstatSync(full, { throwIfNoEntry: false });
      if (!found || found.isDirectory()) return [];
      const mode = found.isSymbolicLink() ? '120000' : (found.mode & 0o100) === 0 ? '100644' : '100755';
      return [`${mode} ${blobId(contentOf(full))} ${raw}`];
    })
    .sort();
}

function filesInTree(repo: Repo, commit: string): string[] {
  return split(repo.git('ls-tree', '-r', '-z', commit))
    .map((line) => line.replace(/^(\d+) blob (\w+)\t/, '$1 $2 '))
    .sort();
}

/** The result of `git diff` in the person's repository, as lines `status path added removed`. */
function gitDiff(repo: Repo, from: string, to: string): string[] {
  const counts = new Map<string, string>();
  const plain = ['-z', '-M', '-l1000', '--no-textconv', '--no-ext-diff', from, to];
  const numbers = repo.git('diff', '--numstat', ...plain).split('\0');
  for (let at = 0; at < numbers.length - 1; at += 1) {
    const [, added, removed, path] = /^([\d-]+)\t([\d-]+)\t([\s\S]*)$/.exec(numbers[at] ?? '') ?? [];
    const name = path === '' ? (numbers[at + 2] ?? '') : (path ?? '');
    if (path === '') at += 2;
    counts.set(name, `${added} ${removed}`);
  }
  const names = repo.git('diff', '--name-status', ...plain).split('\0');
  const found: string[] = [];
  for (let at = 0; at < names.length - 1; at += 2) {
    const letter = names[at]?.[0] ?? '';
    if (letter === 'R') at += 1;
    const path = names[at + 1] ?? '';
    found.push(`${letter} ${path} ${counts.get(path)}`);
  }
  return found.sort();
}

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', mode: 'M', type: 'T', ignored: 'D' };

test('for random edits Changes equals git diff, its patch leads from one snapshot to the other, a restored file is as it was, and nothing of the person’s changes', {
  timeout: 590_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(EDITS, EDITS, async (first, second) => {
      const repo = new Repo();
      try {
        apply(repo, first);
        const before = repo.fingerprint();
        const shadow = await repo.shadow();
        const one = await take(shadow, 1);
        expect(repo.fingerprint()).toEqual(before);
        expect(filesInTree(repo, one.commit)).toEqual(filesOnDisk(repo));

        apply(repo, second);
        const after = repo.fingerprint();
        const two = await take(shadow, 2, one);
        const files = await readDiff(shadow, one.commit, two.commit);
        const patch = await readWholePatch(shadow, one.commit, two.commit);
        expect(repo.fingerprint()).toEqual(after);
        expect(filesInTree(repo, two.commit)).toEqual(filesOnDisk(repo));
        const said = files.map(
          ({ id, status, added, removed }) => `${LETTERS[status]} ${fromId(id)} ${added ?? '-'} ${removed ?? '-'}`,
        );
        expect(said.sort()).toEqual(gitDiff(repo, one.commit, two.commit));
        expect(applied(repo, one.tree, patch)).toBe(two.tree);

        for (const { id } of files.slice(0, 3)) await restoreLaw(repo, { shadow, one, id });
        repo.git('fsck', '--strict', '--no-dangling');
      } finally {
        repo.dispose();
      }
    }),
    fuzzRuns(40),
  );
});

/** The tree that `git apply` makes of a tree and a patch. */
function applied(repo: Repo, tree: string, patch: string): string {
  const path = join(repo.folder, 'patch');
  writeFileSync(path, patch);
  repo.gitApart('read-tree', tree);
  if (patch !== '') repo.gitApart('apply', '--cached', '--whitespace=nowarn', path);
  return repo.gitApart('write-tree').trim();
}

interface Restored {
  shadow: Shadow;
  one: SnapshotTaken;
  id: string;
}

async function restoreLaw(repo: Repo, { shadow, one, id }: Restored): Promise<void> {
  const raw = fromId(id);
  const path = join(repo.root, toBytes(raw).toString());
  const kept = lstatSync(path, { throwIfNoEntry: false }) ? contentOf(path) : null;
  const held = await take(shadow, 3, null, [raw]);
  try {
    await restoreFile(shadow, one.commit, raw);
  } catch {
    // A folder has the file's path, or a file is in place of a parent folder. Then nothing may have changed.
    if (kept) expect(contentOf(path)).toEqual(kept);
    return;
  }
  const wanted = filesInTree(repo, one.commit).find((line) => line.slice(48) === raw);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (wanted === undefined) expect(found).toBeUndefined();
  else {
    const mode = found?.isSymbolicLink() ? '120000' : ((found?.mode ?? 0) & 0o100) === 0 ? '100644' : '100755';
    expect(`${mode} ${blobId(contentOf(path))} ${raw}`).toBe(wanted);
  }
  if (kept) expect(filesInTree(repo, held.commit).find((line) => line.slice(48) === raw)).toContain(blobId(kept));
}
