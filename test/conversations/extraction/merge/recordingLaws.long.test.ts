import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatLine, ChatMessage } from '../../../../src-main/contract/chat/chat.ts';
import { ExtractorFactory } from '../../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { isClearing } from '../../../../src-main/conversations/extraction/merge/sinceClear.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { findRecordings } from '../../../agents/compare/findRecordings.ts';
import { chatOfSteps, countedIds, stepsOfCast } from '../../../support/chatOfCast.ts';
import { notIn, readsOfSteps, said, thinned } from '../../../support/chatOfSteps.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures/agents/', import.meta.url));
/** Longer recordings with other ways of drawing. */
const CASTS = [
  { name: 'claude/claude-2.1.329-classic-100x30', agent: 'claude' },
  { name: 'claude/claude-2.1.329-hooks-100x30', agent: 'claude' },
  { name: 'gemini/gemini-0.61.0-inline-100x30', agent: 'gemini' },
].map(({ name, agent }) => ({ name, agent, cast: join(FIXTURES, `${name}.cast`) }));
/** Recordings of one run each, because between two runs the screen shows the shell. */
const RECORDED = findRecordings().flatMap(({ name, cast, expected: { agent, runs } }) =>
  runs.length === 1 ? [{ name, cast, agent }] : [],
);
/** Few runs per recording, because there are many recordings. */
const RUNS = fuzzRuns(5);
const factory = new ExtractorFactory();

describe.each([...CASTS, ...RECORDED])('$name', ({ cast, agent }) => {
  const extractor = factory.byName(agent);
  if (!extractor) throw new Error(`no extractor for ${agent}`);
  const steps = stepsOfCast(cast);
  const reads = readsOfSteps(steps, extractor);
  const beginning = { agent, cwd: null, blockId: null, at: 0, atMs: 0 };

  test('whoever looks less often records a part of it, in order, and nothing twice', () => {
    // A clearing command is always an event, but a message only if it was seen.
    const saidBy = (of: typeof steps) =>
      said(chatOfSteps(of, agent).session.messages).filter((message) => !isClearing(message));
    const full = saidBy(steps);
    const looks = fc.record({ often: fc.constantFrom(2, 5, 12, 40), shift: fc.nat(40) });
    fc.assert(
      fc.property(looks, ({ often, shift }) => {
        const some = thinned(steps, (at) => (at * 7919 + shift) % often === 0);
        expect(notIn(full, saidBy(some)).map(({ text }) => text)).toEqual([]);
      }),
      RUNS,
    );
  });

  test('a snapshot that is merged again adds nothing', () => {
    const session = new PtyChatSession('t', countedIds());
    session.begin(beginning);
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

  /** Restores a session and shows it the previous screen with the last draft, which no line contains. This adds no line. */
  function restored(lines: readonly ChatLine[], at: number, newId: () => string): PtyChatSession {
    const session = PtyChatSession.restore('t', lines, newId);
    const before = reads[at - 1];
    const draft = reads.slice(0, at).findLast(({ extraction }) => extraction.draft)?.extraction.draft;
    const extraction = before && { ...before.extraction, ...(draft && { draft }) };
    expect(extraction ? session.updateFromSnapshot(extraction, before.reading) : []).toEqual([]);
    return session;
  }

  /** All lines of a session that is restored before reading number `cut`. */
  function linesOf(cut: number): ChatLine[] {
    let given = 0;
    const newId = () => {
      given += 1;
      return `id${given}`;
    };
    let session = new PtyChatSession('t', newId);
    const lines = session.begin(beginning);
    reads.forEach(({ extraction, reading }, at) => {
      if (at === cut) session = restored(lines, at, newId);
      lines.push(...session.updateFromSnapshot(extraction, reading));
    });
    return lines;
  }
});
