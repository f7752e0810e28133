import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompletedTerminal, Completion } from '../../src-main/completion/Completion.ts';
import type { HistoryEntry } from '../../src-main/contract/api.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { specFolder, writeTree } from './specFolder.ts';

const root = mkdtempSync(join(tmpdir(), 'hansard-completion-'));
const folder = join(root, 'project');
let specsDir = '';
let completion: Completion;
const ID = '0123456789012345678901234567890123456789';
const past: HistoryEntry[] = [
  ['git switch feature/tides', 0],
  ['gti status', 127],
  ['deploy now', 0],
].map(([cmd, exitCode], at) => ({
  cmd: cmd as string,
  exitCode: exitCode as number,
  cwd: folder,
  atMs: at,
  terminalId: 't',
  blockId: `b${at}`,
}));

beforeAll(async () => {
  specsDir = await specFolder();
  writeTree(root, {
    'bin/git': '',
    'bin/grep': '',
    'bin/mytool': '',
    'home/.ssh/config': 'Host tides\n  HostName 10.0.0.1\nHost *.internal !bad\nInclude extra/*\n',
    'home/.ssh/extra/work': 'host=harbour lighthouse\n',
    'home/.ssh/known_hosts': '[ship.example]:2222,10.1.1.1 ssh-ed25519 AAAA\n|1|hash= ssh-rsa AAAA\n',
    'home/Documents/': '',
    'project/.git/HEAD': 'ref: refs/heads/main\n',
    'project/.git/config':
      '[core]\n\tfsmonitor = touch hacked\n[remote "origin"]\n\turl = x\n[alias]\n\tco = !touch hacked\n',
    'project/.git/refs/heads/main': ID,
    'project/.git/refs/heads/feature/moon': ID,
    'project/.git/refs/tags/v1.0': ID,
    'project/.git/packed-refs': `${ID} refs/heads/feature/tides\n${ID} refs/tags/v0.9\n${ID} refs/remotes/origin/main\n`,
    'project/package.json': '{"scripts":{"build":"vite build","test:unit":"vitest"},"dependencies":{"zod":"4"}}',
    'project/node_modules/.bin/vitest': '',
    'project/Makefile': 'CC := gcc\nall: main.o\n\tcc\n.PHONY: all\nclean install:\n%.o: %.c\n',
    'project/justfile': '# Deploys it\ndeploy target:\n  echo\nset := "x"\n',
    'project/src/tides.ts': '',
    'project/src/moon phase.ts': '',
    'project/My Documents/': '',
    'project/README.md': '',
    'project/-rf': '',
    "project/it's": '',
    'project/bang!.txt': '',
    'project/new\nline': '',
    'project/.hidden': '',
  });
  completion = new Completion({
    env: { PATH: join(root, 'bin'), FOO_BAR: 'secret', FOO_BAZ: 'x' },
    home: join(root, 'home'),
    clock: new FakeClock(),
    files: { specsDir },
    history: { startingWith: (prefix, limit) => past.filter(({ cmd }) => cmd.startsWith(prefix)).slice(0, limit) },
  });
});
afterAll(() => {
  rmSync(root, { recursive: true });
  rmSync(specsDir, { recursive: true });
});

function terminal(shell = 'bash'): CompletedTerminal {
  return { shell, cwd: folder, isOwnPrompt: true, words: null, names: null };
}

/** The lines after each choice; `|` is the caret. */
async function lines(marked: string, shell = 'bash'): Promise<string[]> {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, choices } = await completion.line(terminal(shell), text, caret);
  return choices.map(({ insert }) => text.slice(0, from) + insert + text.slice(to));
}

