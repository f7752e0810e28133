import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lease } from '../../../src-main/contract/mcp/approval.ts';
import type { InputRequest } from '../../../src-main/mcp/input/InputRequest.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { type TestCore, until } from '../../support/TestCore.ts';
import { ALLOWING, answerNext, caller, setPolicy, startWith } from '../exec/clients.ts';

const TYPING = { ...ALLOWING, input: { default: 'allow' } };

let core: TestCore;

beforeAll(async () => {
  core = await startWith(TYPING);
});

afterAll(() => core.dispose());

const leases = () => core.core.clients.leases;

function lease(terminal: PtyInstance, ttlS = 60): Promise<Lease> {
  return leases().request({ terminalId: terminal.id, reason: 'to type', ttlS }, caller());
}

async function send(terminal: PtyInstance, what: Partial<InputRequest>, leaseId?: string) {
  const id = leaseId ?? (await lease(terminal)).id;
  return core.core.clients.send.send({ terminalId: terminal.id, leaseId: id, ...what }, caller());
}

/** A terminal that runs `cat`, which prints its input. */
async function withCat(): Promise<PtyInstance> {
  const terminal = await core.open();
  void terminal.submit('cat');
  await until(terminal, ({ book }) => book.runningId !== null);
  await terminal.screen.wait({
    conditions: [{ type: 'stable', ms: 100, ignoreRows: [] }],
    mode: 'any',
    timeoutMs: 5000,
    scrollback: 0,
  });
  return terminal;
}

async function screenOf(terminal: PtyInstance): Promise<string> {
  return (await terminal.screen.frame()).rows.map(({ text }) => text).join('\n');
}

describe('keys of a client', () => {
  test('reach the program that runs, and what came of them is told', async () => {
    const terminal = await withCat();
    const sent = await send(terminal, { text: 'hello', submit: true });
    expect(sent).toMatchObject({ bytesWritten: 6, evidence: 'screen_changed' });
    expect(sent.seqAfter).toBeGreaterThan(sent.seqBefore);
    expect(await screenOf(terminal)).toContain('hello\nhello');
  });

  test('do not reach a terminal whose own client asks its person for a yes', async () => {
    const terminal = await withCat();
    const { id } = await lease(terminal);
    const { approvals } = core.core.clients;
    const inside = caller('inside', { terminalId: terminal.id });
    const asked = { cmd: 'x', cwd: null, terminalId: 'elsewhere', epoch: '', blockId: 'q-x', caller: inside };
    const why = { reason: null, rule: 'default', why: '', subcommand: null, prefix: null };
    void approvals.decide({ ...asked, ...why });
    approvals.askRemotely('q-x');
    await expect(send(terminal, { text: 'y' }, id)).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
    approvals.cancel('q-x');
    expect(await send(terminal, { text: 'y' }, id)).toMatchObject({ bytesWritten: 1 });
  });

  test('need a lease, and one that is theirs', async () => {
    const terminal = await withCat();
    await expect(send(terminal, { text: 'x' }, 'l-none')).rejects.toMatchObject({ code: 'BUSY' });
    const { id } = await lease(terminal);
    const other = core.core.clients.send.send({ terminalId: terminal.id, leaseId: id, text: 'x' }, caller('other'));
    await expect(other).rejects.toMatchObject({ code: 'BUSY' });
    await expect(
      leases().request({ terminalId: terminal.id, reason: '', ttlS: 5 }, caller('other')),
    ).rejects.toMatchObject({ code: 'BUSY' });
  });

  test("are over with the person's first key", async () => {
    const terminal = await withCat();
    const { id } = await lease(terminal);
    terminal.type('p');
    expect(leases().status(terminal.id)).toBeNull();
    await expect(send(terminal, { text: 'x' }, id)).rejects.toMatchObject({ code: 'BUSY' });
  });

  test('are not sent when the screen is not what the client saw', async () => {
    const terminal = await withCat();
    const { id } = await lease(terminal);
    const before = terminal.rawSize;
    await expect(send(terminal, { text: 'x', ifSeq: 0 }, id)).rejects.toMatchObject({ code: 'SEQ_MISMATCH' });
    await expect(send(terminal, { text: 'x', ifEpoch: 'of-another-core' }, id)).rejects.toMatchObject({
      code: 'EPOCH_CHANGED',
    });
    await expect(send(terminal, { text: 'x', ifScreenMatches: 'Proceed\\?' }, id)).rejects.toMatchObject({
      code: 'SEQ_MISMATCH',
    });
    await expect(send(terminal, { text: 'x', ifScreenMatches: '(' }, id)).rejects.toMatchObject({ code: 'BAD_REGEX' });
    expect(terminal.rawSize).toBe(before);
    const reading = await terminal.screen.read({ scrollback: 0 });
    if ('error' in reading) throw new Error('no reading');
    const sent = await send(
      terminal,
      { text: 'y', ifSeq: reading.seq, ifEpoch: reading.epoch, ifScreenMatches: 'cat$' },
      id,
    );
    expect(sent.seqBefore).toBe(reading.seq);
  });

  test.each([
    [{ keys: ['Entr'] }, 'UNKNOWN_KEY'],
    [{ text: 'a', keys: ['Enter'] }, 'BAD_INPUT'],
    [{}, 'BAD_INPUT'],
    [{ text: 'a\x1b' }, 'BAD_INPUT'],
    [{ mouse: { action: 'click', row: 1, col: 1 } }, 'BAD_INPUT'],
  ] as const)('%j is refused as %s', async (what, code) => {
    const terminal = await withCat();
    await expect(send(terminal, what)).rejects.toMatchObject({ code });
  });

  test('are refused where the policy says so, in the own terminal, and in one that is gone', async () => {
    const terminal = await withCat();
    const { id } = await lease(terminal);
    setPolicy(core, ALLOWING);
    await expect(send(terminal, { text: 'x' }, id)).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
    setPolicy(core, TYPING);
    const own = caller('tester', { terminalId: terminal.id });
    await expect(leases().request({ terminalId: terminal.id, reason: '', ttlS: 5 }, own)).rejects.toMatchObject({
      code: 'SELF_PTY',
    });
    const there = core.core.clients.send.send({ terminalId: terminal.id, leaseId: id, text: 'x' }, own);
    await expect(there).rejects.toMatchObject({ code: 'SELF_PTY' });
  });
});

