import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BlockInput } from '../../../src-main/blocks/BlockState.ts';
import type { ShellBefore } from '../../../src-main/blocks/ShellBefore.ts';
import type { Block } from '../../../src-main/contract/block.ts';
import { shellBefore } from '../../../src-main/terminal/blocks/shellBefore.ts';
import { begin, cards, end, out, prompt, promptEnd, run } from '../../blocks/blockInputs.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

/** Keys of a person, or an input at an offset. */
type Step = { readonly keys: string } | ((at: number) => BlockInput);

const JOB = (at: number) => out(at, 'from the job\r\n');
const HALF = (at: number) => out(at, 'and ');
const ECHO = (at: number) => out(at, 'ls');
const REMOVED = { keys: 'ls\x15' };
/** While a command runs: the next prompt has it. */
const AHEAD = { keys: 'l' };

const command = fc
  .tuple(
    fc.constantFrom('ls', 'x &'),
    fc.array(fc.constantFrom<Step[]>([JOB], [HALF, JOB], [REMOVED, ECHO]), { maxLength: 3 }),
    fc.boolean(),
    fc.constantFrom<Step[]>([], [AHEAD]),
  )
  .map(([cmd, idle, isTyped, ahead]): Step[] => [
    prompt,
    promptEnd,
    ...idle.flat(),
    ...(isTyped || idle.flat().includes(REMOVED) ? [{ keys: `${cmd}\r` }, (at: number) => out(at, `${cmd}\r\n`)] : []),
    (at) => begin(at, cmd),
    (at) => out(at, 'printed\r\n'),
    ...ahead,
    (at) => out(at, 'more\r\n'),
    (at) => end(at, 0),
  ]);

/** So slow that no line typed ahead is in doubt. */
const SLOW = { stepMs: 2_000 };

interface Session {
  readonly inputs: readonly BlockInput[];
  /** Offsets at which each of them comes. */
  readonly offsets: readonly number[];
  /** Offset at the step `next`. */
  readonly end: number;
}

/** No key comes from the step `death` to the step `next`, because no core is there. */
function sessionOf(steps: readonly Step[], death: number, next: number): Session {
  const inputs: BlockInput[] = [];
  const offsets: number[] = [];
  let at = 0;
  let end = 0;
  steps.forEach((step, i) => {
    const isAway = i >= death && i < next;
    if ('keys' in step && isAway) return;
    const input: BlockInput = 'keys' in step ? { type: 'input', ...step } : step(at);
    offsets.push(at);
    inputs.push(input);
    at = 'end' in input ? input.end : at;
    if (i < next) end = at;
  });
  return { inputs, offsets, end };
}

interface Lives {
  /** Cards that a core without an end would have made. */
  readonly whole: readonly Block[];
  /** Cards of the earlier core before the output that the next one reads. */
  readonly blocks: readonly Block[];
  /** Its cards in that output. */
  readonly earlier: readonly Block[];
  /** Offset at which the next core comes. */
  readonly end: number;
  readonly keyedAt: number;
  readonly isLineBegun: boolean;
  /** Cards of the next core, which knows this. */
  next(before: ShellBefore): Block[];
}

/** Undefined before the first prompt, where nothing can be continued. */
const lives = fc
  .tuple(fc.array(command, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat())
  .map(([commands, one, other]): Lives | undefined => {
    const steps = commands.flat();
    const [death, next] = [one % steps.length, other % steps.length].sort((a, b) => a - b) as [number, number];
    const { inputs, offsets, end } = sessionOf(steps, death, next);
    const seen = inputs.slice(0, death);
    const from = seen.findLastIndex(({ type }) => type === 'prompt');
    const keep = offsets[from];
    if (keep === undefined) return undefined;
    const before = cards(run(seen, SLOW));
    const earlier = before.filter(({ rawStart }) => rawStart >= keep);
    const nextSeq = earlier[0]?.seq ?? (before.at(-1)?.seq ?? 0) + 1;
    const again = inputs.filter((input, i) => i >= from && (i >= death || input.type !== 'input'));
    return {
      ...{ end, earlier, whole: cards(run(inputs, SLOW)) },
      blocks: before.filter(({ rawStart }) => rawStart < keep),
      keyedAt: offsets[seen.findLastIndex(({ type }) => type === 'input')] ?? -1,
      isLineBegun: run(seen, SLOW).state.typed.rest !== '',
      next: (known) => cards(run(again, { ...SLOW, nextSeq, before: known })),
    };
  });

const shown = (all: readonly Block[]) =>
  all.map(({ seq, kind, cmd, rawStart, rawEnd }) => ({ seq, kind, cmd, rawStart, rawEnd }));

test('a core that continues a shell makes the cards which the earlier one would have made, of jobs too', () => {
  fc.assert(
    fc.property(lives, (life) => {
      if (!life) return;
      const before = shellBefore(life, { ...life, start: 0 });
      expect(shown([...life.blocks, ...life.next(before)])).toEqual(shown(life.whole));
    }),
    fuzzRuns(3000),
  );
});

test('with a PTY host that knows less of keys it makes no other cards, and none of the earlier core is lost', () => {
  const place = ({ kind, rawStart }: Block) => `${kind} ${rawStart}`;
  fc.assert(
    fc.property(lives, (life) => {
      if (!life) return;
      for (const keys of [{}, { keyedAt: life.keyedAt }]) {
        const made = [...life.blocks, ...life.next(shellBefore(life, { ...keys, start: 0, end: life.end }))].map(place);
        expect(life.whole.map(place)).toEqual(expect.arrayContaining(made));
        expect(made).toEqual(expect.arrayContaining(life.earlier.map(place)));
      }
    }),
    fuzzRuns(3000),
  );
});

test('a card of a job ends where a key came, although its end was not recorded', () => {
  const all = [prompt(0), promptEnd(5), out(8, 'from the job\r\n'), out(22, 'ls'), promptEnd(24), out(27, 'ls\r\n')];
  const job = { ...cards(run([begin(0, 'x &'), end(10, 0)]))[0], rawStart: -9 } as Block;
  const running = { ...job, kind: 'background', status: 'running', rawStart: 8, rawEnd: null } as const;
  const keys = { start: -10, end: 22, keyedAt: 22, isLineBegun: true };
  const before = shellBefore({ blocks: [job], earlier: [running] }, keys);
  const made = cards(run(all, { ...SLOW, before }));
  expect(made.map(({ kind, rawStart, rawEnd }) => ({ kind, rawStart, rawEnd }))).toEqual([
    { kind: 'background', rawStart: 8, rawEnd: 22 },
  ]);
});
