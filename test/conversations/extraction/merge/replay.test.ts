import { expect, test } from 'vitest';
import type { ChatKind, ChatLine } from '../../../../src-main/contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../../src-main/contract/chat/extractor.ts';
import { doubtWords } from '../../../../src-main/contract/chat/leadText.ts';
import { ConversationList } from '../../../../src-main/conversations/extraction/conversations.ts';
import { pastOf } from '../../../../src-main/conversations/extraction/merge/replay.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../../support/chatOfCast.ts';

type Said = readonly [ChatKind, string];
const READING = { at: 1, atMs: 1, seq: 1, extractor: 'x', extractorVersion: 1 };
const FIRST: readonly Said[] = [
  ['user', 'hello'],
  ['model', 'Hello to you.'],
];
const SECOND: readonly Said[] = [
  ['user', 'and now'],
  ['model', 'Now it is done.'],
];
const LONG: readonly Said[] = [
  ['user', 'and now in many words'],
  ['model', 'Now it is done, and here are the many words of it.'],
];

/** Records a conversation per run, from the screens of the run. */
function recorded(...runs: (readonly Said[])[][]): { session: PtyChatSession; lines: ChatLine[] } {
  const session = new PtyChatSession('t', countedIds());
  const lines: ChatLine[] = [];
  for (const pictures of runs) {
    lines.push(...session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 }));
    for (const said of pictures) {
      const messages = said.map(([kind, text], at) => ({
        ...{ kind, text, fromRow: at, toRow: at + 1 },
        ...{ isHeadCut: false, isOpen: false, confidence: 1 },
      }));
      const shown = { messages, state: 'idle' as const, evidence: null, isCovered: false };
      lines.push(...session.updateFromSnapshot(shown, READING));
      expect(session.updateFromSnapshot(shown, READING)).toEqual([]);
    }
    lines.push(...session.end({ at: 1, atMs: 1 }));
  }
  return { session, lines };
}

const origins = ({ messages }: PtyChatSession) => messages.map(({ replayOf }) => replayOf);

test('history of a resumed conversation is linked to it, and counted once', () => {
  const { session, lines } = recorded([FIRST.slice(0, 1), FIRST], [FIRST, [...FIRST, ...SECOND.slice(0, 1)]]);
  const [first] = session.messages;
  expect(origins(session)).toEqual([undefined, undefined, first?.conversationId, first?.conversationId, undefined]);
  const list = new ConversationList((agent) => agent);
  for (const line of lines) list.apply(line);
  expect(list.all.map(({ messages, title }) => [messages, title])).toEqual([
    [2, 'hello'],
    [1, 'and now'],
  ]);
  expect(session.messages.map((message) => doubtWords(message)?.split(':')[0])).toEqual([
    undefined,
    undefined,
    'from an earlier conversation',
    'from an earlier conversation',
    undefined,
  ]);
});

test('a prompt alone is history where nothing was sent, and new where it was on the command line', () => {
  const { session } = recorded([FIRST], [FIRST.slice(0, 1)]);
  const [first] = session.messages;
  expect(origins(session)).toEqual([undefined, undefined, first?.conversationId]);
  session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2, argv: ['x', 'hello'] });
  session.updateFromSnapshot(shown(FIRST.slice(0, 1)), READING);
  expect(origins(session).at(-1)).toBeUndefined();
});

test('history that is drawn only once a prompt was sent is history, whatever piece of it comes first', () => {
  const whole = [...FIRST, ...SECOND];
  const next: readonly Said[] = [
    ['user', 'a third one'],
    ['model', 'The third is done as well.'],
  ];
  for (const piece of [whole.slice(0, 1), whole.slice(2, 3), whole.slice(3), whole]) {
    const { session } = recorded([FIRST, whole]);
    session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2 });
    session.sent('a third one');
    session.updateFromSnapshot(shown(piece), READING);
    session.updateFromSnapshot(shown([...piece, ...next]), READING);
    session.updateFromSnapshot(shown([...whole, ...next]), READING);
    const [first] = session.messages;
    const old = whole.map(() => first?.conversationId);
    expect(origins(session)).toEqual([...whole.map(() => undefined), ...old, undefined, undefined]);
  }
});