describe("a client's line at the shell's prompt", () => {
  test.each(['text', 'paste'] as const)('is removed from the line when it is denied: %s', async (how) => {
    setPolicy(core, { ...TYPING, exec: { deny: [{ argv: ['rm'] }] } });
    const terminal = await core.open();
    const { id } = await lease(terminal);
    await send(terminal, { [how]: 'rm -rf x' }, id);
    await expect(send(terminal, { keys: ['Enter'] }, id)).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
    setPolicy(core, TYPING);
    const { lastSeq } = terminal.book;
    terminal.type('\r');
    await until(terminal, ({ view }) => view.atPrompt);
    await expect.poll(async () => (await terminal.screen.input()).isEmpty).toBe(true);
    expect(terminal.book.lastSeq).toBe(lastSeq);
  });

  test('that ends in Return is a command and judged as one, in however many writes it comes', async () => {
    const terminal = await core.open();
    setPolicy(core, { ...TYPING, exec: { ...ALLOWING.exec, deny: [{ argv: ['rm'] }] } });
    await expect(send(terminal, { text: 'rm -rf x', submit: true })).rejects.toMatchObject({
      code: 'DENIED_BY_POLICY',
    });
    const { id } = await lease(terminal);
    await send(terminal, { text: 'rm ' }, id);
    await send(terminal, { text: '-rf x' }, id);
    await expect(send(terminal, { keys: ['Enter'] }, id)).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
    await send(terminal, { keys: ['Ctrl+U'] }, id);
    const sent = await send(terminal, { text: 'echo fine', submit: true, wait: { timeoutMs: 5000 } }, id);
    expect(sent).toMatchObject({ accepted: true, evidence: 'turn_started' });
    setPolicy(core, TYPING);
  });

  test('that no rule names is asked about', async () => {
    const terminal = await core.open();
    const { id } = await lease(terminal);
    answerNext(core, { choice: 'deny', reason: 'no' });
    await expect(send(terminal, { text: 'date', submit: true }, id)).rejects.toMatchObject({ code: 'DENIED_BY_USER' });
    answerNext(core, { choice: 'once' });
    expect(await send(terminal, { text: 'date', submit: true, wait: { timeoutMs: 5000 } }, id)).toMatchObject({
      evidence: 'turn_started',
    });
  });

  test.each(['Tab', 'Up', 'Ctrl+R', 'Ctrl+O', 'Ctrl+X'])(
    'takes no %s, since nobody can tell what it would run',
    async (key) => {
      const terminal = await core.open();
      await expect(send(terminal, { keys: [key] })).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
    },
  );

  test('is not run behind what the person has typed', async () => {
    const terminal = await core.open();
    terminal.type('echo ');
    const { id } = await lease(terminal);
    await expect(send(terminal, { text: 'mine', submit: true }, id)).rejects.toMatchObject({
      code: 'DENIED_BY_POLICY',
    });
  });
});

