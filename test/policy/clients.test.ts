import { describe, expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { execPolicy } from '../../src-main/mcp/access/ExecPolicy.ts';
import { approvalPrefix, isCoveredBy } from '../../src-main/policy/approvalPrefix.ts';
import { isPrivate } from '../../src-main/policy/isPrivate.ts';
import { firstWords } from '../../src-main/policy/judgeInShell.ts';
import { RateLimit } from '../../src-main/policy/RateLimit.ts';
import { expectedProgram, hasScope, mayAskItsPerson, scopesOf, scopesWith } from '../../src-main/policy/scopeOf.ts';
import { EXAMPLE, judge } from './allow.ts';

/** A client with this name that runs one program. */
const called = (name: string, program = '/bin/any') => ({ name, isRunning: (path: string) => path === program });

describe('scopes', () => {
  const policy = Policy.parse({
    clients: {
      '*': { scopes: ['observe'] },
      runner: { scopes: ['exec'] },
      none: { scopes: [] },
      all: { scopes: ['manage', 'observe'] },
      raw: { scopes: ['raw'] },
      both: { scopes: ['raw', 'suggest'] },
    },
  });

  test('hold those before them', () => {
    expect(['runner', 'all', 'none'].map((name) => scopesOf(policy, called(name)))).toEqual([
      ['observe', 'suggest', 'exec'],
      ['observe', 'suggest', 'exec', 'input', 'manage'],
      [],
    ]);
    expect([hasScope(policy, called('runner'), 'exec'), hasScope(policy, called('runner'), 'input')]).toEqual([
      true,
      false,
    ]);
  });

  test('raw is held by no other, and holds observe alone', () => {
    expect(scopesOf(policy, called('raw'))).toEqual(['observe', 'raw']);
    expect(scopesOf(policy, called('both'))).toEqual(['observe', 'suggest', 'raw']);
    expect(hasScope(policy, called('all'), 'raw')).toBe(false);
    expect(execPolicy(policy).mayRunAlone(called('both'))).toBe(false);
    expect(scopesWith(policy, called('runner'), 'raw')).toEqual(['exec', 'raw']);
    expect(scopesWith(policy, called('raw'), 'exec')).toEqual(['exec', 'raw']);
    expect(scopesWith(policy, called('none'), 'exec')).toEqual(['exec']);
  });

  test('go by the exact name; anybody else has those of "*", and nothing where there is no "*"', () => {
    for (const name of ['Runner', 'runner ', 'runner2', 'unknown', '', 'constructor', '__proto__', 'toString'])
      expect(scopesOf(policy, called(name)), name).toEqual(['observe']);
    expect(scopesOf(Policy.parse({ clients: { runner: { scopes: ['exec'] } } }), called('other'))).toEqual([]);
  });
});

test("a client's own word whether it may ask its person stands above that of all", () => {
  const clients = { '*': { scopes: [] }, yes: { remote_approval: true }, no: { remote_approval: false }, silent: {} };
  const all = (policy: object) =>
    ['yes', 'no', 'silent', 'unknown', 'constructor'].map((name) =>
      mayAskItsPerson(Policy.parse(policy), called(name)),
    );
  expect(all({})).toEqual([false, false, false, false, false]);
  expect(all({ clients })).toEqual([true, false, false, false, false]);
  expect(all({ clients, remote_approval: true })).toEqual([true, false, true, true, true]);
  const forAny = { ...clients, '*': { remote_approval: true } };
  expect(all({ clients: forAny })).toEqual([true, false, false, true, true]);
});

test('a rule with a program is for that program: another one of its name has what "*" has', () => {
  const policy = Policy.parse({
    clients: {
      '*': { scopes: ['observe'] },
      runner: { scopes: ['exec'], program: '/bin/runner', remote_approval: true },
    },
  });
  const seen = ['/bin/runner', '/bin/any'].map((program) => {
    const client = called('runner', program);
    return [scopesOf(policy, client).at(-1), mayAskItsPerson(policy, client), expectedProgram(policy, client)];
  });
  expect(seen).toEqual([
    ['exec', true, null],
    ['observe', false, '/bin/runner'],
  ]);
  expect(Policy.safeParse({ clients: { runner: { program: 'runner' } } }).success).toBe(false);
});

describe('a private terminal', () => {
  test('is one with the tag, the id or the folder, or every one', () => {
    const policy = Policy.parse({ ptys: { private: ['tag:secrets', 'id:p7', 'cwd:/srv/a'] } });
    const pty = { id: 'p1', cwd: '/home', tags: ['work'] };
    expect(isPrivate(policy, pty)).toBe(false);
    expect(
      [
        { ...pty, tags: ['work', 'secrets'] },
        { ...pty, id: 'p7' },
        { ...pty, cwd: '/srv/a/b' },
      ].map((each) => isPrivate(policy, each)),
    ).toEqual([true, true, true]);
    expect(isPrivate(Policy.parse({ ptys: { default: 'private' } }), pty)).toBe(true);
  });
});

describe('the prefix that is offered', () => {
  const prefix = (cmd: string): unknown => approvalPrefix(judge(EXAMPLE, cmd));

  test('is the program and what it is to do', () => {
    expect(
      ['git show -5', 'git push origin x', 'cargo-x run a', 'cat a b', 'head -n 5 a', 'rm -i x', 'gh pr list'].map(
        prefix,
      ),
    ).toEqual([['git', 'show'], ['git', 'push'], ['cargo-x', 'run'], ['cat'], ['head'], ['rm', '-i'], ['gh', 'pr']]);
  });

  test('is none where a prefix says nothing of what would run', () => {
    const rows = [
      'sudo ls',
      'env ls',
      'bash -c x',
      'python x',
      'npm test',
      'make x',
      'cd x',
      'eval x',
      'find . -exec x',
      'git -p push',
      'git config a b',
      'foo',
      'who; id',
      'who | id',
      'who > a',
      'who $x',
      '(who)',
      'who a*',
      "'who' a",
      'git log',
      'rm -rf x',
      'git log --output=x',
      '',
      'ssh host x',
    ];
    expect(rows.map(prefix)).toEqual(rows.map(() => null));
  });

  test('covers what begins so, and nothing that stands under another rule', () => {
    const covered = (cmd: string): boolean => isCoveredBy(['git', 'push'], judge(EXAMPLE, cmd));
    expect(['git push', 'git push origin x', "git push 'a b'"].map(covered)).toEqual([true, true, true]);
    const rows = [
      'git pull',
      'git pushx',
      'git',
      'git -C x push',
      'git push --receive-pack=x',
      'git push; id',
      'git push | id',
      'git push > a',
      'git push $x',
      'git push && git push',
      "'git' push",
      '/bin/git push',
      'sudo git push',
    ];
    expect(rows.map(covered)).toEqual(rows.map(() => false));
    expect(isCoveredBy(['rm', '-i'], judge(EXAMPLE, 'rm -i -rf x'))).toBe(false);
    expect(isCoveredBy([], judge(EXAMPLE, 'who'))).toBe(false);
  });

  test('covers one command that is asked about because no rule names it, and nothing else that begins so', () => {
    const asked = { ...judge(EXAMPLE, 'git push'), verdict: 'ask' as const, rule: 'default' };
    expect(isCoveredBy(['git', 'push'], asked)).toBe(true);
    expect(isCoveredBy(['git', 'push'], { ...asked, verdict: 'deny' })).toBe(false);
    expect(isCoveredBy(['git', 'push'], { ...asked, rule: 'redirects' })).toBe(false);
    expect(isCoveredBy(['git', 'push'], { ...asked, argvs: [['git', 'push'], ['id']] })).toBe(false);
    expect(isCoveredBy(['git', 'push'], { ...asked, argvs: null })).toBe(false);
  });
});

test('the words that an alias could stand for are told', () => {
  const cmd = "git log a | ls 'b c' >d && git log 2>&1";
  expect(firstWords(judge(EXAMPLE, cmd).argvs ?? [])).toEqual(['git', 'ls']);
});

describe('limits', () => {
  const { limits } = Policy.parse({
    limits: { exec_per_min: 6, reads_per_min: 60, bytes_per_min: 6000, waits_concurrent: 2 },
  });

  test('let through as many as a minute has, then one each time that one has come back', () => {
    const rate = new RateLimit();
    expect(Array.from({ length: 7 }, () => rate.take('exec', limits, 0).ok)).toEqual([...Array(6).fill(true), false]);
    expect(rate.take('exec', limits, 4000)).toEqual({ ok: false, retryAfterMs: 6000 });
    expect([rate.take('exec', limits, 10_000).ok, rate.take('exec', limits, 10_001).ok]).toEqual([true, false]);
    expect(rate.take('reads', limits, 10_001).ok, 'each kind has its own').toBe(true);
  });

  test('never save up more than a minute, and a clock that stands or goes back gives nothing', () => {
    const rate = new RateLimit();
    for (let at = 0; at < 6; at++) rate.take('exec', limits, 0);
    expect([rate.take('exec', limits, -60_000).ok, rate.take('exec', limits, 0).ok]).toEqual([false, false]);
    expect(Array.from({ length: 7 }, () => rate.take('exec', limits, 10 ** 9).ok).filter(Boolean)).toHaveLength(6);
  });

  test('tell what is left of a minute, by what was used most', () => {
    const rate = new RateLimit();
    expect(rate.left(limits, 0)).toBe(1);
    rate.take('reads', limits, 0, 6);
    rate.take('exec', limits, 0, 3);
    expect(rate.left(limits, 0)).toBe(0.5);
    expect(rate.left(limits, 10_000)).toBeCloseTo(4 / 6);
    rate.spend(9000, limits, 10_000);
    expect(rate.left(limits, 10_000)).toBe(-0.5);
  });

  test('of nothing at all are no share: what a client may never do is not what it used most', () => {
    const rate = new RateLimit();
    const none = { ...limits, exec_per_min: 0 };
    expect(rate.take('exec', none, 0).ok).toBe(false);
    expect(rate.left(none, 0)).toBe(1);
  });

  test('let an answer go over the bytes once, and the next one waits for them', () => {
    const rate = new RateLimit();
    expect(rate.mayRead(limits, 0).ok).toBe(true);
    rate.spend(9000, limits, 0);
    expect(rate.mayRead(limits, 0)).toEqual({ ok: false, retryAfterMs: 30_010 });
    expect(rate.mayRead(limits, 30_010).ok).toBe(true);
  });

  test('let so many waits run at once, and ending one twice frees one', () => {
    const rate = new RateLimit();
    const [first, second] = [rate.beginWait(limits), rate.beginWait(limits)];
    expect([first === null, second === null, rate.beginWait(limits)]).toEqual([false, false, null]);
    first?.();
    first?.();
    expect([rate.beginWait(limits) === null, rate.beginWait(limits)]).toEqual([false, null]);
    second?.();
    expect([rate.beginWait(limits) === null, rate.beginWait(limits)]).toEqual([false, null]);
  });

  test('of nothing refuse everything', () => {
    const none = Policy.parse({ limits: { exec_per_min: 0, bytes_per_min: 0 } }).limits;
    const rate = new RateLimit();
    expect([rate.take('exec', none, 0), rate.mayRead(none, 10 ** 6)]).toEqual([
      { ok: false, retryAfterMs: 60_000 },
      { ok: false, retryAfterMs: 60_000 },
    ]);
  });

  test('that the person changes hold at once', () => {
    const rate = new RateLimit();
    rate.take('exec', limits, 0);
    const tight = { ...limits, exec_per_min: 1 };
    expect([rate.take('exec', tight, 0).ok, rate.take('exec', tight, 0).ok]).toEqual([true, false]);
  });
});
