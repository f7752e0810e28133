import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { type TestCore, until } from '../../support/TestCore.ts';
import { caller, setPolicy, startWith } from '../exec/clients.ts';

const TYPING = { input: { default: 'allow' } };
const OWN = { cols: 120, rows: 40 };
const SMALL = { cols: 77, rows: 23 };

let core: TestCore;
const stops: AbortController[] = [];

beforeAll(async () => {
  core = await startWith(TYPING);
});

afterAll(async () => {
  for (const stop of stops) stop.abort();
  await core.dispose();
});

/** Shows the terminal in a window of the person, with size OWN. */
async function looked(terminal: PtyInstance): Promise<PtyInstance> {
  const stop = new AbortController();
  stops.push(stop);
  const items = terminal.viewers.view(
    { clientId: 'window', viewerId: 'v' },
    { replay: 'state', size: OWN },
    stop.signal,
  );
  await items.next();
  return terminal;
}

async function lease(terminal: PtyInstance): Promise<string> {
  const asked = { terminalId: terminal.id, reason: 'to look', ttlS: 60 };
  return (await core.core.clients.leases.request(asked, caller())).id;
}

function resize(terminal: PtyInstance, leaseId: string, by = caller()) {
  return core.core.clients.size.resize({ terminalId: terminal.id, leaseId, ...SMALL }, by);
}

function sizeOf({ view: { cols, rows } }: PtyInstance) {
  return { cols, rows };
}

async function audited(terminal: PtyInstance) {
  const { lines } = await core.core.clients.audit.page({ limit: 20, filter: { client: 'tester' } });
  return lines.filter(({ tool, pty }) => tool === 'pty_resize' && pty === terminal.id);
}

describe('a size that a client sets', () => {
  test('reaches the program, the record and the audit', async () => {
    const terminal = await looked(await core.open());
    void terminal.submit(`bash -c 'trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done'`);
    const shows = (text: string) =>
      terminal.screen.wait({
        conditions: [{ type: 'match', pattern: `^${text}$`, flags: 'm', scope: 'screen' }],
        mode: 'any',
        timeoutMs: 15_000,
        scrollback: 0,
      });
    expect(await shows('ready')).toMatchObject({ outcome: 'met' });
    expect(resize(terminal, await lease(terminal))).toEqual(OWN);
    expect(sizeOf(terminal)).toEqual(SMALL);
    expect(await shows('23 77')).toMatchObject({ outcome: 'met' });
    const { events } = new SessionFolder(core.dataFolder, terminal.id);
    await expect.poll(() => readFileSync(events, 'utf8')).toMatch(/"type":"resize"[^\n]*"cols":77,"rows":23/);
    expect(await audited(terminal)).toMatchObject([{ what: '77×23', decision: 'allowed', rule: 'input' }]);
  });

  test("is over when the person uses their window, whose size it has again, and so is the lease's", async () => {
    const terminal = await looked(await core.open());
    const leaseId = await lease(terminal);
    resize(terminal, leaseId);
    terminal.viewers.used('window');
    expect(sizeOf(terminal)).toEqual(OWN);
    terminal.type('x');
    expect(() => resize(terminal, leaseId)).toThrow(expect.objectContaining({ code: 'BUSY' }));
    expect(sizeOf(terminal)).toEqual(OWN);
  });

  test.each([
    ['is released', (_: string, leaseId: string) => core.core.clients.leases.release(leaseId, caller())],
    ['is taken back', (id: string) => void core.core.clients.leases.takeBack(id)],
    ['is handed to the person', (_: string, id: string) => void core.core.clients.leases.handBack(id, caller())],
  ])("goes back to the window's when the lease %s", async (_, end) => {
    const terminal = await looked(await core.open());
    const leaseId = await lease(terminal);
    resize(terminal, leaseId);
    expect(sizeOf(terminal)).toEqual(SMALL);
    end(terminal.id, leaseId);
    expect(sizeOf(terminal)).toEqual(OWN);
  });

  test('is refused without a lease, by a rule, in the own terminal and after the end, and the audit says so', async () => {
    const terminal = await looked(await core.open());
    expect(() => resize(terminal, 'l-none')).toThrow(expect.objectContaining({ code: 'BUSY' }));
    const leaseId = await lease(terminal);
    const own = caller('tester', { terminalId: terminal.id });
    expect(() => resize(terminal, leaseId, own)).toThrow(expect.objectContaining({ code: 'SELF_PTY' }));
    const other = caller('other');
    expect(() => resize(terminal, leaseId, other)).toThrow(expect.objectContaining({ code: 'BUSY' }));
    setPolicy(core, {});
    await new Promise(setImmediate); // the core reads the policy once per turn of the event loop
    expect(() => resize(terminal, leaseId)).toThrow(expect.objectContaining({ code: 'DENIED_BY_POLICY' }));
    setPolicy(core, TYPING);
    void terminal.submit('exit');
    await until(terminal, ({ view }) => view.state === 'exited');
    expect(() => resize(terminal, leaseId)).toThrow(expect.objectContaining({ code: 'PTY_GONE' }));
    expect(sizeOf(terminal)).toEqual(OWN);
    const rules = (await audited(terminal)).map(({ decision, rule }) => [decision, rule]);
    expect(rules.toReversed()).toEqual([
      ['refused', 'BUSY'],
      ['refused', 'SELF_PTY'],
      ['denied', 'input'],
      ['refused', 'PTY_GONE'],
    ]);
  });
});
