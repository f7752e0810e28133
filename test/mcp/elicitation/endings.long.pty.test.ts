// Questions without an answer, and an app that ends during a question.
import { afterEach, describe, expect, test } from 'vitest';
import { ON_SCREEN_MS } from '../../../src-main/mcp/access/ApprovalQueue.ts';
import { type Clock, systemClock } from '../../../src-main/util/Clock.ts';
import { ASKING, AskBed } from './AskBed.ts';
import { type Answer, WAYS } from './askedClients.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end();
});

/** The real clock, except that an approval expires after 1 s. */
const HURRIED: Clock = {
  ...systemClock,
  after: (delayMs, run) => systemClock.after(delayMs === ON_SCREEN_MS ? 1_000 : delayMs, run),
};

async function startBed(clock: Clock = systemClock): Promise<AskBed> {
  const bed = await new AskBed().start(ASKING, clock);
  open.push(() => bed.dispose());
  return bed;
}

const ONCE: Answer = { action: 'accept', content: { answer: 'once' } };

describe.each(WAYS.filter(({ name }) => name.startsWith('SDK 2') && !name.endsWith('bridge')))('$name', (way) => {
  test('no answer in time is the end of the question, and a late one changes nothing', async () => {
    const bed = await startBed(HURRIED);
    const { promise: late, resolve: answerLate } = Promise.withResolvers<Answer>();
    const client = await way.connect(bed, () => late);
    open.push(() => client.end());
    const cmd = 'echo too-late';
    const calling = client.call('pty_exec', { pty_id: bed.terminal.id, cmd });
    await bed.untilOpen(1);
    await bed.untilOpen(0);
    answerLate(ONCE);
    const { told } = await calling;
    expect(told).toMatchObject({ status: 'expired', code: 'APPROVAL_EXPIRED' });
    expect(await bed.audited(cmd)).toMatchObject([{ decision: 'expired', rule: 'APPROVAL_EXPIRED' }]);
    expect(bed.ran(cmd)).toBe(false);
  });
});

describe.each(WAYS.filter(({ name }) => name.includes('through the bridge')))('$name', (way) => {
  test('an app that is started again in the middle runs nothing on an answer to the one before', async () => {
    const bed = await startBed();
    let withdrawn = false;
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const { promise: again, resolve: restarted } = Promise.withResolvers<void>();
    const client = await way.connect(bed, async ({ signal }) => {
      signal.addEventListener('abort', () => (withdrawn = true));
      isAsked();
      await again;
      return ONCE;
    });
    open.push(() => client.end());
    const cmd = 'echo of-another-life';
    const calling = client.call('pty_exec', { pty_id: bed.terminal.id, cmd });
    await asked;
    await bed.stop();
    await bed.start();
    restarted();
    const { told, isError } = await calling;
    expect(isError).toBe(true);
    if (way.era === 'legacy') {
      expect(JSON.stringify(told)).toContain('APP_RESTARTED');
      await expect.poll(() => withdrawn).toBe(true);
    } else expect(told).toMatchObject({ code: 'APPROVAL_EXPIRED' });
    expect(bed.approvals.open).toEqual([]);
    expect((await bed.audited(cmd)).map(({ decision }) => decision)).not.toContain('approved');
  });
});
