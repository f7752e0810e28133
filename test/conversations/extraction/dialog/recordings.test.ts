import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChatSnapshot, Extraction, ScreenStep } from '../../../../src-main/contract/chat/extractor.ts';
import { type Dialog, findDialog } from '../../../../src-main/conversations/extraction/dialog/findDialog.ts';
import { ExtractorFactory } from '../../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { RowTimeline } from '../../../../src-main/conversations/extraction/merge/RowTimeline.ts';
import { isWaiting } from '../../../../src-main/conversations/extraction/status/Evidence.ts';
import { findRecordings } from '../../../agents/compare/findRecordings.ts';
import { chatOfSteps, stepsOfCast } from '../../../support/chatOfCast.ts';
import { FakeClock } from '../../../support/FakeClock.ts';

const AGENTS = new URL('../../../fixtures/agents', import.meta.url).pathname;
const FOUND = join(AGENTS, 'found');
const NAMES = /(claude|codex|gemini|copilot|opencode|qwen)/;
/** Longest time from a question or an answer to its screen. */
const DRAWN_MS = 700;
/** Recordings whose questions have no row or column of options, or keys in several columns; the agent's own file reads them. */
const WITHOUT_OPTIONS = ['opencode/1.18.33-left-waiting-w60-resized'];

interface Seen {
  readonly step: ScreenStep;
  readonly dialog: Dialog | null;
  readonly extraction: Extraction;
}

/** The results of the detector and of the agent's extractor for each screen of a recording. */
function seenIn(cast: string): Seen[] {
  const agent = NAMES.exec(cast.slice(AGENTS.length))?.[1] ?? 'generic';
  const extractor = new ExtractorFactory().byName(agent);
  if (!extractor) throw new Error(`no extractor for ${cast}`);
  const { body, mask } = extractor;
  const tape = new RowTimeline({ ...(body && { body }), ...(mask && { mask }) });
  return stepsOfCast(cast).map((step) => {
    const snapshot: ChatSnapshot = tape.take(step);
    const extraction = extractor.extract(snapshot);
    tape.settle(extraction.isCovered);
    return { step, dialog: findDialog(snapshot), extraction };
  });
}

/** The options of each question; equal options in a row count once. */
function optionsIn(seen: readonly Seen[]): string[] {
  const told = seen.flatMap(({ dialog }) => dialog?.options.map((label) => label.slice(0, 24)).join(' | ') ?? []);
  return told.filter((options, at) => options !== told[at - 1]);
}

describe.each(findRecordings())('$name', ({ name, cast, expected }) => {
  const startMs = new FakeClock().nowMs();
  const asked = expected.states.flatMap((state, at) =>
    isWaiting(state.state)
      ? [{ fromMs: state.atMs, toMs: expected.states[at + 1]?.atMs ?? Number.POSITIVE_INFINITY }]
      : [],
  );

  test(`${asked.length} questions are found by their shape, and no other`, () => {
    const seen = seenIn(cast).filter(({ dialog }) => dialog !== null);
    const atMs = seen.map(({ step }) => step.atMs - startMs);
    const others = atMs.filter(
      (ms) => !asked.some(({ fromMs, toMs }) => ms >= fromMs - DRAWN_MS && ms <= toMs + DRAWN_MS),
    );
    const missed = asked.filter(({ fromMs, toMs }) => !atMs.some((ms) => ms >= fromMs - DRAWN_MS && ms <= toMs));
    expect({ others, missed: WITHOUT_OPTIONS.includes(name) ? [] : missed }).toEqual({ others: [], missed: [] });
  });
});

describe.each(
  globSync(`${AGENTS}/**/*.cast`)
    .filter((path) => basename(path) !== 'session.cast')
    .sort(),
)('%s', (cast) => {
  test('no screen with an input box that is empty and nothing above it is a question', () => {
    const wrong = seenIn(cast).filter(
      ({ dialog, extraction }) => dialog !== null && extraction.draft !== undefined && !isWaiting(extraction.state),
    );
    expect(wrong.map(({ step, dialog }) => [step.at, dialog?.options])).toEqual([]);
  });
});

describe('questions that were not seen in November', () => {
  test('Claude Code: previews taller than the screen, questions of its own, plan mode', () => {
    expect(optionsIn(seenIn(join(FOUND, 'dialogs-claude-2.1.329-36.cast')))).toMatchInlineSnapshot(`
      [
        "Yes | Yes, and switch to accep | No",
        "Yes | Yes, and don't ask again | Yes, and switch to auto  | No",
        "Red | Blue | Type something. | Chat about this",
        "[ ] Small | [ ] Large | [ ] Type something | Chat about this",
        "[✔] Small | [ ] Large | [ ] Type something | Chat about this",
        "Submit answers | Cancel",
        "Yes, and switch to defau | No",
      ]
    `);
  });

  test('Gemini CLI: a potential loop, in its alternate buffer', () => {
    expect(optionsIn(seenIn(join(FOUND, 'rich1-gemini-0.61.0-104-alt.cast')))).toMatchInlineSnapshot(`
      [
        "Keep loop detection enab | Disable loop detection f",
      ]
    `);
  });

  test('while a question is on the screen the state is one of waiting and no row of it is a message', () => {
    const steps = stepsOfCast(join(FOUND, 'dialogs-claude-2.1.329-36.cast'));
    const { session } = chatOfSteps(steps, 'claude');
    const said = session.messages.filter(({ kind }) => kind === 'user' || kind === 'model').map(({ text }) => text);
    expect(said).toMatchInlineSnapshot(`
      [
        "write a file of sixty lines",
        "Sixty now.",
        "Sixty lines are written.",
        "write a file of ten lines",
        "Ten now.",
        "Ten lines are written.",
        "run the long shell script",
        "A long script.",
        "Forty files.",
        "ask me two things",
        "Two questions.",
        "So be it.",
        "plan the new feature",
        "My plan is ready.",
        "I begin with the flag.",
      ]
    `);
    expect(
      session.messages.filter(({ kind }) => kind === 'permission').map(({ text }) => text.split('\n')[0]),
    ).toMatchInlineSnapshot(`
      [
        "…",
        "Create file",
        "…",
        "←  ☐ Colour  ☐ Sizes  ✔ Submit  →",
        "←  ☒ Colour  ☒ Sizes  ✔ Submit  →",
        "←  ☒ Colour  ☒ Sizes  ✔ Submit  →",
        "Exit plan mode?",
      ]
    `);
  });
});
