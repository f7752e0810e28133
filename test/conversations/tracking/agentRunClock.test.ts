import { expect, test } from 'vitest';
import type { AgentStatus } from '../../../src-main/contract/chat/chat.ts';
import { ExtractorFactory } from '../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import type { Evidence } from '../../../src-main/conversations/extraction/status/Evidence.ts';
import { AgentRun, type AgentRunDeps } from '../../../src-main/conversations/tracking/AgentRun.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const said = (channel: Evidence['channel'], state: Evidence['state']): Evidence => ({
  ...{ channel, state, rule: 'a rule', line: 'a line' },
});

function runOf(clock: FakeClock): { run: AgentRun; status: () => AgentStatus | null } {
  let status: AgentStatus | null = null;
  const deps = {
    ...{ clock, session: new PtyChatSession('t', countedIds()), factory: new ExtractorFactory() },
    ...{ record: { write: () => undefined }, screen: { followSteps: () => ({ dispose: () => undefined }) } },
    ...{ sweep: { isRunning: false }, mayRunSweeps: () => false, mayReadLogs: () => false, pids: () => [] },
    ...{ log: () => undefined, home: '/', env: {}, logOwners: new Map() },
    tell: (next: AgentStatus | null) => {
      status = next;
    },
  } as unknown as AgentRunDeps;
  const start = { name: 'unknown-agent', cwd: '/', blockId: null, at: 0, evidence: said('process', 'starting') };
  return { run: new AgentRun(deps, start), status: () => status };
}

test.each([-3_600_000, 0, 3_600_000])('a time of day that steps by %d ms keeps no state that is over', (jumpMs) => {
  const clock = new FakeClock();
  const { run, status } = runOf(clock);
  run.note(said('hook', 'working'));
  clock.advance(1_000);
  clock.jump(jumpMs);
  run.note(said('screen', 'idle')); // Esc fires no hook
  clock.advance(3_000);
  expect(status()).toMatchObject({ state: 'idle', sinceMs: clock.nowMs() - 3_000 });
  run.note(said('notification', 'needs_input'));
  clock.advance(1_000);
  expect(status()?.state).toBe('needs_input');
  clock.jump(jumpMs);
  run.note(said('screen', 'working'));
  clock.advance(3_000);
  expect(status()?.state).toBe('working');
  run.dispose();
});
