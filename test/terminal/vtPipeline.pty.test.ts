import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NonceMask } from '../../src-main/events/masks/NonceMask.ts';
import { NodePty } from '../../src-main/pty/NodePty.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { AppendFile } from '../../src-main/store/files/AppendFile.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { readFolder } from '../support/vtFixtures.ts';

const folder = suiteFolder('vt-pipeline');
const FIXTURES = join(import.meta.dirname, '../fixtures/vt');

/** Upstream also skips these four, in which xterm.js differs from xterm. */
const UPSTREAM_SKIPS = ['t0055-EL', 't0084-CBT', 't0103-reverse_wrap', 't0504-vim'];

/** Runs `cat` in a real PTY, masks and writes its output as a terminal does, and resolves with the bytes of the file. */
async function record(path: string, name: string): Promise<Buffer> {
  const pty = new NodePty({
    file: '/bin/cat',
    argv: [path],
    cwd: '/',
    env: { TERM: 'xterm-256color' },
    cols: 80,
    rows: 25,
  });
  const mask = new NonceMask(`Zj${'0123456789abcdef'.repeat(2)}`);
  const raw = join(folder, `${name}.raw`);
  const file = AppendFile.open(raw, { log: silentLog, clock: systemClock });
  pty.onBytes((bytes) => file.append(mask.feed(bytes).bytes));
  await new Promise<void>((resolve) => pty.onExit(() => resolve()));
  file.append(mask.end().bytes);
  await file.close();
  pty.dispose();
  return readFileSync(raw);
}

function screenOf(bytes: Uint8Array): string {
  const model = new ScreenModel({ cols: 80, rows: 25, scrollbackLines: 0 });
  model.write(bytes);
  const text = model
    .frame()
    .rows.map((row) => row.text)
    .join('\n');
  model.dispose();
  return withoutTrailingBlanks(text);
}

function withoutTrailingBlanks(text: string): string {
  return text.replace(/[ ]+$/gm, '').trimEnd();
}

test("xterm.js' escape files through a PTY, the record on disk and the screen: 72 of 76, upstream's four skipped", async () => {
  const names = readFolder('xtermjs-escape-files', '.in').map(({ path }) => path.replace(/.*\/|\.in$/g, ''));
  const differing: string[] = [];
  const next = [...names];
  const worker = async (): Promise<void> => {
    for (let name = next.shift(); name !== undefined; name = next.shift()) {
      const base = join(FIXTURES, 'xtermjs-escape-files', name);
      const shown = screenOf(await record(`${base}.in`, name));
      if (shown !== withoutTrailingBlanks(readFileSync(`${base}.text`, 'utf8'))) differing.push(name);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(names.length).toBe(76);
  expect(differing.sort()).toEqual(UPSTREAM_SKIPS);
});
