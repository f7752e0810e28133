import { afterAll, describe, expect, test } from 'vitest';
import { findAppFiles } from '../../../src-main/hosts/appFiles.ts';
import type { ScreenHandle } from '../../../src-main/screen/worker/ScreenHandle.ts';
import { ScreenHost } from '../../../src-main/screen/worker/ScreenHost.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { ScreenRecord } from '../../../src-main/terminal/screen/ScreenRecord.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { deltasOf, shownBy, snapshotOf, statesOf, toldBy } from '../../support/screenFiles.ts';

const dataFolder = suiteFolder('screen-worker');
const screens = new ScreenHost({ workerUrl: findAppFiles().screenWorker, unguarded: true });
afterAll(() => screens.dispose());

let terminals = 0;

/** A screen of the real worker, recorded in its own folder. */
class Recorded {
  readonly folder: SessionFolder;
  readonly handle: ScreenHandle;
  readonly record: ScreenRecord;
  #bytes = Buffer.alloc(0);

  constructor() {
    terminals += 1;
    this.folder = new SessionFolder(dataFolder, `t${terminals}`);
    this.folder.create();
    this.handle = screens.open(this.folder.id, {
      cols: 40,
      rows: 8,
      scrollbackLines: 50,
      startOffset: 0,
      replayFrom: (offset) => this.#bytes.subarray(offset),
    });
    this.record = new ScreenRecord(
      this.handle,
      { folder: this.folder, reportFault: () => undefined },
      { clock: systemClock, log: silentLog },
    );
  }

  print(text: string): void {
    const bytes = Buffer.from(text);
    this.handle.write(bytes, this.#bytes.length);
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
  }

  async end(): Promise<void> {
    await this.record.close();
    this.handle.dispose();
  }
}

/** The law: the last state of the deltas equals the snapshot. */
function expectLaw({ folder }: Recorded): void {
  expect(toldBy(statesOf(deltasOf(folder)).at(-1))).toEqual(shownBy(snapshotOf(folder)));
}

describe('the files of a screen of the real worker', () => {
  test('agree whatever is printed and however it is resized, each run with pieces of its own', async () => {
    const pieces = [
      'plain text\r\n',
      '\x1b[31mred\x1b[0m 世界 💥\r\n',
      'x'.repeat(90),
      '\x1b[?1049h\x1b[2J\x1b[3;5Hfull screen',
      '\x1b[?1049l',
      '\x1b[2;6r\x1b[6;1H\n\n\nregion\x1b[r',
      '\x1b]0;a title\x07',
      '\x1b[H\x1b[2K\x1b[5L',
      '\x1b[?2026hheld\r\nback\x1b[?2026l',
      '\x1bc',
      '\x1b[4S\x1b[8;1Hafter',
      '\x1b[7mlooks\x1b[0m\x1b[8D\x1b[4mlooks',
    ];
    const sizes = [
      { cols: 40, rows: 8 },
      { cols: 20, rows: 12 },
      { cols: 2, rows: 2 },
      { cols: 60, rows: 3 },
    ];
    for (let seed = 1; seed <= 12; seed += 1) {
      const recorded = new Recorded();
      let state = seed;
      for (let step = 0; step < 40; step += 1) {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        const pick = Math.floor(state / 2 ** 16);
        if (pick % 9 === 0) recorded.handle.resize(sizes[pick % sizes.length] ?? { cols: 40, rows: 8 });
        else recorded.print(pieces[pick % pieces.length] ?? '');
        if (pick % 5 === 0) await recorded.handle.snapshot(); // so that there are several deltas
      }
      await recorded.end();
      expect(deltasOf(recorded.folder).length, `seed ${seed}`).toBeGreaterThan(3);
      expectLaw(recorded);
    }
  });

  test('go on with a keyframe of another epoch when the worker had to be replaced', async () => {
    const recorded = new Recorded();
    recorded.print('before\r\n');
    await recorded.handle.snapshot();
    recorded.print('\x1b[99999999L'); // takes an emulator without limits minutes
    await recorded.handle.snapshot();
    recorded.print('after');
    await recorded.end();
    const deltas = deltasOf(recorded.folder);
    const epochs = [...new Set(deltas.map(({ epoch }) => epoch))];
    expect(epochs.length).toBe(2);
    for (const epoch of epochs) expect(deltas.find((delta) => delta.epoch === epoch)?.keyframe).toBe(true);
    expectLaw(recorded);
    expect(snapshotOf(recorded.folder).rows.slice(0, 2)).toEqual(['before', 'after']);
  });
});
