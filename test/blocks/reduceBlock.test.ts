import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockInput } from '../../src-main/blocks/BlockState.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { begin, cards, end, out, prompt, promptEnd, promptStart, run, texts } from './blockInputs.ts';

const FOREIGN = { trusted: false, by: 'OSC 133' };

describe('the table of the specification', () => {
  test('idle, END: ignored', () => {
    expect(run([prompt(0), end(5, 130)]).effects).toEqual([]);
  });

  test('idle, BEGIN: a block with text, folder, time and offset', () => {
    expect(cards(run([prompt(0), begin(5, 'ls')]))).toMatchObject([
      {
        id: 'b1',
        seq: 1,
        status: 'running',
        cmd: 'ls',
        textSource: 'hook',
        cwd: '/w',
        startedMs: 1001,
        rawStart: 15,
        rawEnd: null,
        trusted: true,
        actor: 'user',
      },
    ]);
  });

  test('open, BEGIN: the first is superseded with no status, the second runs', () => {
    const result = run([begin(0, 'a'), out(10, 'xy'), begin(12, 'b')]);
    expect(cards(result)).toMatchObject([
      {
        cmd: 'a',
        status: 'superseded',
        endedBy: 'superseded',
        exitCode: null,
        rawStart: 10,
        rawEnd: 12,
        outputBytes: 2,
      },
      { cmd: 'b', status: 'running', seq: 2 },
    ]);
  });

  test('open, END n: closed with n, the time between on the monotonic clock', () => {
    expect(cards(run([begin(0, 'a'), out(10, 'xyz'), end(13, 2)]))).toMatchObject([
      {
        status: 'completed',
        endedBy: 'mark',
        exitCode: 2,
        durationMs: 20,
        endedMs: 1002,
        rawEnd: 13,
        outputBytes: 3,
        trusted: true,
      },
    ]);
  });

  test.each([
    [4, 4, 7, 'mark'],
    [4, undefined, 7, 'mark'],
    [undefined, 4, 7, 'mark'],
    [4, 0, null, 'prompt'],
    [4, 5, null, 'prompt'],
  ] as const)(
    'open as number %s, END of number %s: its status is %s, ended by %s',
    (begun, ended, exitCode, endedBy) => {
      const count = (of: number | undefined) => (of === undefined ? {} : { count: of });
      const done = cards(run([begin(0, 'a', count(begun)), end(20, 7, count(ended))]));
      expect(done).toMatchObject([{ exitCode, endedBy }]);
    },
  );

  test('open, another shell within: said once, and only of a command', () => {
    const nested: BlockInput = { type: 'nested', program: 'sh' };
    const told = run([nested, begin(0, 'a'), nested, nested, end(20, 0)]);
    expect(cards(told)).toMatchObject([{ cmd: 'a', nested: 'sh', exitCode: 0 }]);
    expect(told.effects.map(({ type }) => type)).toEqual(['open', 'change', 'close']);
  });

  test('open, PROMPT without END: closed, the end unknown', () => {
    expect(cards(run([begin(0, 'a'), prompt(20)]))).toMatchObject([
      { status: 'unknown_end', endedBy: 'prompt', exitCode: null, rawEnd: 20 },
    ]);
  });

  test('open, the PTY ends: closed with the status of the process', () => {
    expect(cards(run([begin(0, 'exec x'), { type: 'exit', at: 30, exitCode: 0, signal: 'SIGHUP' }]))).toMatchObject([
      { status: 'completed', endedBy: 'shell-exit', exitCode: 0, signal: 'SIGHUP', rawEnd: 30 },
    ]);
  });

  test('open, alt screen on and off: marked once, told twice', () => {
    const result = run([
      begin(0, 'vi'),
      { type: 'altScreen', at: 10, end: 18, on: true },
      { type: 'altScreen', at: 20, end: 28, on: false },
    ]);
    expect(cards(result)).toMatchObject([{ usedAltScreen: true }]);
    expect(result.effects.filter((effect) => effect.type === 'change')).toHaveLength(1);
    expect(result.effects.flatMap((effect) => (effect.type === 'event' ? [effect.record] : []))).toMatchObject([
      { type: 'altScreen', on: true, blockId: 'b0' },
      { type: 'altScreen', on: false, blockId: 'b0' },
    ]);
  });

  test.each(['ED2', 'ED3', 'RIS'] as const)('any, %s: an event, and no block is touched', (by) => {
    const before = run([begin(0, 'clear'), end(10, 0)]);
    const after = run([begin(0, 'clear'), end(10, 0), { type: 'screenCleared', at: 15, end: 19, by }]);
    expect(cards(after)).toEqual(cards(before));
    expect(after.effects.at(-1)).toEqual({
      type: 'event',
      record: { type: 'screenCleared', by, at: 15, atMs: 1002, blockId: null },
    });
  });

  test('no mark after a while: one card for everything, from the first byte on', () => {
    const result = run(
      [
        out(7, 'login'),
        { type: 'noMarks', at: 12 },
        out(12, ' more'),
        { type: 'exit', at: 17, exitCode: 3, signal: null },
      ],
      { startOffset: 7 },
    );
    expect(cards(result)).toMatchObject([
      { kind: 'session', cmd: null, trusted: false, rawStart: 7, rawEnd: 17, outputBytes: 10, exitCode: 3 },
    ]);
    expect(result.effects).toContainEqual({ type: 'backfill', blockId: 'b1', from: 7, to: 12 });
    expect(texts(result)).toEqual([['b1', ' more']]);
  });

  test('no mark after a while, but there was one: nothing', () => {
    expect(run([prompt(0), { type: 'noMarks', at: 9 }]).effects).toEqual([]);
  });

  test('a shell that speaks late ends the one card', () => {
    expect(cards(run([{ type: 'noMarks', at: 0 }, out(0, 'x'), prompt(1), begin(6, 'ls')]))).toMatchObject([
      { kind: 'session', status: 'unknown_end', rawEnd: 1 },
      { kind: 'command', cmd: 'ls' },
    ]);
  });
});