test('history that is drawn above the prompt that was sent is history', () => {
  const { session } = recorded([FIRST, [...FIRST, ...LONG]]);
  session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2 });
  session.sent('a third one');
  session.updateFromSnapshot(shown([['user', 'a third one']]), READING);
  session.updateFromSnapshot(shown([...LONG, ['user', 'a third one']]), READING);
  session.updateFromSnapshot(shown([...FIRST, ...LONG, ['user', 'a third one']]), READING);
  const [first] = session.messages;
  const old = Array.from({ length: 4 }, () => first?.conversationId);
  expect(origins(session).slice(4)).toEqual([...old, undefined]);
});

test('history is history where its answer was read with lines missing, also if a prompt was sent before it was drawn', () => {
  const words = (at: number) => ['lantern', 'orchard', 'velvet', 'saddle', 'kettle', 'marble'][at % 6];
  const lines = Array.from({ length: 40 }, (_, at) => `${at} ${words(at)} line ${at * 7} of an answer`);
  const read: Said = ['model', lines.filter((_, at) => at < 12 || at > 17).join('\n')];
  const drawn: Said = ['model', lines.slice(5).join('\n')];
  for (const sent of [null, 'another one']) {
    const { session } = recorded([[['user', 'hello'], read]]);
    session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2 });
    if (sent !== null) session.sent(sent);
    session.updateFromSnapshot(shown([drawn]), READING);
    session.updateFromSnapshot(shown([['user', 'hello'], drawn]), READING);
    const [first] = session.messages;
    expect(origins(session).slice(2)).toEqual([first?.conversationId, first?.conversationId]);
  }
});

test('another answer before the first prompt that was seen is no history', () => {
  const { session } = recorded([FIRST, [...FIRST, ...LONG]]);
  session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2 });
  session.sent('a third one');
  session.updateFromSnapshot(shown([['model', 'This is something that was not said before, in many words.']]), READING);
  expect(origins(session).at(-1)).toBeUndefined();
});

test('a prompt of before that may have been sent again is new: typed, begun in the box, or sent by keys that do not tell', () => {
  const sends = {
    typed: (session: PtyChatSession) => session.sent('hello'),
    'typed before another one': (session: PtyChatSession) => {
      session.sent('hello');
      session.sent('more');
    },
    'begun in the box': (session: PtyChatSession) => {
      session.updateFromSnapshot({ ...shown([]), draft: 'hel' }, READING);
      session.sent(null);
    },
    'not told': (session: PtyChatSession) => {
      session.sent('more');
      session.sent(null);
    },
  };
  for (const [name, send] of Object.entries(sends)) {
    const { session } = recorded([FIRST]);
    session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2 });
    send(session);
    session.updateFromSnapshot(shown(FIRST.slice(0, 1)), READING);
    expect(origins(session), name).toEqual([undefined, undefined, undefined]);
    const isKnown = name === 'typed';
    expect(session.messages.at(-1)?.doubtful?.reason, name).toBe(isKnown ? undefined : 'repeated');
  }
});

test('the end of a run in which nothing was asked is its own', () => {
  const { session } = recorded([FIRST], [FIRST, [...FIRST, ['exit', 'Bye.']]]);
  const [first] = session.messages;
  expect(origins(session).slice(2)).toEqual([first?.conversationId, first?.conversationId, undefined]);
});

test('several prompts at once before anybody typed are history of an unknown conversation', () => {
  const { session } = recorded([[...FIRST, ...SECOND]]);
  expect(origins(session)).toEqual([null, null, null, null]);
});

test('a /clear in the history begins no conversation', () => {
  const { session } = recorded([[...FIRST, ['command', '/clear'], ...SECOND]]);
  expect(session.events.map(({ type }) => type)).toEqual(['cli:newSession', 'cli:exit']);
});

test('a prompt that is said again, and its answer, are new', () => {
  const { session } = recorded([FIRST]);
  session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2 });
  session.sent('hello');
  session.updateFromSnapshot(shown(FIRST.slice(0, 1)), READING);
  session.updateFromSnapshot(shown(FIRST), READING);
  expect(origins(session)).toEqual([undefined, undefined, undefined, undefined]);
});

test('the first answer at once is new where no conversation ended so', () => {
  const { session } = recorded([FIRST], [SECOND]);
  expect(origins(session)).toEqual([undefined, undefined, undefined, undefined]);
});

