import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Figure, median, type Row } from './Figure.ts';
import type { ScreenCpu } from './screenCpu.ts';

const ENTRY = fileURLToPath(new URL('./screenCpu.ts', import.meta.url));
/** Share of the payload at the agents' own pace; less, because writing every delta of hours takes long. */
const PACED_SHARE = 0.1;
const HOUR_MS = 3600_000;

/** Share of the payload for one growing conversation; less, because every screen of it is read. */
const LONG_SHARE = 0.08;

/**
 * Agents' redraws: CPU time of recording the screen (frames, deltas, screen.jsonl, snapshots) and the conversations (steps, timeline,
 * extraction, merge, chat.jsonl), against parsing the same bytes in @xterm/headless alone. Also compares the cost of an update late in
 * a long conversation with one early in it.
 */
export const row7: Row = async ({ megabytes, runs }, say) => {
  const bytes = megabytes * 1e6;
  const alone: ScreenCpu[] = [];
  const screens: ScreenCpu[] = [];
  const recorded: ScreenCpu[] = [];
  for (let run = 0; run < runs; run += 1) {
    alone.push(await measure('alone', bytes));
    screens.push(await measure('recorded', bytes));
    recorded.push(await measure('chat', bytes));
    const took = [alone, screens, recorded].map((of) => Math.round(of.at(-1)?.cpuMs ?? 0));
    say(`run ${run + 1} of ${runs}: alone ${took[0]} ms, the screen ${took[1]} ms, with conversations ${took[2]} ms`);
  }
  say("at the agents' own pace");
  const paced = await measure('paced', bytes * PACED_SHARE);
  say('one conversation that grows');
  const long = growth(await measure('long', bytes * LONG_SHARE));
  const own = median(recorded.map(({ cpuMs }) => cpuMs));
  const screen = median(screens.map(({ cpuMs }) => cpuMs));
  const theirs = median(alone.map(({ cpuMs }) => cpuMs));
  const ratio = long.late / long.early;
  return [
    {
      row: 7,
      work: `CPU of recording ${megabytes} MB of agents' redraws`,
      value: own,
      unit: 'ms',
      runs,
      against: { name: '@xterm/headless alone', value: theirs },
      ratio: own / theirs,
      target: '≤ 1.3 ×',
      isMet: own / theirs <= 1.3,
    },
    {
      row: 7,
      work: '  … of which the screen without the conversations',
      value: screen,
      unit: 'ms',
      runs,
      against: { name: '@xterm/headless alone', value: theirs },
      ratio: screen / theirs,
      target: '',
      isMet: null,
    },
    {
      row: 7,
      work: '  … of one showing, late in a conversation (10 × longer)',
      value: long.late,
      unit: 'ms',
      runs: 1,
      against: { name: 'early in it', value: long.early },
      ratio,
      target: '≤ 1.2 ×',
      isMet: ratio <= 1.2,
    },
    ...atOwnPace(paced),
  ];
};

/** Cost while the agents work, with all deltas; not as a ratio to parsing, which is next to nothing at this pace. */
function atOwnPace({ cpuMs, agentsMs, fileBytes, deltas }: ScreenCpu): Figure[] {
  const base = { row: 7, runs: 1, against: null, ratio: null, target: '', isMet: null };
  const hours = agentsMs / HOUR_MS;
  return [
    { ...base, work: "  … CPU of an hour at the agents' own pace", value: cpuMs / hours, unit: 'ms' },
    {
      ...base,
      work: `  … screen.jsonl of an hour (${Math.round(deltas / hours)} deltas)`,
      value: fileBytes / 1e6 / hours,
      unit: 'MB',
    },
  ];
}

/** Median CPU times of a showing after the first tenth, when all code is warm, and in the last tenth. */
function growth({ rounds }: ScreenCpu): { early: number; late: number } {
  const tenth = Math.max(1, Math.floor(rounds.length / 10));
  return { early: median(rounds.slice(tenth, 2 * tenth)), late: median(rounds.slice(-tenth)) };
}

function measure(mode: string, bytes: number): Promise<ScreenCpu> {
  return new Promise((resolve, reject) => {
    const child = fork(ENTRY, [mode, String(bytes)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', (report: ScreenCpu) => resolve(report));
    child.once('exit', (code) => reject(new Error(`the ${mode} emulator ended with ${code}`)));
  });
}