describe('the first choice', () => {
  test.each([
    ['gi|', 'git'],
    ['git checko|', 'git checkout'],
    ['git checkout fe|', 'git checkout feature/tides'],
    ['git switch |', 'git switch feature/tides'],
    ['git switch feature/t|', 'git switch feature/tides'],
    ['git merge MAI|', 'git merge main'],
    ['git push ori|', 'git push origin'],
    ['git commit --am|', 'git commit --amend'],
    ['git commit -m x --am|', 'git commit -m x --amend'],
    ['git -C src checko|', 'git -C src checkout'],
    ['git --no-pager lo|', 'git --no-pager log'],
    ['git add READ|', 'git add README.md'],
    ['git stash po|', 'git stash pop'],
    ['git remote ad|', 'git remote add'],
    ['sudo git pul|', 'sudo git pull'],
    ['sudo -u root git pul|', 'sudo -u root git pull'],
    ['FOO=1 git checko|', 'FOO=1 git checkout'],
    ['env A=1 B=2 git checko|', 'env A=1 B=2 git checkout'],
    ['time nice -n 5 git checko|', 'time nice -n 5 git checkout'],
    ['timeout 5 git checko|', 'timeout 5 git checkout'],
    ['ls | xargs -n 1 git checko|'.replace('| x', '¦ x'), 'ls | xargs -n 1 git checkout'],
    ['if git checko|', 'if git checkout'],
    ['ls; git checko|', 'ls; git checkout'],
    ['ls && git checko|', 'ls && git checkout'],
    ['echo $(git checko|', 'echo $(git checkout'],
    ['echo "$(git checko|', 'echo "$(git checkout'],
    ['echo `git checko|', 'echo `git checkout'],
    ['(cd src; git checko|', '(cd src; git checkout'],
    ['diff <(git checko|', 'diff <(git checkout'],
    ['/usr/bin/git checko|', '/usr/bin/git checkout'],
    ['npm ru|', 'npm run'],
    ['npm run |', 'npm run build'],
    ['npm run te|', 'npm run test:unit'],
    ['npm run unit|', 'npm run test:unit'],
    ['yarn bui|', 'yarn build'],
    ['pnpm test:|', 'pnpm test:unit'],
    ['npx vites|', 'npx vitest'],
    ['npm uninstall z|', 'npm uninstall zod'],
    ['docker ru|', 'docker run'],
    ['docker run --det|', 'docker run --detach'],
    ['docker container ls|', 'docker container ls'],
    ['kubectl ge|', 'kubectl get'],
    ['ssh |', 'ssh tides'],
    ['ssh light|', 'ssh lighthouse'],
    ['ssh shi|', 'ssh ship.example'],
    ['make |', 'make all'],
    ['make cle|', 'make clean'],
    ['just dep|', 'just deploy'],
    ['kill -|', 'kill -s'],
    ['ls --col|', 'ls --color='],
    ['grep -n --recu|', 'grep -n --recursive'],
    ['cargo bui|', 'cargo build'],
    ['systemctl resta|', 'systemctl restart'],
    ['cd |', 'cd My\\ Documents/'],
    ['cd s|', 'cd src/'],
    ['cd ~/Doc|', 'cd ~/Documents/'],
    ['cat src/ti|', 'cat src/tides.ts'],
    ['cat src/mo|', 'cat src/moon\\ phase.ts'],
    ['cat "src/mo|', 'cat "src/moon phase.ts"'],
    ['cat "src/mo|"', 'cat "src/moon phase.ts"'],
    ["cat 'src/mo|", "cat 'src/moon phase.ts'"],
    ['cat "My D|', 'cat "My Documents/'],
    ['cat My\\ D|', 'cat My\\ Documents/'],
    ['cat it|', "cat it\\'s"],
    ["cat 'it|", "cat 'it'\\''s'"],
    ['cat "bang|', "cat 'bang!.txt'"],
    ['cat new|', "cat $'new\\012line'"],
    ['rm rf|', 'rm ./-rf'],
    ['cat .hid|', 'cat .hidden'],
    ['echo x > READ|', 'echo x > README.md'],
    ['echo x 2>READ|', 'echo x 2>README.md'],
    ['unknowncmd READ|', 'unknowncmd README.md'],
    ['mytool --file=READ|', 'mytool --file=READ'],
    ['echo $FO|', 'echo $FOO_BAR'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    ['echo ${FOO_BAZ|', 'echo ${FOO_BAZ}'],
    ['depl|', 'deploy now'],
    ['which my|', 'which mytool'],
    ['./sr|', './src/'],
  ])('%s', async (marked, expected) => {
    // a pipe in the line itself is written ¦
    const caret = marked.indexOf('|');
    const text = marked.replace('|', '').replace('¦', '|');
    const { from, to, choices } = await completion.line(terminal(), text, caret);
    const [first] = choices;
    expect(text.slice(0, from) + (first?.insert ?? text.slice(from, to)) + text.slice(to)).toBe(expected);
  });
});

describe('the choices', () => {
  test('of cd are folders alone', async () => {
    const { choices } = await completion.line(terminal(), 'cd ', 3);
    expect(choices.filter(({ kind }) => kind !== 'folder' && kind !== 'option' && kind !== 'argument')).toEqual([]);
    expect(choices.map(({ label }) => label)).toContain('src/');
  });

  test('leave out an option that was given', async () => {
    expect(await lines('git commit --am|')).toContain('git commit --amend');
    expect(await lines('git commit --amend --am|')).not.toContain('git commit --amend --amend');
  });

  test('carry what the specification says', async () => {
    const { choices } = await completion.line(terminal(), 'git checko', 10);
    expect(choices[0]).toMatchObject({
      label: 'checkout',
      kind: 'subcommand',
      description: expect.stringContaining('branch'),
    });
  });

  test('never hold the value of a variable', async () => {
    expect(JSON.stringify(await completion.line(terminal(), 'echo $FO', 8))).not.toContain('secret');
  });

  test('are empty in a comment and behind an expansion that is not known', async () => {
    expect(await lines('ls # git che|')).toEqual([]);
    expect(await lines('cat $(pwd)/|')).toEqual([]);
  });

  test('are quoted as fish and PowerShell read them', async () => {
    expect((await lines("cat 'it|", 'fish'))[0]).toBe("cat 'it\\'s'");
    expect((await lines('cat new|', 'fish'))[0]).toBe('cat new\\X0aline');
    expect((await lines('cat src/mo|', 'pwsh'))[0]).toBe("cat 'src/moon phase.ts'");
  });
});

describe('a command', () => {
  beforeAll(() => chmodSync(join(root, 'bin/git'), 0o755));
  const names = (known: string[], suffixes: string[] = [], path = join(root, 'bin')) => ({
    ...{ pid: 1, path, known: new Set(known), suffixes: new Set(suffixes) },
  });

  test.each([
    ['git', true],
    ['cd', true],
    ['if', true],
    ['deploy', true],
    ['notes.txt', true],
    ['gti', false],
    ['a.b.c', false],
    ['src', null], // a folder, to which some shells change
    ['./nothing', null],
    ['bin/nothing', null],
    ['~/x', null],
    ['$EDITOR', null],
    ['!gi', null],
    ['%1', null],
    ['=git', null],
    ['g*t', null],
    ['_private', null],
    ['über', null],
  ])('%s is known: %s', async (word, expected) => {
    const at = { ...terminal(), names: names(['deploy'], ['txt']) };
    expect(await completion.isCommand(at, word)).toBe(expected);
  });

  test.each([
    ['the shell did not say what it has', null],
    ['a function runs what is not found', names(['command_not_found_handle'])],
    ['a part of PATH depends on the folder', names([], [], `${join(root, 'bin')}:.`)],
    ['a part of PATH is empty', names([], [], `${join(root, 'bin')}::/bin`)],
  ])('is not judged where %s', async (_, given) => {
    expect(await completion.isCommand({ ...terminal(), names: given }, 'gti')).toBeNull();
  });

  test('is found where the shell looks, as soon as it is there and no longer', async () => {
    const folder = join(root, 'other');
    mkdirSync(folder);
    const at = { ...terminal(), names: names([], [], folder) };
    expect(await completion.isCommand(at, 'git')).toBe(false);
    writeFileSync(join(folder, 'git'), '', { mode: 0o755 });
    expect(await completion.isCommand(at, 'git')).toBe(true);
    rmSync(join(folder, 'git'));
    expect(await completion.isCommand(at, 'git')).toBe(false);
  });

  test('is not judged in a shell that is not known', async () => {
    expect(await completion.isCommand({ ...terminal(), isOwnPrompt: false }, 'cd')).toBeNull();
  });
});
