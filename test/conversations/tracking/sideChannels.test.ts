import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { AgentSideChannels } from '../../../src-main/conversations/tracking/AgentSideChannels.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { soon } from '../../support/soon.ts';

test('a log that is not found is searched less and less often while its agent works', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hansard-side-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = new FakeClock();
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'claude', cwd: home, blockId: null, at: 0, atMs: 0 });
  let searches = 0;
  const channels = new AgentSideChannels({
    ...{ session, clock, home, agent: 'claude', cwd: home, env: {}, log: silentLog },
    record: { write: () => undefined } as never,
    mayReadLogs: () => true,
    pids: () => {
      searches += 1;
      return [];
    },
    logOwners: new Map(),
  });
  channels.worked();
  clock.advance(2_000);
  await soon(() => searches).toBe(1);
  for (let n = 0; n < 300; n += 1) {
    clock.advance(2_000);
    await new Promise(setImmediate);
  }
  await channels.ended(undefined);
  expect(searches).toBeGreaterThan(1);
  expect(searches).toBeLessThan(600_000 / 30_000 + 10);
});
