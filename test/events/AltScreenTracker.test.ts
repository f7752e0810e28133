import { readdirSync, readFileSync } from 'node:fs';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PtyDataProcessor } from '../../src-main/events/PtyDataProcessor.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { terminalStream } from './terminalStream.ts';

/** Whether xterm.js shows the alternate screen after each of `chunks`. */
async function xtermAlt(chunks: readonly Uint8Array[]): Promise<boolean[]> {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, logLevel: 'off', allowProposedApi: true });
  const states: boolean[] = [];
  for (const chunk of chunks) {
    await new Promise<void>((resolve) => terminal.write(chunk, resolve));
    states.push(terminal.buffer.active.type === 'alternate');
  }
  terminal.dispose();
  return states;
}

function ourAlt(chunks: readonly Uint8Array[]): boolean[] {
  const processor = new PtyDataProcessor();
  return chunks.map((chunk) => {
    processor.feed({ bytes: chunk, nonceAt: [] }, 0);
    return processor.altScreen;
  });
}

const bytewise = (stream: Uint8Array) => Array.from(stream, (byte) => Uint8Array.of(byte));

test.each([
  '\x1b[?1049;25h~\x1b[?25;1049l',
  '\x1b[?47h\x1b[?47l',
  '\x1b[?1047h\x1bc',
  '\u009b?1049h\x1b[?1049:1l',
  '\x1b[?10\x1849h',
  '\x1b[?10\n49h',
  '\x1b[?10é49h',
  '\x1b[?10\x7f49h',
  '\x1b[?1049$h',
  '\x1b[1049h\x1b[>1049h\x1b[?1?1049h',
  '\x1b]0;\x1b[?1049h',
  '\x1bP\x1b[?1049h',
  `\x1b[?${'1;'.repeat(31)}1049h`,
  `\x1b[?${'1;'.repeat(32)}1049h`,
  `\x1b[?${'0'.repeat(300)}1049h`,
  '\x1b[?99999999991049h\x1b[!p',
])('B48: %j leaves us on the screen that xterm.js is on, after every byte', async (session) => {
  const chunks = bytewise(Buffer.from(session));
  expect(ourAlt(chunks)).toEqual(await xtermAlt(chunks));
});

test('any stream leaves us on the screen that xterm.js is on, after every byte', async () => {
  await fc.assert(
    fc.asyncProperty(terminalStream, async (stream) => {
      const chunks = bytewise(stream);
      expect(ourAlt(chunks)).toEqual(await xtermAlt(chunks));
    }),
    fuzzRuns(100),
  );
});

const CORPUS = new URL('../fixtures/vt/xtermjs-escape-files/', import.meta.url);

test('the escape files leave us on the screen that xterm.js is on', async () => {
  const names = readdirSync(CORPUS).filter((name) => name.endsWith('.in'));
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) {
    const bytes = readFileSync(new URL(name, CORPUS));
    expect(ourAlt([bytes]), name).toEqual(await xtermAlt([bytes]));
  }
});
