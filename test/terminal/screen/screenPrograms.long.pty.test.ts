import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WaitCondition } from '../../../src-main/contract/screen/screen.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { ScreenReader } from '../../../src-main/terminal/screen/ScreenReader.ts';
import { deltasOf, shownBy, snapshotOf, statesOf, toldBy } from '../../support/screenFiles.ts';
import { TestCore } from '../../support/TestCore.ts';

/** A private tmux server, so that the test leaves a person's sessions alone. */
const TMUX_SERVER = `hansard-test-${process.pid}`;
const SIZE = { cols: 90, rows: 20 };

/** The law: the snapshot equals the state that the deltas have at its seq. */
function expectLaw(folder: SessionFolder): void {
  const snapshot = snapshotOf(folder); // read first, because the deltas before a snapshot are already on disk
  const same = statesOf(deltasOf(folder)).filter(
    ({ seq, epoch }) => seq === snapshot.seq && epoch === snapshot.screen_epoch,
  );
  expect(same.map(toldBy)).toContainEqual(shownBy(snapshot));
}

/** Keys for a program, and the condition to wait for afterwards. */
type Step = [keys: string, until: WaitCondition];
const shows = (pattern: string): WaitCondition => ({ type: 'match', pattern, flags: 'm', scope: 'screen' });
const stands = (ms = 300): WaitCondition => ({ type: 'stable', ms, ignoreRows: [] });

const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

describe('the files of the screen', () => {
  let core: TestCore;
  let path: string;

  beforeAll(async () => {
    core = await TestCore.start();
    path = join(core.home, 'long.txt');
    writeFileSync(path, Array.from({ length: 500 }, (_, n) => `line ${n} of a long text, 世界 ${n % 7}\n`).join(''));
  });

  afterAll(async () => {
    spawnSync('tmux', ['-L', TMUX_SERVER, 'kill-server']); // a failed test leaves the server running
    await core.dispose();
  });

  const waitFor = async (terminal: PtyInstance, until: WaitCondition): Promise<void> => {
    const query = { conditions: [until], mode: 'any' as const, timeoutMs: 20_000, scrollback: 0 };
    const result = await terminal.screen.wait(query);
    expect(result, JSON.stringify(until)).toMatchObject({ outcome: 'met' });
  };

  test.for<[string, Step[]]>([
    [
      'vim',
      [
        ['vim -n -u NONE -N --cmd "set number laststatus=2" long.txt\r', shows('line 5 of')],
        ['\x06\x06', shows('line 40 of')],
        ['ggoinserted \x1b', shows('inserted')],
        [':vsplit\r', stands()],
        ['\x05\x05\x05', stands()],
        [':q!\r:q!\r', stands()],
      ],
    ],
    [
      'less',
      [
        ['less -N long.txt\r', shows('line 5 of')],
        [' ', shows('line 20 of')],
        ['G', shows('line 499 of')],
        ['?line 77 \r', shows('line 77 of')],
        ['kkkjjj', stands()],
        ['q', stands()],
      ],
    ],
    [
      'htop',
      [
        ['htop -d 5\r', shows('PID')],
        ['', { type: 'changed' }],
        ['', { type: 'changed' }],
        ['t', { type: 'changed' }],
        ['q', stands()],
      ],
    ],
    [
      'tmux',
      [
        [`tmux -L ${TMUX_SERVER} -f /dev/null new "bash --norc"\r`, shows('^\\[0\\]')],
        ['seq 100\r', shows('^100$')],
        ['\x02%', stands()],
        ['ls -l /\r', shows('usr')],
        ['\x02d', shows('detached')],
        [`tmux -L ${TMUX_SERVER} kill-server\r`, stands()],
      ],
    ],
  ])(
    'of %s: fold of the deltas = snapshot, all the way, and what was shown can be had again',
    async ([program, steps], { skip }) => {
      if (!isInstalled(program)) skip(`no ${program} here`);
      const terminal = await core.open('bash', SIZE);
      const folder = new SessionFolder(core.dataFolder, terminal.id);
      terminal.type(`cd ${core.home}\r`);
      const seen: { seq: number; epoch: string; texts: string[] }[] = [];
      for (const [keys, until] of steps) {
        terminal.type(keys);
        await waitFor(terminal, until);
        // A snapshot arrives after all earlier deltas.
        const { rows: texts, seq, screen_epoch: epoch } = await terminal.screen.snapshot();
        seen.push({ texts, seq, epoch });
        expectLaw(folder);
      }
      await core.core.close(terminal.id, true);
      expectLaw(folder);
      const last = statesOf(deltasOf(folder)).at(-1);
      expect(toldBy(last)).toEqual(shownBy(snapshotOf(folder)));
      const reader = new ScreenReader(core.dataFolder);
      for (const { seq, epoch, texts } of seen) {
        const then = await reader.at(folder.id, { atSeq: seq, epoch });
        expect(then?.full && then.frame.rows.map(({ text }) => text)).toEqual(texts);
      }
    },
  );
});
