import { describe, expect, test } from 'vitest';
import { waitsFor } from '../../../src-main/agents/sendReply.ts';
import type { ChatSnapshot, Extraction } from '../../../src-main/contract/chat/extractor.ts';
import { ExtractorFactory } from '../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { inputLine } from '../../../src-main/conversations/extraction/inputLine.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { rowOf } from '../../support/frames.ts';
import { playCast } from '../../support/snapshots.ts';

const FIXTURES = new URL('../../fixtures/agents/', import.meta.url);
const factory = new ExtractorFactory();

/** Why a prompt for an agent with this screen waits; null if it would be typed now. */
function blockedBy({ state, ...extraction }: Extraction): string | null {
  const agent = { conversationId: 'c', state };
  const terminal = {
    view: { agent },
    agents: { hasTerminal: true, run: { draft: inputLine(extraction) } },
  } as unknown as PtyInstance;
  return waitsFor(terminal, 'c');
}

/** The screens of a recording with an agent that takes a prompt. */
function readyScreens(agent: string, cast: string): ChatSnapshot[] {
  const extractor = factory.byName(agent);
  const ready: ChatSnapshot[] = [];
  playCast(new URL(cast, FIXTURES), ({ snapshot }) => {
    const extraction = extractor?.extract(snapshot);
    if (extraction && blockedBy(extraction) === null) ready.push(snapshot);
  });
  return ready;
}

/** The screen with its last row that matches changed. */
function changed({ rows, ...rest }: ChatSnapshot, [match, by]: readonly [RegExp, string]): ChatSnapshot {
  const at = rows.findLastIndex(({ text }) => match.test(text));
  return { ...rest, rows: rows.with(at, rowOf((rows[at]?.text ?? '').replace(match, by))) };
}

const CASES: readonly (readonly [agent: string, cast: string, change: readonly [RegExp, string]])[] = [
  ['claude', 'claude/2.1.329-short-turns/session.cast', [/^❯.*/, '! ']],
  ['codex', 'codex/0.169.0-short-turns/session.cast', [/^›.*/, '! ']],
  ['gemini', 'gemini/0.61.0-short-turns/session.cast', [/^ >.*/, ' !   Type your shell command']],
  ['copilot', 'copilot/1.0.102-short-turns/session.cast', [/^[❯┃](?= |$).*/, '!']],
  ['opencode', 'opencode/1.18.33-short-turns/session.cast', [/┃ {2}Build .*/, '┃  Shell']],
];

describe('a prompt for an agent whose input line is in shell mode', () => {
  test.each(CASES)('waits in %s, because it would run as a command', (agent, cast, change) => {
    const ready = readyScreens(agent, cast);
    expect(ready.length).toBeGreaterThan(0);
    for (const screen of ready) {
      const extraction = factory.byName(agent)?.extract(changed(screen, change));
      expect(extraction && [extraction.draft, blockedBy(extraction)]).toEqual(['', 'draft']);
    }
  });

  test('waits in a recording from the first key on', () => {
    const isShell = ({ rows }: ChatSnapshot) => rows.slice(-6).some(({ text }) => /^! /.test(text));
    const ready = readyScreens('claude', 'claude/claude-2.1.329-classic-100x30.cast');
    expect(ready.length).toBeGreaterThan(0);
    expect(ready.filter(isShell)).toEqual([]);
  });
});
