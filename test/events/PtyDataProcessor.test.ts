import { describe, expect, test } from 'vitest';
import type { TerminalEvent } from '../../src-main/contract/event.ts';
import { PtyDataProcessor } from '../../src-main/events/PtyDataProcessor.ts';
import { feedEvents, withoutOutput } from './feedEvents.ts';
import { beginMarker, endMarker, marker, NONCE, promptMarker, toBase64 } from './terminalStream.ts';

const told = (text: string) => withoutOutput(feedEvents([Buffer.from(text)])).map(({ at: _at, ...event }) => event);
const bare = (text: string) =>
  told(text).map((event) => ('end' in event ? (({ end: _end, ...rest }) => rest)(event) : event));
const signals = (events: TerminalEvent[]) => events.filter((event) => event.type !== 'output');
const plainChunk = (text: string) => ({ bytes: Buffer.from(text), nonceAt: [] });

describe('the hook', () => {
  test('says where the prompt, a command and its end are, to the byte', () => {
    const texts = [promptMarker('/p'), '$ ls\r\n', beginMarker('ls'), 'file\r\n', endMarker(0)];
    const at = texts.map((_, i) => texts.slice(0, i).join('').length);
    expect(feedEvents([Buffer.from(texts.join(''))])).toEqual([
      {
        type: 'prompt',
        at: 0,
        end: at[1],
        trusted: true,
        by: 'hook',
        cwd: '/p',
        shell: 'sh',
        version: '5',
        degraded: null,
      },
      { type: 'output', at: at[1], end: at[2], hex: Buffer.from('$ ls\r\n').toString('hex') },
      {
        type: 'begin',
        at: at[2],
        end: at[3],
        trusted: true,
        by: 'hook',
        cmd: 'ls',
        cwd: '/tmp',
        ignoresSpace: false,
        count: 1,
      },
      { type: 'output', at: at[3], end: at[4], hex: Buffer.from('file\r\n').toString('hex') },
      { type: 'end', at: at[4], end: texts.join('').length, trusted: true, by: 'hook', exitCode: 0, count: 1 },
    ]);
  });

  test.each([
    ['exit=0', 0],
    ['seq=1;exit=255;ts=1', 255],
    ['exit=-1073741510', -1073741510],
    ['exit=', null],
    ['exit=abc', null],
    ['exit=99999999999', null],
    ['seq=1', null],
  ])('an end with %s has status %s', (fields, exitCode) => {
    expect(bare(marker(`BLOCK_END;${fields}`))).toEqual([
      { type: 'end', trusted: true, by: 'hook', exitCode, ...(fields.startsWith('seq=1') && { count: 1 }) },
    ]);
  });

  test('says that it is degraded and that leading spaces keep lines out of the history', () => {
    expect(bare(marker(`PROMPT;degraded=${toBase64('PS0 is read-only\n')}`))).toMatchObject([
      { degraded: 'PS0 is read-only', cwd: null, shell: null },
    ]);
    expect(bare(marker('BLOCK_BEGIN;nohist=1'))).toMatchObject([{ ignoresSpace: true, cmd: null }]);
  });

  test('keeps a folder and a text with any characters exact', () => {
    const text = 'printf "%s\\n" ";=\\x1b" \t漢 👩‍👩‍👧\n<<E\nE';
    expect(bare(marker(`BLOCK_BEGIN;cmd_b64=${toBase64(text)};cwd_b64=${toBase64('/a b/;=/é')}`))).toMatchObject([
      { cmd: text, cwd: '/a b/;=/é' },
    ]);
  });

  test('is known from its first prompt on', () => {
    const processor = new PtyDataProcessor({ startOffset: 100 });
    processor.feed({ bytes: Buffer.from(beginMarker('x').replace(NONCE, '0'.repeat(34))), nonceAt: [107] }, 0);
    expect(processor.hasHook).toBe(false);
    processor.feed(
      { bytes: Buffer.from(promptMarker().replace(NONCE, '0'.repeat(34))), nonceAt: [processor.offset + 7] },
      0,
    );
    expect(processor.hasHook).toBe(true);
  });
});

