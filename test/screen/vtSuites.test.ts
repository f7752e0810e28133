import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { playLibvterm } from '../support/libvterm.ts';
import { readFolder } from '../support/vtFixtures.ts';

/** Upstream also skips these four, in which xterm.js differs from xterm. */
const UPSTREAM_SKIPS = ['t0055-EL', 't0084-CBT', 't0103-reverse_wrap', 't0504-vim'];

describe("xterm.js' escape sequence files", () => {
  const inputs = readFolder('xtermjs-escape-files', '.in');

  function shows(input: Uint8Array): string {
    const model = new ScreenModel({ cols: 80, rows: 25, scrollbackLines: 0 });
    // The line discipline of a terminal does this to each line feed.
    model.write(Buffer.from(Buffer.from(input).toString('latin1').replaceAll('\n', '\r\n'), 'latin1'));
    const rows = model.frame().rows.map((row) => row.text);
    model.dispose();
    return withoutTrailingBlanks(rows.join('\n'));
  }

  /** The expected screens were copied from a window, which keeps trailing blanks only in some rows. */
  function withoutTrailingBlanks(text: string): string {
    return text.replace(/[ ]+$/gm, '').trimEnd();
  }

  const expected = new Map(
    readFolder('xtermjs-escape-files', '.text').map(({ path, bytes }) => [
      path.replace('.text', ''),
      withoutTrailingBlanks(Buffer.from(bytes).toString()),
    ]),
  );
  const differing = inputs
    .filter(({ path, bytes }) => shows(bytes) !== expected.get(path.replace('.in', '')))
    .map(({ path }) => path.replace(/.*\/|\.in$/g, ''));

  test('there are 76 of them', () => {
    expect(inputs).toHaveLength(76);
  });

  test('all give the expected screen but the four that upstream skips', () => {
    expect(differing).toEqual(UPSTREAM_SKIPS);
  });
});

describe("libvterm's tests", () => {
  const played = readFolder('libvterm-t', '.test').map(({ path, bytes }) => ({
    path,
    checks: playLibvterm(Buffer.from(bytes).toString()),
  }));
  const passedOf = (files: typeof played) => {
    const checks = files.flatMap((file) => file.checks);
    return [checks.filter((check) => check.expected === check.got).length, checks.length] as const;
  };

  test('at least 308 checks of cursor and text hold', () => {
    const [passed, total] = passedOf(played);
    console.info(`libvterm: ${passed} of ${total} checks`);
    expect(passed).toBeGreaterThanOrEqual(308);
  });

  test('every check that was derived from vttest holds', () => {
    const [passed, total] = passedOf(played.filter(({ path }) => path.includes('90vttest')));
    expect({ passed, isAll: total >= 41 }).toEqual({ passed: total, isAll: true });
  });
});
