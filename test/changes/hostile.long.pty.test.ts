import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SNAPSHOT_LIMITS, type SnapshotLimits } from '../../src-main/changes/Candidates.ts';
import { forgetSnapshots } from '../../src-main/changes/forgetSnapshots.ts';
import { toBytes, toText } from '../../src-main/changes/pathBytes.ts';
import { readDiff } from '../../src-main/changes/readDiff.ts';
import { restoreChanged } from '../../src-main/changes/restoreChanged.ts';
import { entryIn, restoreFile } from '../../src-main/changes/restoreFile.ts';
import { type Repository, Snapshots } from '../../src-main/changes/Snapshots.ts';
import { Repo } from './Repo.ts';

let repo: Repo;
const made: Snapshots[] = [];
beforeEach(() => {
  repo = new Repo();
  repo.write('a.txt', 'one\n');
});
afterEach(() => {
  for (const one of made.splice(0)) one.dispose();
  repo.dispose();
});

function snapshots(limits: Partial<SnapshotLimits> = {}): Snapshots {
  const one = new Snapshots({ dataFolder: repo.folder, env: repo.env, limits: { ...SNAPSHOT_LIMITS, ...limits } });
  made.push(one);
  return one;
}

let n = 0;
async function take(limits: Partial<SnapshotLimits> = {}, cwd = repo.root) {
  n += 1;
  return snapshots(limits).take(cwd, { conversationId: 'c1', n, before: null });
}

async function paths(cwd = repo.root): Promise<string[]> {
  const { taken, fault } = await take({}, cwd);
  expect(fault).toBeNull();
  return repo
    .git('ls-tree', '-r', '-z', '--name-only', taken?.tree ?? '')
    .split('\0')
    .filter(Boolean);
}

describe('no program of the repository runs', () => {
  test.each([
    ['core.fsmonitor', ''],
    ['filter.evil.clean', '* filter=evil\n'],
    ['filter.evil.process', '* filter=evil\n'],
    ['diff.evil.textconv', '* diff=evil\n'],
    ['diff.evil.command', '* diff=evil\n'],
    ['diff.external', ''],
    ['gpg.program', ''],
    ['core.alternateRefsCommand', ''],
    ['core.sshCommand', ''],
  ])('that its config names as %s', async (key, attributes) => {
    const ran = join(repo.folder, 'ran');
    const program = join(repo.folder, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\ncat\n`);
    chmodSync(program, 0o755);
    repo.commit();
    if (attributes) repo.write('.gitattributes', attributes);
    repo.git('config', key, program);
    repo.git('config', 'commit.gpgsign', 'true');
    repo.write('a.txt', 'two\n');
    const one = await take();
    repo.write('a.txt', 'three\n');
    const two = await take();
    const shadow = await snapshots().reader(one.repository as Repository);
    const files = await readDiff(shadow, one.taken?.commit ?? '', two.taken?.commit ?? '');
    expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([['a.txt', 1, 1]]);
    expect(existsSync(ran)).toBe(false);
  });

  test('as a hook, not even when refs change', async () => {
    const ran = join(repo.folder, 'ran');
    for (const hook of ['reference-transaction', 'post-index-change', 'pre-commit', 'post-commit']) {
      repo.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${ran}\n`);
      chmodSync(join(repo.root, '.git/hooks', hook), 0o755);
    }
    expect((await take()).fault).toBeNull();
    expect(existsSync(ran)).toBe(false);
  });

  test('in a submodule whose config names one', async () => {
    const ran = join(repo.folder, 'ran');
    const program = join(repo.folder, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(program, 0o755);
    repo.commit();
    repo.git('submodule', 'add', '-q', repo.root, 'sub');
    repo.gitIn(join(repo.root, 'sub'), 'config', 'core.fsmonitor', program);
    repo.gitIn(join(repo.root, 'sub'), 'config', 'filter.evil.clean', program);
    repo.write('sub/.gitattributes', '* filter=evil\n');
    repo.write('sub/a.txt', 'changed\n');
    expect(await paths()).toContain('sub');
    expect(existsSync(ran)).toBe(false);
  });
});

