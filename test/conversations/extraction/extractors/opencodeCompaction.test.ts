import { expect, test } from 'vitest';
import { opencode } from '../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

/** A screen of version 1.18.33 with 80 columns. */
const SCREEN = `  ┃
  ┃  first question
  ┃

     This is the first answer.

     ▣  Build · Mock Model · 3.4s

  ──────────────────────────────── Compaction ────────────────────────────────

     A summary of what was said.

     ▣  Compaction · Mock Model · 429ms

  ┃
  ┃
  ┃
  ┃  Build · Mock Model Mock
  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
   /home/u/project                                        120  ctrl+p commands`;

test('the summary of a conversation that was compacted is a notice, no answer', () => {
  const { messages } = opencode.extract(plainSnapshot(SCREEN));
  expect(messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'user: first question',
    'model: This is the first answer.',
    'notice: A summary of what was said.',
  ]);
});