describe('marks of other integrations, while no hook has spoken', () => {
  test.each([
    ['\x1b]133;A\x07', { type: 'promptStart' }],
    ['\x1b]133;P;k=i\x07', { type: 'promptStart' }],
    ['\x1b]133;N;aid=1\x07', { type: 'promptStart' }],
    ['\x1b]133;B\x1b\\', { type: 'promptEnd' }],
    ['\x1b]133;I\x07', { type: 'promptEnd' }],
    ['\x1b]133;C\x07', { type: 'begin', trusted: false, by: 'OSC 133', cmd: null, cwd: null, ignoresSpace: false }],
    [
      '\x1b]133;C;cmdline_url=ls%20-l%3b\x07',
      { type: 'begin', trusted: false, by: 'OSC 133', cmd: 'ls -l;', cwd: null, ignoresSpace: false },
    ],
    [
      '\x1b]133;C;cmdline_url=%ff\x07',
      { type: 'begin', trusted: false, by: 'OSC 133', cmd: null, cwd: null, ignoresSpace: false },
    ],
    [
      '\x1b]133;C;cmdline=ls\\ -l\x07',
      { type: 'begin', trusted: false, by: 'OSC 133', cmd: 'ls -l', cwd: null, ignoresSpace: false },
    ],
    [
      "\x1b]133;C;cmdline=$'a\\nb'\x07",
      { type: 'begin', trusted: false, by: 'OSC 133', cmd: null, cwd: null, ignoresSpace: false },
    ],
    ['\x1b]133;D;2;aid=1\x07', { type: 'end', trusted: false, by: 'OSC 133', exitCode: 2 }],
    ['\x1b]133;D\x07', { type: 'end', trusted: false, by: 'OSC 133', exitCode: null }],
    ['\x1b]633;A\x07', { type: 'promptStart' }],
    ['\x1b]633;B\x07', { type: 'promptEnd' }],
    [
      '\x1b]633;E;echo \\x3b\\\\x;nonce\x07\x1b]633;C\x07',
      { type: 'begin', trusted: false, by: 'OSC 633', cmd: 'echo ;\\x', cwd: null, ignoresSpace: false },
    ],
    ['\x1b]633;D;1\x07', { type: 'end', trusted: false, by: 'OSC 633', exitCode: 1 }],
    ['\x1b]633;P;Cwd=/a\\x3bb\x07', { type: 'cwd', path: '/a;b', by: 'OSC 633' }],
  ])('%j', (text, event) => {
    expect(bare(text)).toEqual([event]);
  });

  test.each([
    '\x1b]133;A;k=s\x07',
    '\x1b]133;P;k=c\x07',
    '\x1b]133;L\x07',
    '\x1b]133;Z\x07',
    '\x1b]133\x07',
    '\x1b]633;F\x07\x1b]633;H\x07',
    '\x1b]633;P;IsWindows=True\x07',
    '\x1b]0133x;A\x07',
  ])('%j says nothing', (text) => {
    expect(told(text)).toEqual([]);
  });

  test('are hints about the prompt and no more, once the hook has spoken', () => {
    const marks =
      '\x1b]133;A\x07\x1b]133;B\x07\x1b]133;C\x07\x1b]133;D;0\x07\x1b]633;E;rm\x07\x1b]633;C\x07\x1b]633;D\x07';
    expect(told(promptMarker() + marks).map((event) => event.type)).toEqual(['prompt', 'promptStart', 'promptEnd']);
  });
});

describe('what else an OSC can say', () => {
  test.each([
    ['\x1b]0;a title\x07', { type: 'title', title: 'a title' }],
    ['\x1b]2;\x07', { type: 'title', title: '' }],
    ['\x1b]7;file://localhost/a%20b\x07', { type: 'cwd', path: '/a b', by: 'OSC 7' }],
    ['\x1b]7;kitty-shell-cwd:///a%20b\x07', { type: 'cwd', path: '/a%20b', by: 'OSC 7' }],
    ['\x1b]7;file:///C:/Users\x07', { type: 'cwd', path: 'C:/Users', by: 'OSC 7' }],
    ['\x1b]9;9;"C:\\Users"\x07', { type: 'cwd', path: 'C:\\Users', by: 'OSC 9;9' }],
    ['\x1b]1337;CurrentDir=/x\x07', { type: 'cwd', path: '/x', by: 'OSC 1337' }],
    ['\x1b]9;4;1;42\x07', { type: 'progress', state: 'normal', percent: 42 }],
    ['\x1b]9;4;3\x07', { type: 'progress', state: 'indeterminate', percent: null }],
    ['\x1b]9;4;2;900\x07', { type: 'progress', state: 'error', percent: 100 }],
    ['\x1b]9;done\x07', { type: 'notification', title: null, body: 'done' }],
    ['\x1b]777;notify;T;a;b\x07', { type: 'notification', title: 'T', body: 'a;b' }],
    ['\x1b]99;;only\x1b\\', { type: 'notification', title: null, body: 'only' }],
    ['\x1b]99;i=1:d=0;T\x07\x1b]99;i=1:p=body:e=1;Ym9keQ==\x07', { type: 'notification', title: 'T', body: 'body' }],
    ['\x1b]7501;state=working:app=x\x07', { type: 'agentStatus', body: 'state=working:app=x' }],
    ['\x1b]52;c;aGk\x07', { type: 'clipboardWrite', text: 'hi' }],
  ])('%j', (text, event) => {
    expect(told(text)).toEqual([event]);
  });

  test.each([
    '\x1b]1;icon\x07',
    '\x1b]9;4;7\x07',
    '\x1b]9;\x07',
    '\x1b]777;precmd\x07',
    '\x1b]99;i=1:p=icon;x\x07',
    '\x1b]52;c;!!\x07',
    '\x1b]52;c;/w==\x07',
    '\x1b];x\x07',
    '\x1b]999999;x\x07',
    '\x1b]1337;RemoteHost=me@far\x07\x1b]1337;CurrentDir=/far\x07',
  ])('%j says nothing', (text) => {
    expect(told(text)).toEqual([]);
  });

  test('OSC 7 counts for this machine, by its name too', () => {
    const processor = new PtyDataProcessor({ hostName: 'Box.example' });
    const events = processor.feed(
      plainChunk('\x1b]7;file://box/a\x07\x1b]7;file://BOX.example/b\x07\x1b]7;file://far/c\x07'),
      0,
    );
    expect(signals(events)).toMatchObject([{ path: '/a' }, { path: '/b' }]);
  });

  test('progress is told when it changes', () => {
    expect(told('\x1b]9;4;1;5\x07\x1b]9;4;1;5\x07\x1b]9;4;1;6\x07')).toHaveLength(2);
  });
});

