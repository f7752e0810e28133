import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claude } from '../../../src-main/chat/extractors/agents/claude.ts';
import { PtyChatSession } from '../../../src-main/chat/PtyChatSession.ts';
import type { ChatLine, ChatMessage } from '../../../src-main/contract/chat.ts';
import { chatOfSteps, countedIds, stepsOfCast } from '../../support/chatOfCast.ts';
import { notIn, readsOfSteps, said, thinned } from '../../support/chatOfSteps.ts';

const FIXTURES = new URL('../../fixtures/agents/', import.meta.url);
const CASTS = [
  'claude-2.1.329-default-100x30.cast',
  'claude/claude-2.1.329-classic-100x30.cast',
  'claude/claude-2.1.329-hooks-100x30.cast',
];
const BEGINNING = { agent: 'claude', cwd: null, blockId: null, at: 0, atMs: 0 };
const RUNS = { numRuns: 8 };

describe.each(CASTS)('%s', (cast) => {
  const steps = stepsOfCast(new URL(cast, FIXTURES));
  const full = said(chatOfSteps(steps, 'claude').session.messages);
  const reads = readsOfSteps(steps, claude);

  test('whoever looks less often records a part of it, in order, and nothing twice', () => {
    const looks = fc.record({ often: fc.constantFrom(2, 5, 12, 40), shift: fc.nat(40) });
    fc.assert(
      fc.property(looks, ({ often, shift }) => {
        const some = thinned(steps, (at) => (at * 7919 + shift) % often === 0);
        expect(notIn(full, said(chatOfSteps(some, 'claude').session.messages)).map(({ text }) => text)).toEqual([]);
      }),
      RUNS,
    );
  });

  test('a snapshot that is merged again adds nothing', () => {
    const session = new PtyChatSession('t', countedIds());
    session.begin(BEGINNING);
    for (const { extraction, reading } of reads) {
      session.updateFromSnapshot(extraction, reading);
      expect(session.updateFromSnapshot(extraction, reading)).toEqual([]);
    }
  });

  test('restored from its lines at any moment it goes on as if nothing had happened', () => {
    const whole = linesOf(reads.length);
    fc.assert(
      fc.property(fc.nat(reads.length), (cut) => {
        expect(linesOf(cut)).toEqual(whole);
      }),
      RUNS,
    );
  });

  test('its messages are the last version of each line', () => {
    const byId = new Map<string, ChatMessage>();
    for (const line of linesOf(reads.length)) if ('kind' in line) byId.set(line.id, line);
    const session = PtyChatSession.restore('t', linesOf(reads.length), countedIds());
    expect(session.messages).toEqual([...byId.values()].sort((a, b) => a.order - b.order));
  });

  /** All lines of a session that is restored before read `cut`. */
  function linesOf(cut: number): ChatLine[] {
    let given = 0;
    const newId = () => {
      given += 1;
      return `id${given}`;
    };
    let session = new PtyChatSession('t', newId);
    const lines = session.begin(BEGINNING);
    reads.forEach(({ extraction, reading }, at) => {
      if (at === cut) session = PtyChatSession.restore('t', lines, newId);
      lines.push(...session.updateFromSnapshot(extraction, reading));
    });
    return lines;
  }
});
