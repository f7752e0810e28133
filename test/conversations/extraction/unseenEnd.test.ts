import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatLine } from '../../../src-main/contract/chat/chat.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';
import { unseenEnd } from '../../../src-main/conversations/extraction/unseenEnd.ts';
import { chatOfCast } from '../../support/chatOfCast.ts';

const CAST = fileURLToPath(new URL('../../fixtures/agents/claude/claude-2.1.329-classic-100x30.cast', import.meta.url));
const { lines } = chatOfCast(CAST, 'claude');

/** The last version of each line in order, as a reader of the file gets them. */
function latest(of: readonly ChatLine[]): ChatLine[] {
  return [...new Map(of.map((line) => [line.id, line])).values()].sort((a, b) => a.order - b.order);
}

function listed(of: readonly ChatLine[]) {
  const list = new ConversationList((agent) => agent);
  for (const line of of) list.apply(line);
  return list.all;
}

const cut = fc.nat(lines.length).map((count) => lines.slice(0, count));

test('wherever a record was cut short, all its conversations have ended, and nothing is still being said', () => {
  fc.assert(
    fc.property(cut, (kept) => {
      const whole = latest([...kept, ...unseenEnd('cast', latest(kept))]);
      expect(listed(whole).filter(({ endedMs }) => endedMs === null)).toEqual([]);
      expect(whole.filter((line) => 'kind' in line && !line.final)).toEqual([]);
      expect(unseenEnd('cast', whole)).toEqual([]);
    }),
  );
});

test('its end is no later than what is known of it, and says that nobody saw it', () => {
  fc.assert(
    fc.property(cut, (kept) => {
      const exits = unseenEnd('cast', latest(kept)).filter((line) => 'type' in line);
      const lastMs = Math.max(0, ...kept.map((line) => ('kind' in line ? line.updatedMs : line.atMs)));
      const isEnded = kept.length === 0 || kept.length === lines.length;
      expect(exits).toMatchObject(isEnded ? [] : [{ type: 'cli:exit', isUnseen: true, atMs: lastMs }]);
    }),
  );
});

test('what was said stays as it was said', () => {
  fc.assert(
    fc.property(cut, (kept) => {
      const before = latest(kept);
      const after = new Map(unseenEnd('cast', before).map((line) => [line.id, line]));
      const said = before.flatMap((line) => ('kind' in line ? [line] : []));
      expect(said.map((line) => after.get(line.id) ?? line)).toEqual(said.map((line) => ({ ...line, final: true })));
    }),
  );
});

test('told by two who do not know of each other it is one line', () => {
  const kept = latest(lines.slice(0, lines.length / 2));
  expect(unseenEnd('cast', kept)).toEqual(unseenEnd('cast', kept));
});