describe('control', () => {
  test('that is refused, or handed back by who does not have it, is in the audit', async () => {
    const terminal = await core.open();
    const own = caller('inside', { terminalId: terminal.id });
    const asked = leases().request({ terminalId: terminal.id, reason: 'for myself', ttlS: 5 }, own);
    await expect(asked).rejects.toMatchObject({ code: 'SELF_PTY' });
    await expect(leases().handBack('l-none', caller())).rejects.toMatchObject({ code: 'BUSY' });
    const { lines } = await core.core.clients.audit.log.page({ limit: 2 });
    expect(lines.toReversed()).toMatchObject([
      { tool: 'pty_control', what: 'for myself', decision: 'refused', rule: 'SELF_PTY' },
      { tool: 'pty_control', what: 'let the person type', decision: 'refused', rule: 'BUSY' },
    ]);
  });

  test('is asked for where the policy says ask', async () => {
    const terminal = await core.open();
    setPolicy(core, { ...ALLOWING, input: { default: 'ask' } });
    answerNext(core, { choice: 'deny', reason: '' });
    await expect(lease(terminal)).rejects.toMatchObject({ code: 'DENIED_BY_USER' });
    answerNext(core, { choice: 'once' });
    expect(await lease(terminal)).toMatchObject({ client: 'tester', state: 'held' });
    setPolicy(core, TYPING);
  });

  test('ends with its time', async () => {
    const terminal = await core.open();
    const { id } = await lease(terminal, 1);
    await new Promise<void>((resolve) => {
      const listening = leases().onPresence((at) => {
        if (at !== terminal.id) return;
        listening.dispose();
        resolve();
      });
    });
    expect(leases().isHeld(id, terminal.id, caller())).toBe(false);
  });

  test('is handed to the person, whose keys do not end it, and comes back by their word', async () => {
    const terminal = await core.open();
    const { id } = await lease(terminal);
    const handed = leases().handBack(id, caller());
    terminal.type('x');
    expect(leases().status(terminal.id)?.state).toBe('with-user');
    await expect(send(terminal, { text: 'x' }, id)).rejects.toMatchObject({ code: 'BUSY' });
    expect(leases().giveBack(terminal.id)).toBe(true);
    expect(await handed).toMatchObject({ outcome: 'returned', lease: { id, state: 'held' } });
  });

  test('is taken back by the person', async () => {
    const terminal = await core.open();
    const { id } = await lease(terminal);
    const handed = leases().handBack(id, caller());
    expect(leases().takeBack(terminal.id)).toBe(true);
    expect(await handed).toEqual({ outcome: 'revoked', lease: null });
  });

  test('is seen by who follows', async () => {
    const terminal = await core.open();
    const stop = new AbortController();
    const seen = core.core.clients.followPresence(stop.signal);
    const next = (async () => {
      for await (const presence of seen) if (presence.terminalId === terminal.id) return presence;
      return null;
    })();
    await Promise.resolve();
    const { id } = await lease(terminal);
    expect(await next).toMatchObject({ lease: { id }, queue: [], running: null });
    stop.abort();
  });
});