test('a typed prompt that is answered at once is new, though it ended the conversation before', () => {
  const { session } = recorded([FIRST]);
  session.begin({ agent: 'x', cwd: null, blockId: null, at: 2, atMs: 2 });
  session.sent('hello');
  const messages = FIRST.map(([kind, text], at) => ({
    ...{ kind, text, fromRow: at, toRow: at + 1 },
    ...{ isHeadCut: false, isOpen: false, confidence: 1 },
  }));
  session.updateFromSnapshot({ messages, state: 'idle', evidence: null, isCovered: false }, READING);
  expect(origins(session)).toEqual([undefined, undefined, undefined, undefined]);
});

const shown = (said: readonly Said[], more: Partial<ExtractedMessage> = {}) => ({
  messages: said.map(([kind, text], at) => ({
    ...{ kind, text, fromRow: at, toRow: at + 1 },
    ...{ isHeadCut: false, isOpen: false, confidence: 1, ...more },
  })),
  ...{ state: 'idle' as const, evidence: null, isCovered: false },
});
const ANSWER = 'An answer that was said in another terminal, some time ago.';
const PAST: readonly Said[] = [
  ['user', 'elsewhere'],
  ['model', ANSWER],
];
const past = PAST.map(([kind, text]) => pastOf({ kind, text, conversationId: 'far' }));

/** A conversation that knows the messages of an earlier one. */
function resumed(argv: readonly string[] = []): PtyChatSession {
  const session = new PtyChatSession('t', countedIds());
  session.recall(past);
  session.begin({ agent: 'x', cwd: null, blockId: null, argv, at: 0, atMs: 0 });
  return session;
}

test('history that was said in another terminal is linked to the conversation there', () => {
  const session = resumed();
  session.updateFromSnapshot(shown(PAST), READING);
  session.updateFromSnapshot(shown([...PAST, ...FIRST]), READING);
  expect(origins(session)).toEqual(['far', 'far', undefined, undefined]);
});

test('what a resumed agent draws above its history later is history', () => {
  const session = resumed();
  session.updateFromSnapshot(shown([['model', ANSWER.slice(10)]], { isHeadCut: true }), READING);
  session.updateFromSnapshot(shown([['user', 'before'], ['notice', 'Interrupted'], ...PAST]), READING);
  expect(origins(session)).toEqual(['far', 'far', 'far', 'far']);
});

test('history that is drawn piece by piece is history from its first piece on', () => {
  const session = resumed();
  session.updateFromSnapshot(shown(PAST.slice(0, 1)), READING);
  session.updateFromSnapshot(shown(PAST), READING);
  expect(origins(session)).toEqual(['far', 'far']);
});

test('a prompt of the command line whose answer somebody got before is new', () => {
  const session = resumed(['x', 'elsewhere']);
  session.updateFromSnapshot(shown(PAST.slice(0, 1)), READING);
  session.updateFromSnapshot(shown(PAST), READING);
  expect(origins(session)).toEqual([undefined, undefined]);
});

test('a prompt that a resized screen draws without a piece of it is no new one', () => {
  const session = resumed();
  const prompt = 'write it down in the file of the harbour';
  session.sent(prompt);
  session.updateFromSnapshot(shown([['user', prompt]]), READING);
  session.updateFromSnapshot(shown([['user', 'write it down in the file of the har\nbou']]), READING);
  session.updateFromSnapshot(shown([['user', 'write it down in the'], FIRST[1] ?? ['model', '']]), READING);
  expect(session.messages.map(({ kind }) => kind)).toEqual(['user', 'model']);
  session.sent('write it down in the file');
  session.updateFromSnapshot(
    shown([['user', prompt], FIRST[1] ?? ['model', ''], ['user', 'write it down in the file']]),
    READING,
  );
  expect(session.messages.map(({ kind }) => kind)).toEqual(['user', 'model', 'user']);
});

test('a tool that is drawn before the rest of its history is history, and so is an answer drawn after it', () => {
  const tool: Said = ['toolCall', 'Read notes.txt'];
  const told = [...FIRST, ['user', 'read it'] as const, tool, ['model', 'It has been read.'] as const];
  const { session } = recorded([FIRST, told], [[tool], told.slice(0, -1), told]);
  const [first] = session.messages;
  const again = Array.from({ length: told.length }, () => first?.conversationId);
  expect(origins(session)).toEqual([...told.map(() => undefined), ...again]);
});
