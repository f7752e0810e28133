import { setTimeout as sleep } from 'node:timers/promises';
import { describe, onTestFinished, test } from 'vitest';
import { Dice } from '../agents/cases/Dice.ts';
import { OutlivingAgent } from '../agents/outlive/OutlivingAgent.ts';
import { findProgram } from '../machines/rig/findProgram.ts';
import type { BackgroundCore } from '../support/BackgroundCore.ts';
import { ConnectedCore } from '../support/ConnectedCore.ts';
import { BusyShells } from './BusyShells.ts';

/** Use `HANSARD_KILLS=200 HANSARD_TEST_AGENTS=1` for a long run with the real agents. */
const KILLS = Number(process.env.HANSARD_KILLS ?? 5);
const SEED = Number(process.env.HANSARD_KILLS_SEED ?? 17);
/** An agent's answer takes five seconds. */
const KILLS_OF_A_TURN = 4;

/** `starting`: the next core is killed too, while it takes the shells over. `restarting`: in the middle of `serve restart`. */
type Moment = 'running' | 'starting' | 'restarting';

/** Kills the core at random moments. */
class Killer {
  readonly kills: Record<Moment, number> = { running: 0, starting: 0, restarting: 0 };
  readonly dice = new Dice(SEED);
  readonly #core: BackgroundCore;

  constructor(core: BackgroundCore) {
    this.#core = core;
  }

  get count(): number {
    return Object.values(this.kills).reduce((sum, times) => sum + times, 0);
  }

  async kill(): Promise<void> {
    const { dice } = this;
    await sleep(dice.between(0, 1_500));
    const moment = dice.pick<Moment>([6, 'running'], [2, 'starting'], [2, 'restarting']);
    if (moment === 'restarting') return this.#killDuring('restarting', ['serve', 'restart']);
    if (await this.#core.killCore()) this.kills.running += 1;
    if (moment === 'starting') await this.#killDuring('starting', ['serve', 'start']);
  }

  async #killDuring(moment: Moment, command: readonly string[]): Promise<void> {
    const going = this.#core.run(...command);
    await sleep(this.dice.between(0, 1_500));
    if (await this.#core.killCore()) this.kills[moment] += 1;
    await going; // it may have failed
  }
}

describe.skipIf(['vim', 'python3'].some((name) => findProgram(name) === null))(
  `over ${KILLS} kills of the core (seed ${SEED})`,
  () => {
    test('four busy shells and two real agents go on: no byte, key, screen or message is lost, and none comes twice', {
      timeout: 180_000 + KILLS * 45_000,
    }, async () => {
      const app = new ConnectedCore();
      onTestFinished(() => app.dispose());
      await app.start();
      const killer = new Killer(app.core);
      const agents = OutlivingAgent.missing === null ? await OutlivingAgent.startAll(app) : [];
      onTestFinished(async () => {
        for (const agent of agents) await agent.dispose();
      });
      const shells = await BusyShells.start(app);
      onTestFinished(() => shells.dispose());
      while (killer.count < KILLS) {
        const mark = `after${killer.count}`;
        await Promise.all(agents.map(({ talk }) => talk.begin(mark)));
        for (let at = 0; at < KILLS_OF_A_TURN && killer.count < KILLS; at += 1) {
          await killer.kill();
          shells.plainKeys.isAway = true;
          await sleep(killer.dice.chance(0.5) ? 0 : killer.dice.between(0, 2_000));
          await app.start();
          shells.plainKeys.isAway = false;
          for (const agent of agents) agent.returnTo();
          await shells.expectAlive();
          for (const agent of agents) await agent.expectAlive();
        }
        await Promise.all(agents.map(({ talk }) => talk.finish(mark)));
        for (const agent of agents) await agent.expectWhole();
        await shells.renewFlood();
      }
      const messages = agents.reduce((sum, { talk }) => sum + talk.said.length, 0);
      await shells.finish();
      const { plainKeys, floodBytes } = shells;
      const plain = `${plainKeys.count('taken')} plain keys, ${plainKeys.count('away')} refused, ${plainKeys.count('lost')} unanswered`;
      process.stdout.write(
        `seed ${SEED}: kills ${JSON.stringify(killer.kills)}; ${floodBytes} bytes of the flood; ${shells.keys} keys of a window; ${plain}; ${messages} messages of ${agents.length} agents\n`,
      );
    });
  },
);
