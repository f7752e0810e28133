import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openQuestion, type Seal, sealQuestion } from '../../../src-main/mcp/elicitation/questionState.ts';

const QUESTION = { approval: 'a-1', block: 'q-1', hash: 'f'.repeat(64) };
const seal = (change: Partial<Seal['caller']> = {}, key = 'ab'.repeat(32)): Seal => ({
  key,
  caller: { connectionId: 'c1', name: 'one', ...change },
});
const REFUSED = { code: 'APPROVAL_EXPIRED' };

test('opens for the connection and the client that it was sealed for, and for no other', async () => {
  const state = await sealQuestion(QUESTION, seal());
  expect(await openQuestion(state, seal())).toEqual(QUESTION);
  await expect(openQuestion(state, seal({ connectionId: 'c2' }))).rejects.toMatchObject(REFUSED);
  await expect(openQuestion(state, seal({ name: 'two' }))).rejects.toMatchObject(REFUSED);
});

test('a core that was started since opens nothing of the one before', async () => {
  const state = await sealQuestion(QUESTION, seal());
  await expect(openQuestion(state, seal({}, 'cd'.repeat(32)))).rejects.toMatchObject(REFUSED);
});

test('no character of it can be another one', async () => {
  const state = await sealQuestion(QUESTION, seal());
  const other = fc.constantFrom(...'ABCXYZabcxyz0189-_.');
  await fc.assert(
    fc.asyncProperty(fc.nat(state.length - 1), other, async (at, char) => {
      const changed = state.slice(0, at) + char + state.slice(at + 1);
      // some bits of the last base64 character are unused
      fc.pre(
        Buffer.from(changed.split('.').at(-1) ?? '', 'base64url').compare(macOf(state)) !== 0 || at < bodyEnd(state),
      );
      fc.pre(changed !== state);
      await expect(openQuestion(changed, seal())).rejects.toMatchObject(REFUSED);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test.each(['', 'v1.', 'v1.e30.e30', 'x'.repeat(10_000), 'v1..'])('%j opens nothing', async (state) => {
  await expect(openQuestion(state, seal())).rejects.toMatchObject(REFUSED);
});

const bodyEnd = (state: string): number => state.lastIndexOf('.');
const macOf = (state: string): Buffer => Buffer.from(state.slice(bodyEnd(state) + 1), 'base64url');
