import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { readLastScreen } from '../../src-main/terminal/screen/persistedScreen.ts';
import { runCli } from '../cli/runCli.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { deltasOf, shownBy, snapshotOf, statesOf, toldBy } from '../support/screenFiles.ts';
import { ServedApp } from '../support/WebApp.ts';

const RUNS = timesOf({ merge: 4, soak: 16 });

const app = new ServedApp();
afterAll(() => app.dispose());

/** A spinner as agents draw it, a whole screen five times a second, and scrolling text. */
const PROGRAMS = [
  `while :; do for c in '|' / - =; do printf '\\r%s Working… %s' "$c" $RANDOM; sleep 0.02; done; done`,
  `while :; do printf '\\e[H'; for r in 1 2 3 4 5 6 7 8 9; do printf '%s: %s\\e[K\\n' $r $RANDOM; done; sleep 0.2; done`,
  'while :; do seq 1 200; sleep 0.05; done',
];

async function keepBusy(api: CoreConnection['api'], id: string, text: string): Promise<void> {
  for (let isTaken = false; !isTaken; ) {
    const verdict = await api.terminal.submit.mutate({ id, text }).catch(() => null); // the test kills the core
    isTaken = verdict === null || verdict.ok;
    if (!isTaken) await sleep(10);
  }
}

/** A killed core leaves whole lines and at most one torn line; both files agree on the state that they share. */
async function verify(id: string): Promise<void> {
  const folder = new SessionFolder(app.home, id);
  if (!existsSync(folder.screenJsonl)) return; // killed before the first delta
  const states = statesOf(deltasOf(folder));
  const last = await readLastScreen(folder);
  if (states.length === 0 && !existsSync(folder.snapshot)) return; // killed during the first line
  expect(last).not.toBeNull();
  if (!existsSync(folder.snapshot)) return;
  const snapshot = snapshotOf(folder);
  const same = states.filter(({ epoch, seq }) => epoch === snapshot.screen_epoch && seq === snapshot.seq);
  expect(same.map(toldBy)).toContainEqual(shownBy(snapshot));
}

test(
  `after each of ${RUNS} kills at random moments the last screens can be read, and a torn line is cut and told`,
  async () => {
    for (let run = 0; run < RUNS; run++) {
      await app.start();
      const connection = connectTo(app.home);
      const { order } = await connection.api.workspace.get.query();
      for (let n = order.length; n < PROGRAMS.length; n++)
        order.push((await connection.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 })).id);
      for (const [n, id] of order.entries()) void keepBusy(connection.api, id, PROGRAMS[n] ?? '');
      await sleep(300 + Math.floor(((run * 7919) % 100) * 15));
      await app.crash();
      connection.dispose();
      for (const id of order) await verify(id);
    }
    const [id = ''] = SessionFolder.list(app.home);
    const ran = await runCli(['screen', id], { home: app.home });
    expect([ran.code, ran.stdout.length > 0]).toEqual([0, true]);

    const folder = new SessionFolder(app.home, id);
    const before = deltasOf(folder).length;
    appendFileSync(folder.screenJsonl, '{"seq":99999999,"ep');
    expect(deltasOf(folder).length, 'readers pass over it').toBe(before);
    await app.start();
    const events = readFileSync(folder.events, 'utf8');
    expect(events).toMatch(/"type":"torn","file":"screen.jsonl","bytes":19/);
    await app.stop();
    expect(statesOf(deltasOf(folder)).at(-1)?.epoch).toBe(snapshotOf(folder).screen_epoch);
  },
  5 * 60_000,
);