describe('trust', () => {
  test('foreign marks make a block that is not trusted, and a foreign prompt ends it', () => {
    expect(
      cards(
        run([
          begin(0, 'ls', { ...FOREIGN, cwd: null }),
          end(20, 1, FOREIGN),
          begin(30, null, FOREIGN),
          promptStart(50),
        ]),
      ),
    ).toMatchObject([
      { trusted: false, cmd: 'ls', textSource: 'cmdline', exitCode: 1, status: 'completed' },
      { trusted: false, cmd: null, textSource: null, exitCode: null, status: 'unknown_end' },
    ]);
  });

  test.each([
    ['a foreign begin', begin(15, 'rm', FOREIGN)],
    ['a foreign end', end(15, 0, FOREIGN)],
    ['a foreign prompt', prompt(15, FOREIGN)],
    ['a prompt that anyone can print', promptStart(15)],
  ])('%s does nothing to a trusted block', (_, input) => {
    const result = run([begin(0, 'cat evil'), input, end(20, 0)]);
    expect(cards(result)).toMatchObject([
      { cmd: 'cat evil', status: 'completed', exitCode: 0, rawEnd: 20, trusted: true },
    ]);
  });
});

describe('the text of the command', () => {
  const late = (cmd: string | null): BlockInput => ({ type: 'text', blockId: 'b0', cmd, source: 'screen' });

  test('comes late from the screen, while the block runs or after', () => {
    expect(cards(run([begin(0, null), late('make'), end(20, 0)]))).toMatchObject([
      { cmd: 'make', textSource: 'screen', exitCode: 0 },
    ]);
    expect(cards(run([begin(0, null), end(20, 0), late('make')]))).toMatchObject([
      { cmd: 'make', textSource: 'screen', exitCode: 0 },
    ]);
  });

  test('never replaces an exact one, nor comes twice', () => {
    expect(cards(run([begin(0, 'make'), late('other')]))).toMatchObject([{ cmd: 'make', textSource: 'hook' }]);
    expect(cards(run([begin(0, null), end(20, 0), late('make'), late('other')]))).toMatchObject([{ cmd: 'make' }]);
  });

  test('is what was sent as a whole line, when the shell does not say; the actor is who sent it', () => {
    const submit: BlockInput = { type: 'submit', cmd: 'make all', actor: 'agent:x' };
    expect(cards(run([prompt(0), submit, begin(5, null), end(20, 0), prompt(25), begin(30, null)]))).toMatchObject([
      { cmd: 'make all', textSource: 'typed', actor: 'agent:x' },
      { cmd: null, textSource: null, actor: 'user' },
    ]);
    expect(cards(run([prompt(0), submit, begin(5, 'make  all')]))).toMatchObject([
      { cmd: 'make  all', textSource: 'hook', actor: 'agent:x' },
    ]);
    expect(cards(run([prompt(0), { ...submit, cmd: 'a\nb' }, begin(5, null)]))).toMatchObject([
      { cmd: null, actor: 'agent:x' },
    ]);
  });

  test.each([
    ['a leading space', ' secret', [true]],
    ['no leading space', 'open', [false]],
  ])('with %s under ignorespace decides whether the card is recorded', (_, cmd, ephemeral) => {
    expect(cards(run([begin(0, cmd, { ignoresSpace: true })])).map((card) => card.ephemeral)).toEqual(ephemeral);
    const waiting = [begin(0, null, { ignoresSpace: true }), end(20, 0)];
    expect(cards(run(waiting)).map((card) => card.ephemeral)).toEqual([true]);
    expect(cards(run([...waiting, late(cmd)])).map((card) => card.ephemeral)).toEqual(ephemeral);
  });

  test('that nobody can tell leaves a card with no text, and recorded', () => {
    expect(cards(run([begin(0, null, { ignoresSpace: true }), end(20, 0), late(null)]))).toMatchObject([
      { cmd: null, ephemeral: false },
    ]);
  });
});

