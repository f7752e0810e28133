import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { execPolicy } from '../../src-main/mcp/access/ExecPolicy.ts';
import { manualOf, REVIEWED } from '../../src-main/policy/programs/reviewedPrograms.ts';
import { Random } from '../mcp/exec/person.ts';
import { generous, judge } from './allow.ts';

/** Commands that run a program, write a file or load code, according to the manual of their program. */
const DANGEROUS = `
tar --index-file=x -tf a.tar
tar -g x -cf a.tar b
tar --volno-file=x -tf a.tar
nm --plugin ./x.so a.o
objdump --plugin ./x.so a.o
apt -o APT::Update::Pre-Invoke::=id list
svn --config-option=config:tunnels:x=id info
svn --config-dir x info
hg --config hooks.pre-status=id status
exiftool a.jpg
exiftool -config x a.jpg
mlr put x a.csv
openssl engine x
openssl enc -engine x
openssl dgst -provider x
iconv -o x a
iconv --output=x a
xmllint -o x a.xml
xmllint --output x a.xml
ss -D x
curl -H @x https://a
curl --header @x https://a
curl --proxy-header @x https://a
pylint --init-hook=x a.py
pylint a.py
pandoc --filter x a.md
pandoc -F x a.md
pandoc -o x a.md
pandoc --lua-filter=x a.md
pdflatex -shell-escape a.tex
pdflatex a.tex
run-parts x
rsync -M--rsync-path=x a b
rsync --remote-option=x a b
rsync -e x a b
sqlformat --outfile x a
dot -o x a.dot
convert --delegate x a
ffmpeg -i a b
pdftotext -opw x a
strings --target=x a
readelf -C a
logrotate -l x a
locate -d x a
column -o x a
csvtool -o x a
tree -o x
wget -O x https://a
gcc -wrapper x a.c
ffprobe -o x a
traceroute --module=x a
lsof -D x
less -o x a
`
  .trim()
  .split('\n');

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

test.each(DANGEROUS)('a rule for the program alone does not allow %j', (cmd) => {
  expect(judge(generous(cmd.split(' ')[0] ?? ''), cmd).verdict).toBe('ask');
});

test('an option that nobody has reviewed asks, whatever it is called and wherever it stands', () => {
  const random = new Random(20261123);
  const letters = 'abcdefghijklmnopqrstuvwxyz-';
  for (let at = 0; at < 2_000; at++) {
    const name = Array.from({ length: 2 + random.upTo(12) }, () => letters[random.upTo(25)]).join('');
    const option = `--x${name}${random.upTo(1) ? '=v' : ''}`;
    for (const cmd of [`tool ${option}`, `tool a ${option}`, `tool -- ${option} b`, `tool -${name[0]}9${name}`])
      expect(judge(generous('tool'), cmd), cmd).toMatchObject({ verdict: 'ask', rule: 'option' });
  }
});

/** The law's own list, so that the test fails for an option that only the product's list calls harmless. */
const HARMLESS = words(
  '--help --version --verbose --quiet --color --color=auto --color=always --color=never --no-color --no-pager --json -h -V -v -q',
);
/** Options of real programs: many of them run or write something in one program, and look harmless in another. */
const REAL =
  words(`-a -c -d -e -f -i -o -r -x -C -D -F -H -I -M -O -P -T -W --filter --plugin --init-hook --config-option=a --config-dir --output=x
  --index-file=x -shell-escape -opw --list --all -n5 -1 +x- -`);

test('of every program here without a reviewed manual, any option but the harmless ones asks', () => {
  const folders = ['/usr/bin', '/bin', '/usr/sbin', '/usr/local/bin'].filter((folder) => existsSync(folder));
  const named = words(
    'tar nm objdump apt svn hg curl rsync xmllint iconv ss pandoc exiftool openssl dig wget gcc less mlr pylint',
  );
  const all = new Set([
    ...named,
    ...folders.flatMap((folder) => readdirSync(folder)),
    ...DANGEROUS.map((cmd) => cmd.split(' ')[0] ?? ''),
  ]);
  const programs = [...all].filter((name) => /^[\w.+-]+$/.test(name) && manualOf(name) === null);
  expect(programs.length).toBeGreaterThan(30);
  const allowed = programs.flatMap((program) =>
    REAL.filter((option) => option.startsWith('-') && option !== '-')
      .map((option) => `${program} a ${option}`)
      .filter((cmd) => judge(generous(program), cmd).verdict !== 'ask'),
  );
  expect(allowed).toEqual([]);
  for (const option of HARMLESS) expect(judge(generous('tool'), `tool ${option}`).verdict, option).toBe('allow');
});

test('a reviewed table names its manual with the version that was read, and each program is in one', () => {
  for (const { manual, version, programs } of REVIEWED) {
    expect(manual).toMatch(/^[A-Za-z][\w -]+$/);
    expect(version).toMatch(/^\d+(\.\d+)+$/);
    expect(programs.length).toBeGreaterThan(0);
    for (const program of programs) expect(manualOf(program)).toBe(`${manual} ${version}`);
  }
  const all = REVIEWED.flatMap(({ programs }) => programs);
  expect(new Set(all).size).toBe(all.length);
  expect(['tar', 'hg', 'nm', 'constructor', ''].map(manualOf)).toEqual([null, null, null, null, null]);
});

