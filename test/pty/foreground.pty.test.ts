import { expect, test, vi } from 'vitest';
import { foregroundOrder } from '../../src-main/pty/foreground.ts';
import type { PtyProcess } from '../../src-main/pty/PtyProcess.ts';
import { parseStat } from '../../src-main/pty/procView.ts';
import { startBash } from '../support/startBash.ts';

test.each([
  [
    '7 (sleep) S 1 7 5 34816 9 4194304 0',
    { pid: 7, name: 'sleep', state: 'S', parent: 1, group: 7, session: 5, tpgid: 9, isFork: false },
  ],
  [
    '7 (a) b) (c) Z 1 7 5 0 -1 4194304',
    { pid: 7, name: 'a) b) (c', state: 'Z', parent: 1, group: 7, session: 5, tpgid: -1, isFork: false },
  ],
  [
    '7 (bash) R 1 7 5 34816 7 4194368 0',
    { pid: 7, name: 'bash', state: 'R', parent: 1, group: 7, session: 5, tpgid: 7, isFork: true },
  ],
  [
    '7 () R 1 7 5 34816 7 0',
    { pid: 7, name: '', state: 'R', parent: 1, group: 7, session: 5, tpgid: 7, isFork: false },
  ],
  ['7 sleep S 1 7 5', null],
  ['', null],
])('%s is read whatever the name holds', (line, stat) => {
  expect(parseStat(line)).toEqual(stat);
});

test.each([
  ['the group alone', { 20: [10, 20], 21: [20, 20] }, [20, 21]],
  ['what started it in another group', { 15: [10, 15], 20: [15, 20] }, [15, 20]],
  ['no job in the background', { 20: [10, 20], 30: [10, 30] }, [20]],
  ['a process whose parent has gone', { 20: [1, 20] }, [20]],
  ["processes that are each other's parents, as a torn reading can tell", { 20: [21, 20], 21: [20, 20] }, [21, 20]],
] as [string, Record<string, [number, number]>, number[]][])('the foreground is %s', (_, processes, pids) => {
  const all = new Map(Object.entries(processes).map(([pid, [parent, group]]) => [Number(pid), { parent, group }]));
  all.set(10, { parent: 1, group: 10 });
  expect(foregroundOrder(all, { pid: 10, tpgid: 20 }).toSorted()).toEqual(pids.toSorted());
});

test.runIf(process.platform === 'linux')('a launcher and what it launched are told, the launcher first', async () => {
  const pty = startBash();
  pty.write("sh -c 'sleep 300; :'\r");
  await vi.waitFor(() => {
    const found = (pty.foregroundProcesses() ?? []).map(({ argv }) => argv);
    expect(found).toEqual([
      ['sh', '-c', 'sleep 300; :'],
      ['sleep', '300'],
    ]);
  }, 10_000);
});

test.runIf(process.platform === 'linux')('a copy of the shell that has started no program is none', async () => {
  const pty = startBash();
  let shown = '';
  pty.onBytes((bytes) => {
    shown += Buffer.from(bytes).toString();
  });
  pty.write('(echo with""in; while read -r line; do :; done); cat\r');
  await vi.waitFor(() => expect(shown).toContain('within'), 10_000);
  expect(pty.foregroundArgv()).toEqual([]);
  pty.write('\x04');
  await vi.waitFor(() => expect(pty.foregroundArgv()).toEqual(['cat']), 10_000);
});

test.runIf(process.platform === 'linux')(
  'what starts is seen by the next look, whoever was looked at before',
  async () => {
    const [one, other] = [startBash(), startBash()];
    const look = (pty: PtyProcess): string[][] => (pty.foregroundProcesses() ?? []).map(({ argv }) => [...argv]);
    one.write('sleep 300\r');
    await vi.waitFor(() => expect(look(one)).toEqual([['sleep', '300']]), 10_000);
    for (let round = 1; round <= 3; round += 1) {
      expect(look(other)).toEqual([]);
      other.write(`sleep 30${round}\r`);
      await vi.waitFor(() => expect(other.foregroundArgv()).toEqual(['sleep', `30${round}`]), 10_000);
      expect(look(one)).toEqual([['sleep', '300']]);
      expect(look(other)).toEqual([['sleep', `30${round}`]]);
      other.write('\x03');
      await vi.waitFor(() => expect(look(other)).toEqual([]), 10_000);
    }
  },
);
