import { describe, expect, test } from 'vitest';
import { gatherCast } from '../../../../src-renderer/cards/card/saveCast.ts';
import type { CastListener } from '../../../../src-renderer/rpc/Rpc.ts';

function source() {
  const opened: { on: CastListener; what: unknown; isStopped: boolean }[] = [];
  const cast = (what: { id: string; blockId?: string }, on: CastListener) => {
    const one = { on, what, isStopped: false };
    opened.push(one);
    return () => {
      one.isStopped = true;
    };
  };
  return { cast, opened };
}

describe('a recording is gathered', () => {
  test('from its start to its end, and the subscription ends with it', async () => {
    const { cast, opened } = source();
    const gathered = gatherCast({ cast }, { id: 't1', blockId: 'b2-x' });
    const [one] = opened;
    for (const piece of [
      { type: 'start' },
      { type: 'text', text: 'head\n' },
      { type: 'text', text: '[1]\n' },
      { type: 'end', lost: 'lacks 5 bytes' },
    ] as const)
      one?.on.onPiece(piece);
    const { content, lost } = await gathered;
    expect([await content.text(), lost]).toEqual(['head\n[1]\n', 'lacks 5 bytes']);
    expect(one).toMatchObject({ what: { id: 't1', blockId: 'b2-x' }, isStopped: true });
  });

  test('once, when a lost connection made it begin anew', async () => {
    const { cast, opened } = source();
    const gathered = gatherCast({ cast }, { id: 't1' });
    const text = { type: 'text', text: 'x'.repeat(5 * 1024 * 1024) } as const;
    const half = [{ type: 'start' }, text, text] as const;
    for (const piece of [...half, ...half, { type: 'end' } as const]) opened[0]?.on.onPiece(piece);
    expect((await gathered).content.size).toBe(2 * text.text.length);
  });

  test('not at all, when it fails', async () => {
    const { cast, opened } = source();
    const gathered = gatherCast({ cast }, { id: 't1' });
    opened[0]?.on.onPiece({ type: 'start' });
    opened[0]?.on.onError(new Error('the disk refused'));
    await expect(gathered).rejects.toThrow('the disk refused');
    expect(opened[0]?.isStopped).toBe(true);
  });
});
