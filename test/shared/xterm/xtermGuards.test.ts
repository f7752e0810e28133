import xterm from '@xterm/headless';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { WholeCharacters } from '../../../src-main/contract/wholeCharacters.ts';
import { UnicodeGraphemesAddon } from '../../../src-main/shared/xterm/graphemes.ts';
import { guardXterm, loadGraphemes, silenceReplies } from '../../../src-main/shared/xterm/xtermGuards.ts';

const viewers: xterm.Terminal[] = [];

afterEach(() => {
  for (const viewer of viewers.splice(0)) viewer.dispose();
});

function viewer(): xterm.Terminal {
  const made = new xterm.Terminal({ cols: 40, rows: 10, allowProposedApi: true, logLevel: 'off' });
  viewers.push(made);
  return made;
}

const write = (terminal: xterm.Terminal, output: string) =>
  new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });

describe("a viewer's emulator", () => {
  test.each([
    ['DA1', '\x1b[c'],
    ['DA1 with a number', '\x1b[0c'],
    ['DA2', '\x1b[>c'],
    ['DA3', '\x1b[=c'],
    ['DSR', '\x1b[5n'],
    ['CPR', '\x1b[6n'],
    ['DECXCPR', '\x1b[?6n'],
    ['DECRQM', '\x1b[?2004$p\x1b[4$p'],
    ['DECRQSS', '\x1bP$qm\x1b\\\x1bP$q"p\x1b\\'],
    ['XTGETTCAP', '\x1bP+q544e\x1b\\'],
    ['colours', '\x1b]4;1;?\x07\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]12;?\x07'],
    ['XTVERSION', '\x1b[>q'],
    ['kitty keyboard', '\x1b[?u'],
    ['window reports', '\x1b[11t\x1b[13t\x1b[14t\x1b[18t\x1b[19t\x1b[20t\x1b[21t'],
    ['ENQ', '\x05'],
    ['a C1 query', '\u009bc'],
  ])('answers nothing to %s', async (_, query) => {
    const terminal = viewer();
    const sent: string[] = [];
    terminal.onData((data) => sent.push(data));
    silenceReplies(terminal);
    await write(terminal, query);
    expect(sent).toEqual([]);
  });

  test('still sends keys', () => {
    const terminal = viewer();
    const sent: string[] = [];
    terminal.onData((data) => sent.push(data));
    silenceReplies(terminal);
    terminal.input('ls\r');
    expect(sent).toEqual(['ls\r']);
  });

  test('still sets colours that no query is about', async () => {
    const terminal = viewer();
    const seen: string[] = [];
    terminal.parser.registerOscHandler(11, (data) => {
      seen.push(data);
      return true;
    });
    silenceReplies(terminal);
    await write(terminal, '\x1b]11;#112233\x07\x1b]11;?\x07');
    expect(seen).toEqual(['#112233']);
  });

  test('goes on after the sequences that stop an unguarded one', async () => {
    const terminal = viewer();
    guardXterm(terminal, () => undefined);
    await write(terminal, '\x1b[10;40H\x1b[1J\x1b[99999999L\x1b[99999999S\x1b[H');
    await write(terminal, 'here');
    expect(terminal.buffer.active.getLine(terminal.buffer.active.baseY)?.translateToString(true)).toBe('here');
  });

  test('gives titles to its owner', async () => {
    const terminal = viewer();
    const titles: string[] = [];
    guardXterm(terminal, (title) => titles.push(title));
    await write(terminal, '\x1b]0;one\x07\x1b]1;icon\x07\x1b]2;two\x1b\\');
    expect(titles).toEqual(['one', 'two']);
  });

  test('measures emoji as one when graphemes are loaded', async () => {
    const terminal = viewer();
    loadGraphemes(terminal, new UnicodeGraphemesAddon());
    await write(terminal, '👩‍👩‍👧‍👦');
    expect([terminal.unicode.activeVersion, terminal.buffer.active.cursorX]).toEqual(['15-graphemes', 2]);
  });
});

describe('whole characters', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 10 }).map((text) => new TextEncoder().encode(text)),
  );
  const chunks = fc.array(bytes, { maxLength: 8 });

  test('are the same bytes in the same order, but for at most three held back', () => {
    fc.assert(
      fc.property(chunks, (fed) => {
        const characters = new WholeCharacters();
        const given = Buffer.concat(fed.map((chunk) => Buffer.from(characters.feed(chunk))));
        const all = Buffer.concat(fed);
        expect(characters.heldBytes).toBeLessThanOrEqual(3);
        expect(given).toEqual(all.subarray(0, all.length - characters.heldBytes));
      }),
    );
  });

  test('are never cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(), (text, cut) => {
        const all = new TextEncoder().encode(text);
        const at = cut % (all.length + 1);
        const characters = new WholeCharacters();
        const parts = [all.subarray(0, at), all.subarray(at)].map((part) =>
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(characters.feed(part)),
        );
        expect([parts.join(''), characters.heldBytes]).toEqual([text.toWellFormed(), 0]);
      }),
    );
  });
});
