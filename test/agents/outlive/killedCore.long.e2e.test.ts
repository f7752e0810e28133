import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConnectedCore } from '../../support/ConnectedCore.ts';
import { OutlivingAgent } from './OutlivingAgent.ts';

describe('real agents in the PTY host', () => {
  test('go on with one conversation while the core is killed and restarted in the middle of their turns', {
    timeout: 400_000,
  }, async (context) => {
    const reason = OutlivingAgent.missing;
    if (reason !== null) return context.skip(reason);
    const app = new ConnectedCore();
    onTestFinished(() => app.dispose());
    await app.start();
    const agents = await OutlivingAgent.startAll(app);
    onTestFinished(async () => {
      for (const agent of agents) await agent.dispose();
    });
    for (const agent of agents) await agent.expectWhole();
    /** A turn of all agents in parallel; `interrupt` stops or kills the core in its middle. */
    const turn = async (mark: string, interrupt: () => Promise<unknown>): Promise<void> => {
      await Promise.all(agents.map(({ talk }) => talk.begin(mark)));
      await interrupt();
      app.reconnect();
      for (const agent of agents) agent.returnTo();
      await Promise.all(agents.map(({ talk }) => talk.finish(mark)));
      for (const agent of agents) await agent.expectWhole();
    };
    await turn('killed', async () => {
      await app.core.killCore();
      await sleep(1_500); // the agents continue without a core
      await app.core.start();
    });
    await turn('restarted', async () => {
      const { code, stderr } = await app.core.run('serve', 'restart');
      expect([code, stderr]).toEqual([0, expect.any(String)]);
    });
    await turn('absent', async () => {
      await app.core.killCore();
      await sleep(15_000); // until their turns have ended
      await app.core.start();
    });
    await turn('last', async () => undefined);
  });
});