test('an option that the rule itself names is allowed, and nothing more', () => {
  const policy = Policy.parse({ exec: { allow: [{ argv: ['prettier-x', '--list'] }] } });
  const verdicts = ['prettier-x --list a.ts', 'prettier-x --list --plugin=./x a.ts', 'prettier-x a.ts --list'];
  expect(verdicts.map((cmd) => judge(policy, cmd).verdict)).toEqual(['allow', 'ask', 'ask']);
});

test.each([
  'ls -laR --sort=size',
  'grep -rn x src',
  'git log --oneline -n 5',
  'head -5 a',
  'tool --version',
  'jq -r .a f.json',
])('%j stays allowed: its options were read in a manual, or are harmless', (cmd) => {
  const [program = '', second = ''] = cmd.split(' ');
  expect(judge(generous(program === 'git' ? `git ${second}` : program), cmd).verdict).toBe('allow');
});

/** The policy's answer to a command in a folder, with a rule that allows it and without aliases. */
function askIn(cmd: string, cwd: string | null): string {
  const argv = cmd.split(' ');
  const shellWords = {
    aliases: new Map(),
    functions: new Set<string>(),
    checked: new Set(argv.slice(0, 1)),
    globals: new Set<string>(),
    suffixes: new Set<string>(),
  };
  const policy = execPolicy(Policy.parse({ exec: { allow: [{ argv }] } }));
  const { verdict, rule } = policy.judge({ cmd, shell: 'bash', cwd }, shellWords);
  return verdict === 'allow' ? 'allow' : rule;
}

describe('hg in a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'hansard-hg-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const ask = (cwd: string | null) => askIn('hg status', cwd);
  const repository = (name: string, files: Readonly<Record<string, string>>): string => {
    const folder = join(root, name);
    mkdirSync(join(folder, '.hg'), { recursive: true });
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, '.hg', file), text);
    return folder;
  };

  test('is allowed in a plain repository of the person, below it, and outside of any', () => {
    const plain = repository('plain', { hgrc: '# a clone\n[paths]\ndefault = https://a/b\n' });
    expect([ask(plain), ask(join(plain, 'a/b')), ask(repository('bare', {})), ask(root)]).toEqual(
      Array(4).fill('allow'),
    );
  });

  test.each([
    ['a hook', { hgrc: '[hooks]\npre-status = id\n' }],
    ['an extension', { hgrc: '[paths]\na = b\n[extensions]\nx = ./x.py\n' }],
    ['an alias', { hgrc: ' [alias]\nstatus = !id\n' }],
    ['another file', { hgrc: '%include ../x\n' }],
    ['a file that is not shared', { 'hgrc-not-shared': '[hooks]\npre-status = id\n' }],
    ['the repository that it shares', { sharedpath: '../../with-a-hook/.hg\n' }],
  ])('asks where the config has %s', (name, files) => {
    repository('with-a-hook', { hgrc: '[hooks]\npre-status = id\n' });
    const folder = repository(`in-${name.replaceAll(' ', '-')}`, files);
    expect([ask(folder), ask(join(folder, 'a/b'))]).toEqual(['hg_folder', 'hg_folder']);
  });

  test('asks where the folder is not known', () => {
    expect(ask(null)).toBe('hg_folder');
  });
});

describe('git in a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'hansard-git-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const ask = (cwd: string | null) => askIn('git status', cwd);
  const repository = (name: string, ...config: [string, string][]): string => {
    const folder = join(root, name);
    execFileSync('git', ['init', '-q', folder]);
    for (const [key, value] of config) execFileSync('git', ['-C', folder, 'config', key, value]);
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    return folder;
  };

  test('is allowed in a plain repository of the person, below it, and outside of any', () => {
    const plain = repository('plain', ['user.name', 'x'], ['remote.origin.url', 'https://a/b']);
    expect([ask(plain), ask(join(plain, 'a/b')), ask(root)]).toEqual(['allow', 'allow', 'allow']);
  });

  test.each<[string, string]>([
    ['core.fsmonitor', './x'],
    ['core.hooksPath', 'hooks'],
    ['core.pager', './x'],
    ['core.sshCommand', './x'],
    ['diff.external', './x'],
    ['diff.Some.textconv', './x'],
    ['filter.Some.clean', './x'],
    ['filter.a.b.process', './x'],
    ['include.path', '../x'],
    ['alias.status', '!id'],
    ['gpg.ssh.program', './x'],
    ['credential.helper', './x'],
  ])('asks where the config sets %s', (key, value) => {
    const folder = repository(`with-${key}`, [key, value]);
    expect([ask(folder), ask(join(folder, 'a/b'))]).toEqual(['git_folder', 'git_folder']);
  });

  test('asks where a hook would run by itself, in a linked work tree, a bare repository, and where the folder is not known', () => {
    const hooked = repository('hooked');
    writeFileSync(join(hooked, '.git/hooks/post-index-change'), '#!/bin/sh\n');
    chmodSync(join(hooked, '.git/hooks/post-index-change'), 0o755);
    const linked = join(root, 'linked');
    mkdirSync(linked);
    writeFileSync(join(linked, '.git'), `gitdir: ${join(hooked, '.git')}\n`);
    const bare = join(root, 'bare');
    execFileSync('git', ['init', '-q', '--bare', bare]);
    execFileSync('git', ['-C', bare, 'config', 'core.fsmonitor', './x']);
    expect([ask(hooked), ask(linked), ask(bare), ask(null)]).toEqual(Array(4).fill('git_folder'));
  });
});
