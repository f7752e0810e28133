import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/policy.ts';
import { execPolicy } from '../../src-main/session/exec/ExecPolicy.ts';
import { Random } from '../session/exec/person.ts';
import { generous, judge } from './allow.ts';

/** Each runs a program, writes a file or loads code, by the manual of its program. */
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

describe('git in a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'hansard-git-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const policy = execPolicy(Policy.parse({ exec: { allow: [{ argv: ['git', 'status'] }] } }));
  const words = {
    aliases: new Map(),
    functions: new Set<string>(),
    checked: new Set(['git']),
    globals: new Set<string>(),
    suffixes: new Set<string>(),
  };
  const ask = (cwd: string | null) => {
    const { verdict, rule } = policy.judge({ cmd: 'git status', shell: 'bash', cwd }, words);
    return verdict === 'allow' ? 'allow' : rule;
  };
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
