import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { screenRows } from '../support/screenState.ts';
import { readBadInputs } from '../support/vtFixtures.ts';

const SIZE = { cols: 80, rows: 24, scrollbackLines: 1000 };
const bad = readBadInputs();

function model(clock = new FakeClock()): ScreenModel & { replies: string[] } {
  const made = new ScreenModel(SIZE, clock);
  const replies: string[] = [];
  made.onReply((reply) => replies.push(reply));
  return Object.assign(made, { replies });
}

/** Milliseconds that parsing takes. */
function timed(screen: ScreenModel, output: string | Uint8Array): number {
  const began = process.cpuUsage(); // CPU time of this process, because other load must not break a limit
  screen.write(typeof output === 'string' ? Buffer.from(output) : output);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

const HUGE = [4096, 99_999_999, 2_147_483_647, 4_294_967_295, 10 ** 15];

describe('counts', () => {
  test.each(
    HUGE.flatMap((n) =>
      ['b', 'L', 'M', 'S', 'T', 'Z', 'I', '@', 'P', 'X', ' @', ' A', "'}", "'~"].map((final) => [n, final] as const),
    ),
  )('CSI %i %s costs less than 50 ms', (count, final) => {
    expect(timed(model(), `line\r\nA\x1b[${count}${final}`)).toBeLessThan(50);
  });

  test('a thousand of them cost less than 500 ms', () => {
    expect(timed(model(), '\x1b[4096L'.repeat(1000))).toBeLessThan(500);
  });

  test.each(['B19', 'B21', 'B23', 'B25'])('%s is over in 500 ms', (id) => {
    expect(timed(model(), bad.get(id) ?? '')).toBeLessThan(500);
  });

  test('more than fits does what as much as fits does', () => {
    const shows = (output: string) => {
      const screen = model();
      screen.write(Buffer.from(`${'row\r\n'.repeat(30)}\x1b[5;3H${output}`));
      return screenRows(screen);
    };
    expect(shows('\x1b[99999999L')).toEqual(shows('\x1b[24L'));
    expect(shows('\x1b[99999999P')).toEqual(shows('\x1b[80P'));
    expect(shows('x\x1b[99999999b')).toEqual(shows('x\x1b[1920b'));
  });
});

describe('answers', () => {
  test.each([
    ['device attributes', '\x1b[c', '\x1b[?62;4;22c'],
    ['secondary device attributes', '\x1b[>c', '\x1b[>0;276;0c'],
    ['status', '\x1b[5n', '\x1b[0n'],
    ['cursor position', 'ab\x1b[6n', '\x1b[1;3R'],
    ['a mode', '\x1b[?2004$p', '\x1b[?2004;2$y'],
    ['a setting that is unknown', '\x1bP$q;id\x1b\\', '\x1bP0$r\x1b\\'],
  ])('%s', (_, query, answer) => {
    const screen = model();
    screen.write(Buffer.from(query));
    expect(screen.replies).toEqual([answer]);
  });

  test.each(['B01', 'B03', 'B05', 'B07'])('%s gets none', (id) => {
    const screen = model();
    screen.write(bad.get(id) ?? new Uint8Array(0));
    expect(screen.replies).toEqual([]);
  });

  test('colour queries are answered once they are known, several in one sequence too', () => {
    const screen = model();
    screen.write(Buffer.from('\x1b]11;?\x07'));
    screen.setColors({ foreground: '#D0d0D0', background: '#0a0b0c', cursor: '#ff0000' });
    screen.write(Buffer.from('\x1b]11;?\x1b\\\x1b]10;?;?;?\x07'));
    const [black, grey, red] = ['0a0a/0b0b/0c0c', 'd0d0/d0d0/d0d0', 'ffff/0000/0000'];
    expect(screen.replies).toEqual([
      `\x1b]11;rgb:${black}\x1b\\`,
      `\x1b]10;rgb:${grey}\x1b\\`,
      `\x1b]11;rgb:${black}\x1b\\`,
      `\x1b]12;rgb:${red}\x1b\\`,
    ]);
  });

  test('at most 50 a second are given', () => {
    const clock = new FakeClock();
    const screen = model(clock);
    screen.write(bad.get('B09') ?? new Uint8Array(0));
    clock.advance(1000);
    screen.write(Buffer.from('\x1b[c'));
    expect(screen.replies).toHaveLength(51);
  });

  test('nothing is answered while bytes are replayed', () => {
    const screen = model();
    screen.isReplaying = true;
    screen.setColors({ foreground: '#000000', background: '#000000', cursor: '#000000' });
    screen.write(Buffer.from('\x1b[c\x1b[6n\x1bP$qm\x1b\\\x1b]11;?\x07'));
    expect(screen.replies).toEqual([]);
  });
});

describe('memory', () => {
  test('200,000 links are over in 3 s, and at most 5,000 are kept', () => {
    const screen = model();
    const links = Array.from({ length: 200_000 }, (_, n) => `\x1b]8;;http://x/${n}\x07a\x1b]8;;\x07`).join('');
    expect(timed(screen, links)).toBeLessThan(3000);
    const { _dataByLinkId } = screen.core._oscLinkService as unknown as { _dataByLinkId: Map<number, object> };
    expect(_dataByLinkId.size).toBeLessThanOrEqual(5000);
  });

  test('a link that is never closed costs no more than 2 s over 5 MB', () => {
    expect(timed(model(), `\x1b]8;;http://x/\x07${'some text in it\r\n'.repeat(300_000)}`)).toBeLessThan(2000);
  });

  test('a target of more than 2,083 characters is no link, and its text is shown', () => {
    const screen = model();
    screen.write(Buffer.from(`\x1b]8;;http://x/\x07a\x1b]8;;http://y/${'y'.repeat(2100)}\x07b`));
    expect(screen.frame().rows[0]?.spans).toEqual([{ text: 'a', href: 'http://x/' }, { text: 'b' }]);
  });

  test('titles have at most 1,024 characters and none that control or turn text', () => {
    const screen = model();
    screen.write(Buffer.from(`\x1b]0;${'T'.repeat(5_000_000)}\x07${'\x1b]0;t\x07'.repeat(100_000)}`));
    screen.write(Buffer.from(`\x1b]2;a\u202eb\u200fc${'d'.repeat(2000)}\x07`));
    expect(screen.frame().title).toBe(`abc${'d'.repeat(1019)}`);
  });

  test('30 MB in one string do not hide what comes after', () => {
    const screen = model();
    screen.write(Buffer.from('\x1b]52;c;'));
    for (let n = 0; n < 30; n++) screen.write(Buffer.alloc(1_000_000, 'A'));
    screen.write(Buffer.from('\x07after'));
    expect(screenRows(screen)[0]).toBe('after');
  });

  test('100,000 combining characters do not pile up in one cell', () => {
    const screen = model();
    screen.write(Buffer.from(`a${'\u0301'.repeat(100_000)}`));
    const cell = screen.terminal.buffer.active.getLine(0)?.getCell(0);
    expect(cell?.getChars().length).toBeLessThanOrEqual(64);
  });

  test('100 MB without a line break are parsed', () => {
    const screen = model();
    const chunk = Buffer.alloc(1_000_000, 'x');
    for (let n = 0; n < 100; n++) screen.write(chunk);
    expect(screenRows(screen)[0]).toBe('x'.repeat(80));
  });

  test('a huge sixel picture is cut, and does not hide what comes after', () => {
    const screen = model();
    screen.write(Buffer.from(`\x1bPq"1;1;99999;99999${'#0;2;0;0;0~'.repeat(100_000)}\x1b\\after`));
    expect(screenRows(screen).at(-1)).toBe('after');
  });

  test('a million bells are over in a second', () => {
    expect(timed(model(), '\x07'.repeat(1_000_000))).toBeLessThan(1000);
  });
});

describe('odd sequences', () => {
  test('erasing above from the last cell of the screen does not throw', () => {
    const screen = model();
    screen.write(Buffer.from('text\x1b[24;80H\x1b[1Jx'));
    expect(screenRows(screen).filter(Boolean)).toEqual([`${' '.repeat(79)}x`]);
  });

  test('output cannot change the size', () => {
    const screen = model();
    screen.write(Buffer.from('\x1b[8;100;200t\x1b[?3h\x1b[?40h\x1b[?3h'));
    expect([screen.cols, screen.rows]).toEqual([80, 24]);
  });

  test.each(['B27', 'B29'])('%s: after CAN the text is visible', (id) => {
    const screen = model();
    screen.write(Buffer.concat([bad.get(id) ?? Buffer.alloc(0), Buffer.from('\x18visible')]));
    expect(screenRows(screen).join('')).toContain('visible');
  });

  test.each(Array.from({ length: 25 }, (_, at) => at))(
    'the alternate screen is known when its switches are cut at %i',
    (cut) => {
      const switches = Buffer.from('\x1b[?1049;25lA\x1b[?47h\x1bc\x1b[?25;1049hB');
      const screen = model();
      screen.write(switches.subarray(0, cut));
      screen.write(switches.subarray(cut));
      expect(screen.frame()).toMatchObject({ altScreen: true, cursor: { visible: true } });
    },
  );
});
