import { describe, expect, test } from 'vitest';
import type { Judgement } from '../../src-main/contract/chat/judgement.ts';
import type { ShellAliasTable } from '../../src-main/contract/mcp/aliasWords.ts';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { approvalPrefix } from '../../src-main/policy/approvalPrefix.ts';
import { judgeInShell, wordsToCheck } from '../../src-main/policy/judgeInShell.ts';

const POLICY = Policy.parse({
  exec: {
    allow: [
      { argv: ['ls'], flags_deny: ['--danger'] },
      { argv: ['grep'] },
      { argv: [['cat', 'head']] },
      { argv: ['git', ['status', 'log']] },
      { argv: ['ll'] },
    ],
    deny: [{ argv: ['rm'], flags_any: ['-rf'] }],
  },
});

const CHECKED = wordsToCheck(POLICY);

function words(aliases: Record<string, string> = {}, more: Partial<ShellAliasTable> = {}): ShellAliasTable {
  return {
    aliases: new Map(Object.entries(aliases)),
    globals: new Set(),
    suffixes: new Set(),
    functions: new Set(),
    checked: new Set(CHECKED),
    ...more,
  };
}

function judge(cmd: string, told: ShellAliasTable | null, shell = 'bash'): Judgement {
  return judgeInShell(POLICY, { cmd, shell, cwd: '/home/you' }, told);
}

test('the words to check are all that a rule lets a command begin with', () => {
  expect(CHECKED).toEqual(['ls', 'grep', 'cat', 'head', 'git', 'll']);
  const odd = Policy.parse({
    exec: { allow: [{ argv: ['a b'] }, { argv: ['x$(y)'] }, { argv: ['*'] }, { argv: ['ok'] }] },
  });
  expect(wordsToCheck(odd)).toEqual(['ok']);
});

describe('a rule counts as ever', () => {
  test.each([
    ['without aliases', 'ls -l', {}],
    ['with an alias of another name', 'ls -l', { la: 'rm -rf' }],
    ['with colour', 'ls -l', { ls: 'ls --color=auto' }],
    ['with flags in each command', 'ls -l | grep x', { ls: 'ls --color', grep: 'grep --color=auto' }],
    ['for another program that is allowed', 'cat x', { cat: 'head -n 5' }],
    ['over a chain', 'll x', { ll: 'ls -alF', ls: 'ls --color=auto' }],
    ['for a word of the same name as an argument', 'cat ls', { ls: 'rm -rf' }],
    ['for a chain that comes back to itself', 'ls', { ls: 'cat', cat: 'ls' }],
  ] as const)('%s: %s', (_, cmd, aliases) => {
    expect(judge(cmd, words(aliases)).verdict).toBe('allow');
  });
});

