import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setPolicy } from '../exec/clients.ts';
import { ASKING, AskBed } from './AskBed.ts';
import { type Answer, type Answering, type AskedClient, type Shown, WAYS, type Way } from './askedClients.ts';

const bed = new AskBed();
const ended: (() => Promise<void>)[] = [];
let count = 0;

beforeAll(async () => {
  await bed.start();
});
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
  setPolicy(bed.testCore, ASKING);
});
afterAll(() => bed.dispose());

/** A new command at each call, so that tests do not mistake each other's commands. */
const command = (): string => `echo asked-${++count}`;

async function connect(way: Way, answering: Answering | null, name?: string): Promise<AskedClient> {
  const client = await way.connect(bed, answering, name);
  ended.push(() => client.end());
  return client;
}

/** A person who gives the same answer each time, and the questions that they saw. */
function saying(answer: Answer): { answering: Answering; shown: Shown[] } {
  const shown: Shown[] = [];
  const answering: Answering = (question) => {
    shown.push(question);
    return answer;
  };
  return { answering, shown };
}

const ONCE: Answer = { action: 'accept', content: { answer: 'once' } };
const exec = (client: AskedClient, cmd: string, more: object = {}) =>
  client.call('pty_exec', { pty_id: bed.terminal.id, cmd, wait_ms: 20_000, ...more });

describe.each(WAYS)('$name', (way) => {
  test('a yes in the client runs the command once, and the audit says where the yes came from', async () => {
    const cmd = command();
    const { answering, shown } = saying(ONCE);
    const client = await connect(way, answering);
    const { told, isError } = await exec(client, cmd, { reason: 'to see it' });
    expect(isError).toBe(false);
    expect(told).toMatchObject({ status: 'completed', decision: { by: 'user', choice: 'once', rule: 'default' } });
    expect(shown).toHaveLength(1);
    expect(shown[0]?.choices).toEqual(['deny', 'once']);
    expect(shown[0]?.message).toContain(cmd);
    expect(shown[0]?.message).toContain(bed.terminal.id);
    expect(shown[0]?.message).toContain('to see it');
    expect(bed.approvals.open).toEqual([]);
    expect(await bed.audited(cmd)).toMatchObject([{ decision: 'approved', rule: 'user via elicitation' }]);

    await exec(client, cmd);
    expect(shown).toHaveLength(2); // an approval by elicitation never covers a second call
  });

  test.each([
    ['a no with a reason', { action: 'accept', content: { answer: 'deny', reason: 'not today' } }, 'not today'],
    ['declining', { action: 'decline' }, 'declined in the client'],
    ['dismissing it', { action: 'cancel' }, 'dismissed in the client'],
  ] as const)('%s denies the command and tells why', async (_, answer, why) => {
    const cmd = command();
    const { told } = await exec(await connect(way, saying(answer).answering), cmd);
    expect(told).toMatchObject({ status: 'denied', code: 'DENIED_BY_USER' });
    expect(told.message).toContain(why);
    expect(await bed.audited(cmd)).toMatchObject([{ decision: 'denied', rule: 'user via elicitation' }]);
    expect(bed.ran(cmd)).toBe(false);
  });

  test('a client that cannot ask is answered as ever: the window decides', async () => {
    const cmd = command();
    const client = await connect(way, null);
    const { told } = await exec(client, cmd, { wait_ms: 0 });
    expect(told.status).toBe('awaiting_approval');
    bed.approvals.answer(bed.open.id, { choice: 'once' });
    const after = await client.call('blocks_get', { block_id: told.block_id, wait_ms: 20_000 });
    expect(after.told).toMatchObject({ status: 'completed' });
    expect(await bed.audited(cmd)).toMatchObject([{ decision: 'approved', rule: 'once' }]);
  });

  test('the window may be first: the question in the client goes where that can be, and its answer counts no more', async () => {
    const cmd = command();
    let withdrawn = false;
    const client = await connect(way, async ({ signal }) => {
      bed.approvals.answer(bed.open.id, { choice: 'once' });
      if (way.withdraws) {
        await new Promise<void>((resolve) =>
          signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve()),
        );
        withdrawn = true;
      }
      return { action: 'decline' };
    });
    const { told } = await exec(client, cmd);
    expect(told).toMatchObject({ status: 'completed' });
    if (way.withdraws) await expect.poll(() => withdrawn).toBe(true);
    expect(await bed.audited(cmd)).toMatchObject([{ decision: 'approved', rule: 'once' }]);
  });

  test('what is no answer to the question leaves it to the window', async () => {
    const cmd = command();
    const client = await connect(way, saying({ action: 'accept', content: { answer: 'prefix' } }).answering);
    const calling = exec(client, cmd);
    await bed.untilOpen(1);
    bed.approvals.answer(bed.open.id, { choice: 'deny', reason: 'by the window' });
    const outcome = await calling.catch((error: unknown) => error);
    // an SDK may fail the call instead of sending an invalid answer
    if (!(outcome instanceof Error)) expect(outcome).toMatchObject({ told: { status: 'denied' } });
    expect(bed.ran(cmd)).toBe(false);
  });

  test('asks nobody where the policy does not let it', async () => {
    const { answering, shown } = saying(ONCE);
    const client = await connect(way, answering);
    for (const policy of [
      { ...ASKING, remote_approval: false },
      { ...ASKING, clients: { '*': { scopes: ['exec'] }, asked: { scopes: ['exec'], remote_approval: false } } },
    ]) {
      setPolicy(bed.testCore, policy);
      expect((await exec(client, command(), { wait_ms: 0 })).told.status).toBe('awaiting_approval');
      bed.approvals.answer(bed.open.id, { choice: 'deny', reason: '' });
    }
    expect(shown).toEqual([]);
    setPolicy(bed.testCore, {
      ...ASKING,
      remote_approval: false,
      clients: { '*': { scopes: ['exec'], remote_approval: true } },
    });
    expect((await exec(client, command())).told.status).toBe('completed');
  });
});
