import { describe, expect, test } from 'vitest';
import type { ChatLine } from '../../src-main/contract/chat/chat.ts';
import { PtyDataProcessor } from '../../src-main/events/PtyDataProcessor.ts';
import { ImportedChats, type PlacedMark, titleOf } from '../../src-main/recordings/importChats.ts';
import { openRecording } from '../../src-main/recordings/openRecording.ts';
import { PlaybackClock } from '../../src-main/recordings/PlaybackClock.ts';
import { ROOT } from '../support/sourceFiles.ts';

const MIXED = `${ROOT}/test/fixtures/recordings/mixed-shell-gemini-codex-100x30.cast`;

/** The lines that an import of the recording writes to chat.jsonl. */
async function chatsOf(path: string, agent?: string): Promise<ChatLine[]> {
  const recording = await openRecording(path, {});
  let made = 0;
  const newId = (): string => {
    made += 1;
    return `id${made}`;
  };
  const chats = new ImportedChats({ id: 't1', agent, startMs: recording.startMs, size: recording, newId });
  const events = new PtyDataProcessor({ hostName: 'here' });
  try {
    for await (const event of recording.events) {
      if (event.type === 'resize') chats.resize(event, event.atMs);
      if (event.type !== 'output') continue;
      const marks: PlacedMark[] = [];
      for (const mark of events.feed({ bytes: event.bytes, nonceAt: [] }, event.atMs))
        if (mark.type === 'begin' || mark.type === 'end' || mark.type === 'prompt')
          marks.push({ event: mark, blockId: 'b1' });
      chats.feed(event.bytes, marks, event.atMs);
    }
    return chats.end();
  } finally {
    chats.dispose();
  }
}

describe('conversations of a recording', () => {
  test('two agents with shell commands between them are two conversations, found by their screens', async () => {
    const lines = await chatsOf(MIXED);
    const told = lines.flatMap((line) => ('kind' in line ? [] : [[line.type, line.conversationId, line.agent]]));
    const [first, , second] = told.map(([, id]) => id);
    expect(told.filter(([type]) => type !== 'cli:resize')).toEqual([
      ['cli:newSession', first, 'gemini'],
      ['cli:exit', first, undefined],
      ['cli:newSession', second, 'codex'],
      ['cli:exit', second, undefined],
    ]);
    const asked = lines.filter((line) => 'kind' in line && line.kind === 'user');
    expect(asked.map((line) => [line.conversationId, 'text' in line && line.text])).toEqual([
      [first, 'hello there'],
      [second, 'hello there'],
    ]);
  });

  test('is the same each time, whatever the machine is busy with', async () => {
    expect(await chatsOf(MIXED)).toEqual(await chatsOf(MIXED));
  });

  test('a recording without an agent has none', async () => {
    for (const name of ['less', 'vim', 'htop', 'fish', 'tmux'])
      expect(await chatsOf(`${ROOT}/test/fixtures/recordings/${name}.raw`)).toEqual([]);
  });
});

describe('PlaybackClock', () => {
  test('what falls due on the way runs at its moment, in order; it never goes back', () => {
    const clock = new PlaybackClock(1000);
    const ran: [string, number][] = [];
    const note = (name: string) => () => ran.push([name, clock.monotonicMs()]);
    clock.after(30, note('late'));
    clock.after(10, () => {
      note('early')();
      clock.after(5, note('chained'));
    });
    clock.after(20, note('never')).dispose();
    clock.moveTo(1020);
    clock.moveTo(900);
    clock.pass(15);
    expect(ran).toEqual([
      ['early', 10],
      ['chained', 15],
      ['late', 30],
    ]);
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1020, 35]);
  });
});

test.each([
  [MIXED, '/home/ada/harbour', /^Gemini CLI, Codex.* in harbour$|^Codex.*, Gemini CLI in harbour$/],
  [MIXED, '/', /^(?!.* in ).*(Gemini|Codex)/],
  [`${ROOT}/test/fixtures/recordings/vim.raw`, '/home/ada', /^null$/],
])('%s in %s is called by its agents and its folder', async (path, cwd, wanted) => {
  expect(String(titleOf(await chatsOf(path), cwd))).toMatch(wanted);
});