describe('a rule does not count', () => {
  test.each([
    ['another program', 'ls', { ls: 'touch x' }, 'ls is an alias in this shell: touch x'],
    ['a flag that the rule has not', 'ls', { ls: 'ls --danger' }, 'ls is an alias in this shell: ls --danger'],
    ['another subcommand', 'git status', { git: 'git push; git' }, 'git is an alias in this shell: git push; git'],
    ['a second command', 'ls', { ls: 'ls; touch x' }, 'ls is an alias in this shell: ls; touch x'],
    ['a pipe', 'ls x', { ls: 'cat y | sh; ls' }, 'ls is an alias in this shell: cat y | sh; ls'],
    ['a wrapper', 'ls', { ls: 'sudo ls' }, 'ls is an alias in this shell: sudo ls'],
    ['a variable', 'ls', { ls: '$X ls' }, 'ls is an alias in this shell: $X ls, which is not understood'],
    ['an assignment', 'ls', { ls: 'A=b ls' }, 'ls is an alias in this shell: A=b ls, which is not understood'],
    ['a comment', 'ls', { ls: 'ls #' }, 'ls is an alias in this shell: ls #, which is not understood'],
    [
      'the end of a chain',
      'll',
      { ll: 'ls -l', ls: 'touch' },
      'll is an alias in this shell: ls -l; ls is an alias in this shell: touch',
    ],
    ['the second of two', 'cat x; ls', { ls: 'touch x' }, 'ls is an alias in this shell: touch x'],
    ['nothing', 'ls rm', { ls: '' }, 'ls is an alias in this shell: , which is not understood'],
    ['an open quote', 'ls x', { ls: "ls '" }, "ls is an alias in this shell: ls ', which is not understood"],
    ['a blank at the end', 'ls cat', { ls: 'ls ', cat: '-l' }, 'ls is an alias in this shell: ls '],
  ] as const)('for an alias that stands for %s: %s', (_, cmd, aliases, reason) => {
    expect(judge(cmd, words(aliases))).toMatchObject({ verdict: 'ask', rule: 'alias', reason });
  });

  test('where a function stands in the place', () => {
    const told = words({}, { functions: new Set(['ls']) });
    expect(judge('ls', told)).toMatchObject({ rule: 'function', reason: 'ls is a function in this shell' });
    expect(judge('cat x | ls', told).verdict).toBe('ask');
    expect(judge('cat ls', told).verdict).toBe('allow');
    expect(judge('ll', words({ ll: 'ls -l' }, { functions: new Set(['ls']) }))).toMatchObject({ rule: 'function' });
  });

  test('where it is not known whether it is a function', () => {
    expect(judge('ls', words({}, { checked: new Set(['cat']) }))).toMatchObject({
      verdict: 'ask',
      rule: 'unknown_words',
    });
  });

  test('where the shell has told nothing', () => {
    expect(judge('ls', null)).toMatchObject({ verdict: 'ask', rule: 'unknown_words' });
  });

  test('where zsh replaces a word in any place, or by its end', () => {
    const global = words({}, { globals: new Set(['L']) });
    expect(judge('ls L', global, 'zsh')).toMatchObject({ verdict: 'ask', rule: 'alias' });
    expect(judge('ls -l', global, 'zsh').verdict).toBe('allow');
    expect(judge('ll', words({ ll: 'ls L' }, { globals: new Set(['L']) }), 'zsh').verdict).toBe('ask');
    const suffix = Policy.parse({ exec: { allow: [{ argv: ['./run.txt'] }] } });
    const told = words({}, { suffixes: new Set(['txt']), checked: new Set(['./run.txt']) });
    const request = { cmd: './run.txt', shell: 'zsh', cwd: '/' };
    expect(judgeInShell(suffix, request, told)).toMatchObject({ verdict: 'ask', rule: 'alias' });
    expect(judgeInShell(suffix, request, { ...told, suffixes: new Set() }).verdict).toBe('allow');
  });
});

test('what an alias stands for is denied where it is denied itself', () => {
  expect(judge('ls', words({ ls: 'rm -rf /' }))).toMatchObject({ verdict: 'deny', rule: 'deny[0]' });
  expect(judge('unnamed x', words({ unnamed: 'rm -rf' }))).toMatchObject({ verdict: 'deny' });
});

test('what is denied as it is typed stays denied', () => {
  expect(judge('rm -rf /', words({ rm: 'ls' })).verdict).toBe('deny');
});

test('an alias never turns a question into a yes, and says itself in the question', () => {
  const told = judge('g', words({ g: 'git status' }));
  expect(told).toMatchObject({ verdict: 'ask', reason: 'no rule allows it; g is an alias in this shell: git status' });
});

test('no prefix is offered for words that begin another program than is typed', () => {
  expect(approvalPrefix(judge('wc -l x', words({ wc: 'touch' })))).toBeNull();
  expect(approvalPrefix(judge('wc -l x', words({ wc: 'wc --total' })))).toEqual(['wc']);
  expect(approvalPrefix(judge('wc -l x', words({}, { functions: new Set(['wc']) })))).toBeNull();
});

test('a grammar that is not read is asked about as ever', () => {
  expect(judge('ls', words(), 'fish')).toMatchObject({ verdict: 'ask', rule: 'shell' });
});
