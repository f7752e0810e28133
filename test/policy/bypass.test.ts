import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { isPrivate } from '../../src-main/policy/isPrivate.ts';
import { firstWords } from '../../src-main/policy/judgeInShell.ts';
import { EXAMPLE, generous, judge } from './allow.ts';

/** Allows these programs with any arguments; the fixture's rows hide other programs in them. */
const EASY = generous('ls', 'echo', 'cat', 'git log', 'git diff', 'grep', 'find', 'sort', 'rg', 'sed');

/** The classes of mcp.md, "What the policy must parse". */
const CLASSES = JSON.parse(
  readFileSync(new URL('../fixtures/policy/bypass.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

describe('with nearly everything allowed', () => {
  test.for(Object.entries(CLASSES))('nothing of class %s is', ([, rows]) => {
    for (const shell of ['bash', 'zsh']) {
      const allowed = rows.filter((cmd) => judge(EASY, cmd, shell).verdict === 'allow');
      expect(allowed, shell).toEqual([]);
    }
  });

  test('not even a rule that names the program of class 6 allows it', () => {
    const rows = CLASSES['6 programs that run others'] ?? [];
    const policy = generous(
      ...rows.map((cmd) => cmd.split(' ')[0] ?? ''),
      ...rows.map((cmd) => cmd.split(' ').slice(0, 2).join(' ')),
    );
    // These commands have two words, which are exactly the words of a rule.
    const exact = ['make x', 'npm test', 'pnpm x', 'yarn x', 'cargo test'];
    const harmless = ['tee x', 'git grep -Oid x'];
    const allowed = rows.filter((cmd) => judge(policy, cmd).verdict === 'allow');
    expect(allowed.filter((cmd) => !exact.includes(cmd) && !harmless.includes(cmd))).toEqual([]);
  });

  test('class 12: a folder is compared by its components, whatever their case, and "..", at both ends', () => {
    const { ptys } = Policy.parse({ ptys: { private: ['cwd:/home/you/Secrets'] } });
    const policy = { ...EXAMPLE, ptys };
    const at = (cwd: string | null): boolean => isPrivate(policy, { id: 'p1', cwd, tags: [] });
    expect(
      ['/home/you/Secrets', '/home/you/secrets/a', '/home/you/x/../SECRETS', '/home//you/Secrets/', null].map(at),
    ).toEqual(Array(5).fill(true));
    expect(['/home/you/Secrets2', '/home/you', '/home/you/Secrets/../x', '/x/home/you/Secrets'].map(at)).toEqual(
      Array(4).fill(false),
    );
  });

  test('class 14: what changes the folder or a name is asked, and the names that an alias could replace are told', () => {
    expect(judge(EASY, 'cd /x && ls').verdict).toBe('ask');
    expect(judge(EASY, 'alias ls=id; ls').verdict).toBe('ask');
    const { verdict, argvs } = judge(EASY, 'ls -la | grep x && ls');
    expect([verdict, firstWords(argvs ?? [])]).toEqual(['allow', ['ls', 'grep']]);
  });

  test('class 15: a line is judged by what stands in it at last, not by its pieces', () => {
    expect(['ls', ' ; ', 'id'].map((_, at, all) => judge(EASY, all.slice(0, at + 1).join('')).verdict)).toEqual([
      'allow',
      'ask',
      'ask',
    ]);
  });

  test.for(['fish', 'pwsh', 'cmd', 'nu', 'sh', 'dash', 'ksh', '', 'bash ', 'Bash'])(
    'a shell whose grammar is not read is always asked: "%s"',
    (shell) => {
      expect(judge(EASY, 'ls', shell)).toMatchObject({ verdict: 'ask', rule: 'shell', argvs: null });
    },
  );
});
