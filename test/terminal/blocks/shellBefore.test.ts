import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BlockInput } from '../../../src-main/blocks/BlockState.ts';
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

const command = fc
  .tuple(
    fc.constantFrom('ls', 'x &'),
    fc.array(fc.constantFrom<Step[]>([JOB], [HALF, JOB], [REMOVED, ECHO]), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([cmd, idle, isTyped]): Step[] => [
    prompt,
    promptEnd,
    ...idle.flat(),
    ...(isTyped ? [{ keys: `${cmd}\r` }, (at: number) => out(at, `${cmd}\r\n`)] : []),
    (at) => begin(at, cmd),
    (at) => out(at, 'printed\r\n'),
    (at) => end(at, 0),
  ]);

/** So slow that no line typed ahead is in doubt. */
const SLOW = { stepMs: 2_000 };

interface Session {
  readonly inputs: readonly BlockInput[];
  /** Offsets at which each of them comes. */
  readonly offsets: readonly number[];
}

/** No key comes from the step `death` to the step `next`, because no core is there. */
function sessionOf(steps: readonly Step[], death: number, next: number): Session {
  const inputs: BlockInput[] = [];
  const offsets: number[] = [];
  let at = 0;
  steps.forEach((step, i) => {
    const isAway = i >= death && i < next;
    if ('keys' in step && isAway) return;
    const input: BlockInput = 'keys' in step ? { type: 'input', ...step } : step(at);
    offsets.push(at);
    inputs.push(input);
    at = 'end' in input ? input.end : at;
  });
  return { inputs, offsets };
}

const shown = (blocks: readonly Block[]) =>
  blocks.map(({ seq, kind, cmd, rawStart, rawEnd }) => ({ seq, kind, cmd, rawStart, rawEnd }));

test('a core that continues a shell makes the cards which the earlier one would have made, of jobs too', () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(), (commands, one, other) => {
      const steps = commands.flat();
      const [death, next] = [one % steps.length, other % steps.length].sort((a, b) => a - b) as [number, number];
      const { inputs, offsets } = sessionOf(steps, death, next);
      const seen = inputs.slice(0, death);
      const from = seen.findLastIndex(({ type }) => type === 'prompt');
      if (from < 0) return; // before the first prompt nothing can be continued
      const keep = offsets[from] ?? 0;
      const before = cards(run(seen, SLOW));
      const blocks = before.filter(({ rawStart }) => rawStart < keep);
      const earlier = before.filter(({ rawStart }) => rawStart >= keep);
      const lastKey = seen.findLastIndex(({ type }) => type === 'input');
      const known = { start: 0, end: offsets[death] ?? keep, keyedAt: lastKey < 0 ? -1 : (offsets[lastKey] ?? 0) };
      const again = inputs.filter((input, i) => i >= from && (i >= death || input.type !== 'input'));
      const nextSeq = earlier[0]?.seq ?? (before.at(-1)?.seq ?? 0) + 1;
      const continued = run(again, { ...SLOW, nextSeq, before: shellBefore({ blocks, earlier }, known) });
      expect(shown([...blocks, ...cards(continued)])).toEqual(shown(cards(run(inputs, SLOW))));
    }),
    fuzzRuns(3000),
  );
});