test.each([
  [0, undefined],
  [1, undefined],
  [128, undefined],
  [130, 'SIGINT'],
  [137, 'SIGKILL'],
  [143, 'SIGTERM'],
  [255, undefined],
  [-1, undefined],
  [null, undefined],
])('status %s tells of signal %s where the shell reports signals so', (status, signal) => {
  expect(cards(run([begin(0, 'x'), end(20, status)]))[0]?.signal).toBe(signal);
  expect(cards(run([begin(0, 'x'), end(20, status)], { reportsSignals: false }))[0]?.signal).toBeUndefined();
});

describe('output at the prompt', () => {
  const atPrompt = (cmd: string): BlockInput[] => [begin(0, cmd), end(10, 0), prompt(15), promptEnd(25)];

  test.each(['sleep 9; echo done &', '(sleep 5; date) & true; ls &', 'bg', 'make & # later', 'a &\nb', 'a & b'])(
    'after `%s` is a background block tied to it',
    (cmd) => {
      const result = run([
        ...atPrompt(cmd),
        out(28, 'do'),
        out(30, 'ne\r\n'),
        out(34, 'more'),
        { type: 'input', keys: 'x' },
        out(38, 'l'),
      ]);
      expect(cards(result)[1]).toMatchObject({
        kind: 'background',
        cmd: null,
        status: 'completed',
        trusted: true,
        rawStart: 28,
        rawEnd: 38,
        outputBytes: 10,
        seq: 2,
      });
      expect(texts(result)).toEqual([
        ['b5', 'done\r\n'],
        ['b5', 'more'],
      ]);
      expect(result.effects).toContainEqual({
        type: 'event',
        record: { type: 'backgroundOutput', blockId: 'b5', jobBlockIds: ['b0'], atMs: 1005 },
      });
    },
  );

  test.each([
    ['no job was started', atPrompt('ls && true'), 'done\r\n'],
    ['redirections and |& start no job', atPrompt('ls 2>&1 |& cat >&2 <&3 &> x'), 'done\r\n'],
    ['it is not a whole line', atPrompt('x &'), 'done'],
    ['the line editor repaints', atPrompt('x &'), '\r$ ls\r\n'],
    ['the cursor was moved back', atPrompt('x &'), 'a\bb\r\n'],
    ['only empty lines come', atPrompt('x &'), '\r\n\r\n'],
    ['someone has typed', [...atPrompt('x &'), { type: 'input', keys: 'x' } as BlockInput], 'echo\r\n'],
    [
      'a line was typed ahead, which the editor is yet to echo',
      [begin(0, 'x &'), { type: 'input', keys: 'echo a\r' }, end(10, 0), prompt(15), promptEnd(25)] as BlockInput[],
      'echo a\r\n',
    ],
    [
      'a theme draws the prompt again as the line is entered',
      [...atPrompt('x &'), { type: 'input', keys: 'ls\r' } as BlockInput, promptStart(28), promptEnd(30)],
      'ls\r\n',
    ],
    ['the prompt is still being drawn', [begin(0, 'x &'), end(10, 0), prompt(15)], 'Welcome\r\n'],
    ['the screen is being painted', [...atPrompt('x &'), { type: 'addressed', at: 28 } as BlockInput], 'text\r\n'],
  ])('makes no card when %s', (_, before, text) => {
    expect(cards(run([...before, out(30, text)]))).toHaveLength(1);
  });

  const typed = (keys: string): BlockInput => ({ type: 'input', keys });
  const promptAfter = (at: number): BlockInput[] => [end(at, 0), prompt(at + 5), promptEnd(at + 10)];

  test.each([
    ['a program has read typed lines', [begin(0, 'x & read'), typed('\rAda\r'), ...promptAfter(10)]],
    [
      'empty lines were entered',
      [...atPrompt('x &'), typed('\r'), ...promptAfter(30), typed('\r'), ...promptAfter(50)],
    ],
    [
      'the newest command shows that a program has read the line before it',
      [begin(0, 'read'), typed('\x1b:wq\r'), ...promptAfter(10), typed('x &\r'), begin(30, 'x &'), ...promptAfter(40)],
    ],
  ] as [string, BlockInput[]][])('still makes a card when %s', (_, before) => {
    expect(cards(run([...before, out(70, 'done\r\n')])).at(-1)).toMatchObject({ kind: 'background', outputBytes: 6 });
  });

  test.each(['\x1b[K\x1b[90C\x1b[31mright\x1b[39m\x1b[95D\x1b[?1h\x1b=\x1b[?2004h', '\x1b[9C日本\x1b[13D'])(
    'behind a right-hand prompt, however it is cut, makes a card: %j',
    (right) => {
      const text = `${right}from the job\r\n`;
      const whole = [...atPrompt('x &'), out(28, text)];
      const cut = [...Buffer.from(text)].map((byte, i) => ({
        ...out(28 + i, ' '),
        bytes: Uint8Array.of(byte),
      })) as BlockInput[];
      for (const inputs of [whole, [...atPrompt('x &'), ...cut]])
        expect(
          texts(run(inputs))
            .map(([, shown]) => shown)
            .join('')
            .replace(/\x1b(?:=|\[\?[0-9]+h)/g, ''),
        ).toBe('from the job\r\n');
    },
  );

  test.each(['\x1b[9Cab\x1b[10Dtext\r\n', '\x1b[9Cab\r\n', '\x1b[2Dab\r\n'])(
    'makes no card where the cursor does not come back: %j',
    (text) => {
      expect(cards(run([...atPrompt('x &'), out(28, text)]))).toHaveLength(1);
    },
  );

  test('after keys that edit is kept until the prompt is so old that it has taken them', () => {
    const edited = [begin(0, 'x & vi'), typed('\x1b:wq\r'), ...promptAfter(10), out(23, 'one\r\n'), out(28, 'two\r\n')];
    expect(cards(run(edited))).toHaveLength(1);
    expect(cards(run(edited, { stepMs: 600 }))[1]).toMatchObject({ kind: 'background', rawStart: 23, outputBytes: 10 });
  });

  test.each([
    ['', [begin(0, 'x &'), typed('for x in 1\r'), ...promptAfter(10)], undefined],
    [
      ' before the core came',
      [end(10, 0), prompt(15), promptEnd(20)],
      { jobBlockIds: ['b0'], jobOutput: [], keyedAt: 5, isLineBegun: false },
    ],
  ] as const)('does not have the echo of a line typed ahead%s that continues in the next one', (_, start, before) => {
    const inputs = [...start, out(23, 'for x in 1\r\n> '), out(37, 'one\r\n')];
    expect(cards(run(inputs, { stepMs: 600, before })).at(-1)).toMatchObject({ rawStart: 37, outputBytes: 5 });
  });

  test('does not have the echo of the second of two lines that were entered at once at an old prompt', () => {
    const old = [...atPrompt('x &'), promptEnd(27), promptEnd(29)];
    const entered = [typed('ls\r'), typed('\x15echo a &\r'), begin(40, 'ls'), ...promptAfter(60)];
    const inputs = [...old, ...entered, out(73, 'echo a &\r\n')];
    expect(cards(run(inputs, { stepMs: 500 }))).toHaveLength(2);
    const before = { jobBlockIds: ['b'], jobOutput: [], keyedAt: 20, isLineBegun: true };
    expect(cards(run(inputs, { stepMs: 500, before }))).toHaveLength(2);
  });

  test('ends at the next prompt or command', () => {
    const done = [...atPrompt('x &'), out(28, 'done\r\n')];
    expect(cards(run([...done, promptStart(34)]))[1]).toMatchObject({
      status: 'completed',
      rawEnd: 34,
      endedBy: 'prompt',
    });
    expect(cards(run([...done, begin(34, 'ls')])).map((card) => [card.kind, card.status])).toEqual([
      ['command', 'completed'],
      ['background', 'completed'],
      ['command', 'running'],
    ]);
  });
});

test('prompt, echo and what the prompt code prints belong to no block', () => {
  const result = run([
    prompt(0),
    out(5, '$ '),
    promptEnd(7),
    out(10, 'ls\r\n'),
    begin(14, 'ls'),
    out(24, 'file\r\n'),
    end(30, 0),
    out(35, 'fortune\r\n'),
    prompt(44),
  ]);
  expect(texts(result)).toEqual([['b4', 'file\r\n']]);
});

const anyInput: fc.Arbitrary<(at: number) => BlockInput> = fc.oneof(
  fc.constantFrom('text', 'a\r\n', '\x1b[K', '\r').map((text) => (at: number) => out(at, text)),
  fc.tuple(fc.constantFrom('ls', 'x &', null), fc.boolean()).map(
    ([cmd, trusted]) =>
      (at: number) =>
        begin(at, cmd, { trusted }),
  ),
  fc.tuple(fc.constantFrom(0, 1, 130, null), fc.boolean()).map(
    ([status, trusted]) =>
      (at: number) =>
        end(at, status, { trusted }),
  ),
  fc.constantFrom(prompt, promptStart, promptEnd),
  fc.constantFrom<((at: number) => BlockInput)[]>(
    (at) => ({ type: 'exit', at, exitCode: 1, signal: null }),
    (at) => ({ type: 'noMarks', at }),
    () => ({ type: 'input', keys: 'x' }),
    (at) => ({ type: 'altScreen', at, end: at + 1, on: true }),
    (at) => ({ type: 'addressed', at }),
    () => ({ type: 'text', blockId: 'b0', cmd: 'late', source: 'screen' }),
    () => ({ type: 'submit', cmd: 'typed', actor: 'user' }),
  ),
);

test('for any inputs: never two blocks run, numbers only grow, a closed block stays closed, output goes to the one that runs', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 40 }), (makers) => {
      let running: string | null = null;
      let seq = 0;
      const closed = new Set<string>();
      for (const effect of run(makers.map((make, i) => make(i * 20))).effects) {
        if (effect.type === 'open') {
          expect(running).toBeNull();
          expect(effect.block.seq).toBe(seq + 1);
          running = effect.block.id;
          seq = effect.block.seq;
        } else if (effect.type === 'close') {
          expect(effect.block.id).toBe(running);
          expect(effect.block.rawEnd).toBeGreaterThanOrEqual(effect.block.rawStart);
          expect(effect.block.status).not.toBe('running');
          closed.add(effect.block.id);
          running = null;
        } else if (effect.type === 'change') {
          expect(effect.block.status === 'running').toBe(!closed.has(effect.block.id));
        } else if (effect.type === 'output') expect(effect.blockId).toBe(running);
      }
    }),
    fuzzRuns(3000),
  );
});

test('for any session of a well-behaved shell: as many cards as commands, each with its text, status and bytes', () => {
  const command = fc.record({
    cmd: fc.string({ minLength: 1 }),
    exitCode: fc.integer({ min: 0, max: 255 }),
    output: fc.string(),
  });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
      let at = 0;
      const step = (input: BlockInput) => {
        at = 'end' in input ? input.end : at;
        return input;
      };
      const inputs = commands.flatMap(({ cmd, exitCode, output }) =>
        [
          prompt,
          promptStart,
          promptEnd,
          (from: number) => begin(from, cmd),
          (from: number) => out(from, output),
          (from: number) => end(from, exitCode),
        ].map((make) => step(make(at))),
      );
      expect(cards(run(inputs)).map(({ cmd, exitCode, outputBytes }) => ({ cmd, exitCode, outputBytes }))).toEqual(
        commands.map(({ cmd, exitCode, output }) => ({ cmd, exitCode, outputBytes: Buffer.byteLength(output) })),
      );
    }),
  );
});