describe('a snapshot of', () => {
  test('a folder outside of git says so', async () => {
    expect((await take({}, '/')).fault).toEqual({ why: 'outside', detail: '/' });
  });

  test('a bare repository says so', async () => {
    repo.gitIn(repo.folder, 'init', '-q', '--bare', 'bare.git');
    expect((await take({}, join(repo.folder, 'bare.git'))).fault?.why).toBe('outside');
  });

  test('a repository without a commit has its files', async () => {
    expect(await paths()).toEqual(['a.txt']);
  });

  test('a linked work tree has that tree’s files, and its ref is in the repository', async () => {
    repo.commit();
    const linked = join(repo.folder, 'linked');
    repo.git('worktree', 'add', '-q', '-b', 'other', linked);
    writeFileSync(join(linked, 'only-here'), '');
    expect(await paths(linked)).toEqual(['a.txt', 'only-here']);
    expect(repo.git('for-each-ref', 'refs/hansard')).toContain(`refs/hansard/c1/${n}`);
  });

  test('a repository with SHA-256 objects is taken', async () => {
    rmSync(join(repo.root, '.git'), { recursive: true });
    repo.git('init', '-q', '--object-format=sha256');
    expect(await paths()).toEqual(['a.txt']);
  });

  test('any repository keeps what is ours from other users', async () => {
    await take();
    const ours = readdirSync(join(repo.folder, 'snapshots'), { recursive: true, encoding: 'utf8' });
    const open = ours.filter((name) => (statSync(join(repo.folder, 'snapshots', name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });

  test('a subfolder takes the whole work tree', async () => {
    repo.write('sub/b', '');
    expect(await paths(join(repo.root, 'sub'))).toEqual(['a.txt', 'sub/b']);
  });

  test('odd names keeps every byte of them', async () => {
    const name = Buffer.from([0x66, 0xff, 0x0a, 0x22, 0x5c]);
    writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/`), name]), 'x');
    const found = await paths();
    expect(found.map((raw) => toBytes(raw).toString('hex'))).toContain(name.toString('hex'));
    expect(toText(name.toString('latin1'))).toBe('f\\xff\n"\\');
  });

  test('a file over the limit, an unreadable one and a repository without a commit leaves them out and names them', async () => {
    repo.write('large', 'x'.repeat(100));
    repo.write('secret', 'x');
    chmodSync(join(repo.root, 'secret'), 0);
    mkdirSync(join(repo.root, 'nested'));
    repo.gitIn(join(repo.root, 'nested'), 'init', '-q');
    repo.write('nested/file', 'x');
    const { taken } = await take({ fileBytes: 50 });
    const expected = [
      ['large', 'large'],
      ['nested', 'nested'],
      ...(process.getuid?.() === 0 ? [] : [['secret', 'unreadable']]),
    ];
    expect(taken?.leftOut.map(({ path, why }) => [path, why]).sort()).toEqual(expected);
    chmodSync(join(repo.root, 'secret'), 0o600);
  });

  test('more untracked files than the limit gives up, and what git ignores or tracks does not count', async () => {
    for (let at = 0; at < 30; at += 1) repo.write(`tracked/${at}`, '');
    repo.commit();
    for (let at = 0; at < 30; at += 1) repo.write(`new/${at}`, '');
    expect((await take({ untrackedFiles: 20 })).fault).toEqual({ why: 'large', detail: '30 untracked files' });
    expect(repo.git('for-each-ref', 'refs/hansard')).toBe('');
    repo.write('.gitignore', 'new/\n');
    expect((await take({ untrackedFiles: 20 })).fault).toBeNull();
  });

  test('a folder that takes too long gives up and says so', async () => {
    expect((await take({ timeMs: 1 })).fault?.why).toBe('slow');
  });

  test('a repository that cannot be written says why', async () => {
    if (process.getuid?.() === 0) return;
    repo.commit();
    chmodSync(join(repo.root, '.git/objects'), 0o500);
    repo.write('b', 'new content');
    const { fault } = await take();
    chmodSync(join(repo.root, '.git/objects'), 0o700);
    expect(fault?.why).toBe('failed');
    expect(fault?.detail).not.toBe('');
  });

  test('a damaged index of ours makes a new one', async () => {
    await take();
    const [folder = ''] = readdirSync(join(repo.folder, 'snapshots'));
    writeFileSync(join(repo.folder, 'snapshots', folder, 'index'), 'no index');
    writeFileSync(join(repo.folder, 'snapshots', folder, 'index.lock'), '');
    expect(await paths()).toEqual(['a.txt']);
  });

  test('files that come and go while they are read is taken all the same', async () => {
    const churn = spawn('sh', ['-c', 'while :; do echo x > churn-$$; mv churn-$$ churn-2; rm -f churn-2; done'], {
      cwd: repo.root,
      stdio: 'ignore',
    });
    try {
      for (let tries = 0; tries < 10; tries += 1) expect((await take()).fault).toBeNull();
    } finally {
      churn.kill('SIGKILL');
    }
  });

  test('two at once follow each other', async () => {
    const both = snapshots();
    const results = await Promise.all(
      [1, 2, 3].map((at) => both.take(repo.root, { conversationId: 'c2', n: at, before: null })),
    );
    expect(results.map(({ fault }) => fault)).toEqual([null, null, null]);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/hansard').trim().split('\n')).toHaveLength(3);
  });
});

describe('a restored file', () => {
  test('is not removed where it was there before and ignored then', async () => {
    repo.write('.gitignore', '.env\n');
    repo.write('.env', 'KEY=1\n');
    const atMs = Date.now();
    const { taken, repository } = await take();
    repo.write('.gitignore', '');
    repo.write('new.txt', 'of the turn\n');
    const restore = async (path: string) =>
      restoreChanged({
        shadow: () => snapshots().reader(repository as Repository),
        keep: async () => ({ n, ...(await take()) }),
        ...{ commit: taken?.commit ?? '', atMs, path, earlier: path },
      });
    expect(await restore('.env')).toMatchObject({ ok: false, reason: expect.stringContaining('ignored') });
    expect(readFileSync(join(repo.root, '.env'), 'utf8')).toBe('KEY=1\n');
    expect(await restore('new.txt')).toMatchObject({ ok: true, isRemoved: true });
  });

  test('is never written through a link to another folder', async () => {
    repo.write('sub/b', 'before');
    const { taken, repository } = await take();
    rmSync(join(repo.root, 'sub'), { recursive: true });
    const outside = join(repo.folder, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(repo.root, 'sub'));
    const shadow = await snapshots().reader(repository as Repository);
    await expect(restoreFile(shadow, taken?.commit ?? '', 'sub/b')).rejects.toThrow('link');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('never replaces a folder, and leaves the repository’s own folder alone', async () => {
    const { taken, repository } = await take();
    rmSync(join(repo.root, 'a.txt'));
    mkdirSync(join(repo.root, 'a.txt'));
    const shadow = await snapshots().reader(repository as Repository);
    await expect(restoreFile(shadow, taken?.commit ?? '', 'a.txt')).rejects.toThrow('folder');
    await expect(restoreFile(shadow, taken?.commit ?? '', '.git/config')).rejects.toThrow('valid');
    await expect(restoreFile(shadow, taken?.commit ?? '', '../x')).rejects.toThrow('valid');
    expect(await entryIn(shadow, taken?.commit ?? '', 'gone')).toBeNull();
  });
});

test('refs of a deleted terminal are removed, and no others', async () => {
  repo.commit();
  const { taken, repository } = await take();
  await snapshots().take(repo.root, { conversationId: 'c9', n: 1, before: null });
  const folder = join(repo.folder, 'terminal');
  mkdirSync(folder);
  const line = {
    conversationId: 'c1',
    n: 1,
    turn: 1,
    edge: 'begin',
    atMs: 1,
    promptId: null,
    title: '',
    cwd: repo.root,
  };
  writeFileSync(join(folder, 'changes.jsonl'), `${JSON.stringify({ ...line, repository, taken, fault: null })}\n`);
  await forgetSnapshots(folder);
  expect(repo.git('for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
    'refs/hansard/c9/1',
    'refs/heads/main',
  ]);
});

test('kill -9 at any moment leaves the repository sound and nothing of the person’s locked or changed', {
  timeout: 120_000,
}, async () => {
  for (let at = 0; at < 400; at += 1) repo.write(`src/${at % 7}/${at}`, `${at}\n`.repeat(200));
  repo.commit();
  const before = repo.fingerprint();
  const child = fileURLToPath(new URL('./takeOften.ts', import.meta.url));
  for (const killMs of [40, 90, 150, 220, 300, 400, 550, 800]) {
    const taking = spawn(process.execPath, [child, repo.folder, repo.root], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => taking.stdout?.once('data', resolve)); // wait for the start of its first snapshot
    await new Promise((resolve) => setTimeout(resolve, killMs));
    process.kill(-(taking.pid ?? 0), 'SIGKILL');
    await new Promise((resolve) => taking.once('close', resolve));
    repo.git('fsck', '--strict', '--no-dangling');
    expect(repo.fingerprint()).toEqual(before);
  }
  expect((await take()).fault).toBeNull();
  expect(readFileSync(join(repo.root, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
});