describe('the screen', () => {
  const types = (text: string) => told(text).map((event) => ('by' in event ? event.by : event.type));

  test.each([
    ['\x1b[H\x1b[2J\x1b[3J', ['addressed', 'ED2', 'ED3']],
    ['\x1b[2J\x1b[1;1H', ['addressed', 'ED2']],
    ['\x1b[2J', ['addressed']],
    ['\x1b[3J', ['ED3']],
    ['\x1bc', ['RIS', 'addressed']],
    ['\x1b[5;1H\x1b[2J', ['addressed']],
    ['\x1b[A\x1b[B\x1b[2;2H\x1b[r', ['addressed']],
    ['\x1bM', ['addressed']],
    ['\x1b[K\x1b[5C\x1b[3G\x1b[J\x1b[1;31m\r\n\t\b', []],
    ['\x1b[?1049h\x1b[H\x1b[2J\x1b[4;4H\x1b[?1049l', ['altScreen', 'altScreen']],
    ['\x1b[?47h\x1b[?1049h\x1bc', ['altScreen', 'altScreen', 'RIS', 'addressed']],
  ])('%j gives %j', (text, expected) => {
    expect(types(text)).toEqual(expected);
  });

  test('a move counts again after each boundary, so that every block knows', () => {
    expect(types(`\x1b[A${beginMarker('x')}\x1b[A\x1b[A${endMarker(0)}\x1b[9;9H${promptMarker()}\x1b[H`)).toEqual([
      ...['addressed', 'hook', 'addressed', 'hook', 'addressed', 'hook', 'addressed'],
    ]);
  });
});

describe('limits', () => {
  test('a bell passes again when a second has gone', () => {
    const processor = new PtyDataProcessor();
    const bells = (nowMs: number) => signals(processor.feed(plainChunk('\x07'.repeat(100)), nowMs)).length;
    expect([bells(0), bells(500), bells(999), bells(1000), bells(1001)]).toEqual([10, 0, 0, 10, 0]);
  });

  test('a clock that is set back lets things pass', () => {
    const processor = new PtyDataProcessor();
    const bells = (nowMs: number) => signals(processor.feed(plainChunk('\x07'.repeat(100)), nowMs)).length;
    expect([bells(1_000_000), bells(0)]).toEqual([10, 10]);
  });

  test('the last title of a flood comes late, once', () => {
    const processor = new PtyDataProcessor();
    const flood = Array.from({ length: 50 }, (_, i) => `\x1b]0;t${i}\x07`).join('');
    expect(signals(processor.feed(plainChunk(flood), 0))).toHaveLength(10);
    expect(processor.settle(500)).toEqual([]);
    expect(processor.settle(1000)).toMatchObject([{ type: 'title', title: 't49' }]);
    expect(processor.settle(3000)).toEqual([]);
  });

  test('bytes that may be a marker are held back to the end of the stream, and no longer', () => {
    const processor = new PtyDataProcessor();
    expect(processor.feed(plainChunk('a\x1b]7717;Zj'), 0)).toMatchObject([{ at: 0, end: 1 }]);
    expect(processor.end()).toMatchObject([{ type: 'output', at: 1, end: 10 }]);
    expect(processor.end()).toEqual([]);
  });
});
