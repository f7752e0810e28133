import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { AgentRow } from '../../src-main/contract/agents.ts';
import type { Notification } from '../../src-main/contract/window/notification.ts';
import { runIn } from '../mcp/runIn.ts';
import { soon } from '../support/soon.ts';
import { DrawnFarAgent } from './rig/FarAgent.ts';
import { FarMachine } from './rig/FarMachine.ts';
import { SSHD } from './rig/findProgram.ts';
import { installWithClock } from './rig/wrongClock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A test takes no longer than this. */
const RECENT_MS = 5 * 60_000;

const started: FarMachine[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.dispose();
});

/** What a window lists of all machines. */
function listsOf({ api }: FarMachine) {
  const agents = new Map<string, AgentRow>();
  const news: Notification[] = [];
  api.agent.onChange.subscribe(undefined, {
    onData: (change) => {
      const rows = change.type === 'all' ? change.rows : change.type === 'row' ? [change.row] : [];
      for (const row of rows) agents.set(row.conversationId, row);
    },
  });
  api.notification.onChange.subscribe(undefined, {
    onData: (change) => {
      if (change.type === 'new') news.push(change.notification);
    },
  });
  return { news, waiting: () => [...agents.values()].find(({ question }) => question !== null) };
}

/** Times of the hits of a search between `sinceMs` and `untilMs`. */
function found({ api }: FarMachine, query: string, range: { sinceMs?: number; untilMs?: number }): Promise<number[]> {
  const times: number[] = [];
  return new Promise((resolve, reject) => {
    api.search.find.subscribe(
      { query, ...range },
      {
        onData: (event) => {
          if (event.type === 'hits') times.push(...event.hits.map(({ atMs }) => atMs));
          else if (event.type === 'end') resolve(times);
        },
        onError: reject,
      },
    );
  });
}

const isRecent = (atMs: number | null | undefined): boolean =>
  typeof atMs === 'number' && Math.abs(Date.now() - atMs) < RECENT_MS;

describe.skipIf(SSHD === null)('a machine whose clock is wrong', () => {
  test.each([
    ['behind', -3 * DAY_MS],
    ['ahead', 3 * DAY_MS],
  ])('by three days %s has the times of the clock here, in lists, cards, searches and History', async (_, byMs) => {
    const machine = await FarMachine.start({ prepare: (sshd) => installWithClock(sshd, byMs) });
    started.push(machine);
    const { api, sshd, far } = machine;
    expect(isRecent((await far.system.info.query()).nowMs)).toBe(false); // its clock is wrong indeed
    const { news, waiting } = listsOf(machine);
    const agent = new DrawnFarAgent();
    const project = join(sshd.home, 'project');
    mkdirSync(project);
    await agent.start(machine, project);
    await soon(async () => (await machine.rows(agent.terminalId)).near.join('\n')).toContain(
      'Ask Codex to do anything',
    );
    await api.terminal.write.mutate({ id: agent.terminalId, data: 'ask 1\r' });
    await soon(() => waiting()?.question?.text ?? '').not.toBe('');
    expect(isRecent(waiting()?.sinceMs)).toBe(true);

    const id = await machine.open();
    const block = await runIn(api, id, `echo hippocampus; printf '\\033]9;news\\007'`);
    expect([isRecent(block.startedMs), isRecent(block.endedMs)]).toEqual([true, true]);
    await soon(() => news.map(({ title }) => title)).toContain('news');
    expect(news.filter(({ atMs }) => !isRecent(atMs))).toEqual([]);

    const [hourAgo, inAnHour] = [Date.now() - HOUR_MS, Date.now() + HOUR_MS];
    await soon(() => found(machine, 'hippocampus', { sinceMs: hourAgo, untilMs: inAnHour })).not.toEqual([]);
    const times = await found(machine, 'hippocampus', { sinceMs: hourAgo, untilMs: inAnHour });
    expect(times.filter((atMs) => !isRecent(atMs))).toEqual([]);
    expect(await found(machine, 'hippocampus', { untilMs: hourAgo })).toEqual([]);

    const past = async (range: { sinceMs: number; untilMs: number }): Promise<boolean[]> => {
      const { rows } = await api.agent.past.page.query(range);
      return rows.map(({ updatedMs }) => isRecent(updatedMs));
    };
    await soon(() => past({ sinceMs: hourAgo, untilMs: inAnHour })).toEqual([true]);
    expect(await past({ sinceMs: hourAgo - HOUR_MS, untilMs: hourAgo })).toEqual([]);
  });
});
