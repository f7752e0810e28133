import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChatKind, GAP_LINE } from '../../../../src-main/contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../../src-main/contract/chat/extractor.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../../support/chatOfCast.ts';

const READING = { at: 1, atMs: 1, seq: 1, extractor: 'x', extractorVersion: 1 };
const ROWS = 'one row of a list that goes on and on';

function begun(): PtyChatSession {
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'x', cwd: '/w', blockId: 'b', at: 0, atMs: 0 });
  return session;
}

function seen(kind: ChatKind, text: string, more: Partial<ExtractedMessage> = {}): ExtractedMessage {
  return { kind, text, fromRow: 0, toRow: 1, isHeadCut: false, isOpen: false, confidence: 1, ...more };
}
const user = (text: string) => seen('user', text);
const model = (text: string, more: Partial<ExtractedMessage> = {}) => seen('model', text, more);
const open = { isOpen: true };
const headCut = { isHeadCut: true };

function show(messages: ExtractedMessage[], more: Partial<Extraction> = {}): Extraction {
  return { messages, state: 'idle', evidence: null, isCovered: false, ...more };
}

function texts({ messages }: PtyChatSession): string[] {
  return messages.map(({ kind, text }) => `${kind}: ${text}`);
}

function lines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, at) => `${ROWS} ${from + at}`).join('\n');
}

describe('what is the same is told once, and what is not is not', () => {
  test('an answer that grows is one message, final when the agent waits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 8 }), (cuts) => {
        const session = begun();
        for (const cut of cuts.sort((a, b) => a - b)) {
          const text = lines(0, 8).slice(0, cut + 1);
          session.updateFromSnapshot(show([user('list'), model(text, open)], { state: 'working' }), READING);
        }
        session.updateFromSnapshot(show([user('list'), model(lines(0, 8))]), READING);
        expect(texts(session)).toEqual(['user: list', `model: ${lines(0, 8)}`]);
        expect(session.messages.every(({ final }) => final)).toBe(true);
      }),
    );
  });

  test('any run of equal questions and answers is as long in the log as on the screen', () => {
    const talk = fc.array(fc.tuple(fc.constantFrom('go on', 'again'), fc.constantFrom('Done.', 'Yes.')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(talk, (turns) => {
        const session = begun();
        const messages = turns.flatMap(([ask, answer]) => [user(ask), model(answer)]);
        for (let to = 1; to <= messages.length; to += 1)
          session.updateFromSnapshot(show(messages.slice(0, to)), READING);
        expect(texts(session)).toEqual(messages.map(({ kind, text }) => `${kind}: ${text}`));
      }),
    );
  });

  test('a screen that shows only the end, or only what was said before, adds nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(9), fc.integer({ min: 1, max: 9 }), (count, from, length) => {
        const session = begun();
        const messages = Array.from({ length: count }, (_, at) => (at % 2 ? model(`answer ${at}`) : user(`ask ${at}`)));
        session.updateFromSnapshot(show(messages), READING);
        expect(session.updateFromSnapshot(show(messages.slice(from, from + length)), READING)).toEqual([]);
      }),
    );
  });

  test('two runs of an agent stay two though they say the same', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('hi'), model('Hello.')]), READING);
    session.end({ at: 2, atMs: 2, resumeId: 'r1' });
    session.begin({ agent: 'x', cwd: '/w', blockId: 'b2', at: 3, atMs: 3 });
    session.updateFromSnapshot(show([user('hi'), model('Hello.')]), READING);
    expect(texts(session)).toEqual(['user: hi', 'model: Hello.', 'user: hi', 'model: Hello.']);
    expect(new Set(session.messages.map(({ conversationId }) => conversationId)).size).toBe(2);
    expect(session.events.map(({ type, resumeId }) => [type, resumeId])).toEqual([
      ['cli:newSession', undefined],
      ['cli:exit', 'r1'],
      ['cli:newSession', undefined],
    ]);
  });
});

describe('what is not drawn is not made up', () => {
  test('lines that went by unseen are a gap, and a later screen that shows them fills it in place', () => {
    const session = begun();
    const working = { state: 'working' } as const;
    session.updateFromSnapshot(show([user('list'), model(lines(0, 5), open)], working), READING);
    session.updateFromSnapshot(show([model(lines(20, 30), { ...headCut, ...open })], working), READING);
    expect(session.messages[1]).toMatchObject({
      text: `${lines(0, 5)}\n\n${GAP_LINE}\n\n${lines(20, 30)}`,
      hasGap: true,
    });
    session.updateFromSnapshot(show([user('list'), model(lines(0, 30))]), READING);
    expect(texts(session)).toEqual(['user: list', `model: ${lines(0, 30)}`]);
    expect(session.messages[1]).not.toHaveProperty('hasGap');
  });

  test('a long prompt of which the end was seen first is one prompt when all of it is seen', () => {
    const session = begun();
    session.updateFromSnapshot(show([seen('user', lines(30, 50), headCut)], { state: 'working' }), READING);
    session.updateFromSnapshot(show([seen('user', lines(25, 50), headCut)], { state: 'working' }), READING);
    session.updateFromSnapshot(show([seen('user', lines(40, 50), headCut)], { state: 'working' }), READING);
    session.updateFromSnapshot(show([user(lines(0, 50)), model('I got all of them.')]), READING);
    expect(texts(session)).toEqual([`user: ${lines(0, 50)}`, 'model: I got all of them.']);
  });

  test('the end of an answer joins what is known of it, line by line', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('list'), model(lines(0, 10), open)], { state: 'working' }), READING);
    session.updateFromSnapshot(show([model(lines(7, 20), headCut)]), READING);
    expect(texts(session)).toEqual(['user: list', `model: ${lines(0, 20)}`]);
  });

  test('a block of code whose first line was drawn as prose has both ends of its fence when more of it joins', () => {
    const [before, first] = [lines(0, 6), 'function windows(of, the, first, floor) {'];
    const code = ['```', first, '  return of + the + first;', '}', '```'].join('\n');
    const working = { state: 'working' } as const;
    const session = begun();
    session.updateFromSnapshot(show([user('list'), model(`${before}\n\n${first}`, open)], working), READING);
    session.updateFromSnapshot(show([model(`${lines(4, 6)}\n\n${code}\n\nDone.`, headCut)]), READING);
    expect(texts(session)).toEqual(['user: list', `model: ${before}\n\n${code}\n\nDone.`]);
  });

  test('under a dialog nothing is made shorter; when it has gone its question is final', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('do'), model(lines(0, 9), open)], { state: 'working' }), READING);
    const asked = seen('permission', 'May I?\n1. Yes\n2. No', open);
    const covered = { state: 'needs_approval', isCovered: true } as const;
    session.updateFromSnapshot(show([user('do'), model(lines(0, 3)), asked], covered), READING);
    expect(session.messages[1]?.text).toBe(lines(0, 9));
    expect(session.messages[2]).toMatchObject({ kind: 'permission', final: false });
    session.updateFromSnapshot(show([user('do'), model(lines(0, 9)), model('Done.')]), READING);
    expect(session.messages.map(({ kind, final }) => [kind, final])).toEqual([
      ['user', true],
      ['model', true],
      ['permission', true],
      ['model', true],
    ]);
  });

  test('a call that is folded when it is done keeps what it told', () => {
    const session = begun();
    const call = seen('toolCall', 'Run(ls)', { tool: { name: 'Run', input: 'ls', status: 'running' } });
    session.updateFromSnapshot(show([user('do'), call], { state: 'working' }), READING);
    const folded = seen('toolCall', 'Ran 1 command', { tool: { name: 'Ran 1 command', status: 'done' } });
    session.updateFromSnapshot(show([user('do'), folded, model('Done.')]), READING);
    expect(session.messages[1]?.tool).toEqual({ name: 'Run', input: 'ls', status: 'done' });
    expect(session.messages).toHaveLength(3);
  });

  test('a call that is folded is one message, however little of the conversation is drawn above it', () => {
    const tool = { name: 'Run', input: 'ls', status: 'running' } as const;
    const call = seen('toolCall', 'Run(ls)', { tool });
    const asked = seen('permission', 'May I?\n1. Yes\n2. No', open);
    const folded = seen('toolCall', 'Ran 1 command', { tool: { name: 'Ran 1 command' } });
    const all = [user('do'), model('I look.'), folded, model('Done.')];
    const looks = fc.record({
      isAsked: fc.boolean(),
      others: fc.nat(2),
      froms: fc.array(fc.nat(all.length - 1), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(looks, ({ isAsked, others, froms }) => {
        const session = begun();
        const earlier = Array.from({ length: others }, (_, at) => [user(`ask ${at}`), folded, model(`Yes, ${at}.`)]);
        const shown = [...earlier.flat(), user('do'), model('I look.'), call];
        session.updateFromSnapshot(show(shown, { state: 'working' }), READING);
        const covered = { state: 'needs_approval', isCovered: true } as const;
        if (isAsked) session.updateFromSnapshot(show([call, asked], covered), READING);
        for (const from of [...froms, 0]) session.updateFromSnapshot(show(all.slice(from)), READING);
        const kinds = session.messages.flatMap(({ kind }) => (kind === 'permission' ? [] : [kind]));
        const turn = ['user', 'toolCall', 'model'];
        expect(kinds).toEqual([...earlier.flatMap(() => turn), 'user', 'model', 'toolCall', 'model']);
        expect(session.messages.findLast(({ kind }) => kind === 'toolCall')?.tool?.input).toBe('ls');
      }),
    );
  });
});

describe('lines that a program erases and does not draw again', () => {
  const said = Array.from({ length: 12 }, (_, at) => `${ROWS} ${at}\nand its second line ${at}`);
  const textOf = (paragraphs: readonly string[]) => paragraphs.join('\n\n');

  test('stay in an answer that goes on to stream', () => {
    const place = fc.record({
      from: fc.integer({ min: 1, max: 8 }),
      lost: fc.integer({ min: 1, max: 2 }),
      cut: fc.nat(40),
    });
    fc.assert(
      fc.property(place, ({ from, lost, cut }) => {
        const session = begun();
        const shows = (text: string, state: Extraction['state'] = 'working') =>
          session.updateFromSnapshot(
            show([user('list'), model(text, state === 'working' ? open : {})], { state }),
            READING,
          );
        const to = from + lost;
        shows(textOf(said.slice(0, to + 1)).slice(0, -1 - (cut % 20)));
        const rest = [...said.slice(0, from), ...said.slice(to)];
        for (let shown = from + 1; shown <= rest.length; shown += 1) shows(textOf(rest.slice(0, shown)));
        shows(textOf(rest), 'idle');
        expect(texts(session)).toEqual(['user: list', `model: ${textOf(said)}`]);
      }),
    );
  });

  test('are not taken for what was drawn otherwise', () => {
    const session = begun();
    const shows = (text: string) =>
      session.updateFromSnapshot(show([user('list'), model(text, open)], { state: 'working' }), READING);
    shows(`${ROWS} 1\n| a cell | of a tab`);
    shows(`${ROWS} 1\n\n| a cell | of a table |\n|---|---|`);
    expect(texts(session)).toEqual(['user: list', `model: ${ROWS} 1\n\n| a cell | of a table |\n|---|---|`]);
  });
});

describe('an agent that prints nothing of its clearing command', () => {
  const talk = [seen('welcome', 'Agent 1'), user('seven'), model('I will remember seven.')];
  const greeted = [seen('welcome', 'Agent 1')];

  /** Drafts that are shown in order, then the text sent by Return: null if the keys do not give it, undefined without any keys. */
  interface Doing {
    readonly before?: string;
    readonly drafts?: readonly string[];
    readonly sent?: string | null;
  }

  /** Number of cleared conversations after this, once the screen shows only the greeting above an empty box. */
  function clearedBehind({ before, drafts = [], sent }: Doing): number {
    const session = begun();
    if (before !== undefined) session.sent(before);
    for (const draft of ['', ...drafts]) session.updateFromSnapshot(show(talk, { draft }), READING);
    if (sent !== undefined) session.sent(sent);
    session.updateFromSnapshot(show(greeted, { draft: '' }), READING);
    return session.events.filter(({ type }) => type === 'cli:clear').length;
  }

  test.each<Doing>([
    { drafts: ['/clear'] },
    { drafts: ['/', '/c', '/cl'], sent: null },
    { drafts: ['/clear', '/clea', '/clear'] },
    { sent: '/clear' },
    { before: 'seven', sent: '/clear' },
    { before: '/clear', drafts: ['/clear\nwhich'], sent: 'which number?' },
  ])('begins a new conversation: %j', (doing) => {
    expect(clearedBehind(doing)).toBe(1);
  });

  test.each<Doing>([
    { drafts: ['/clear', '/clea', '/cle', '/cl', '/c', '/', ''] },
    { before: 'seven' },
    { before: 'seven', drafts: ['/clear', ''] },
    { before: 'seven', drafts: ['/clear', ''], sent: null },
    { before: 'seven', drafts: ['/clear', ''], sent: '' },
  ])('begins none where the command was erased, or something else was sent: %j', (doing) => {
    expect(clearedBehind(doing)).toBe(0);
  });

  test.each<Doing & { count: number }>([
    { drafts: ['/clear'], count: 1 },
    { drafts: ['/clear'], sent: '/clear', count: 1 },
    { drafts: ['seven'], sent: 'seven', count: 0 },
  ])('is seen though the menu of the next command is already there: %j', ({ drafts = [], sent, count }) => {
    const session = begun();
    for (const draft of ['', ...drafts]) session.updateFromSnapshot(show(talk, { draft }), READING);
    if (sent !== undefined) session.sent(sent);
    session.updateFromSnapshot(show(greeted, { draft: '/exit', isCovered: true }), READING);
    expect(session.events.filter(({ type }) => type === 'cli:clear')).toHaveLength(count);
  });

  test('begins one only once: what clears the screen later does not', () => {
    const session = begun();
    session.sent('/clear');
    for (const messages of [talk, greeted, talk, greeted])
      session.updateFromSnapshot(show(messages, { draft: '' }), READING);
    expect(session.events.filter(({ type }) => type === 'cli:clear')).toHaveLength(1);
  });

  test('no draft is ever told', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('', '/', '/cl', '/clear', 'secret', 'secret words'), { maxLength: 9 }),
        (drafts) => {
          const session = begun();
          const lines = drafts.flatMap((draft) => session.updateFromSnapshot(show(talk, { draft }), READING));
          expect(JSON.stringify(lines)).not.toMatch(/secret|\/cl/);
        },
      ),
    );
  });
});

describe('an answer that the next prompt cuts off', () => {
  const cut = 'An answer that goes on for a good while, until it is cut off in the middle of';
  const working: Partial<Extraction> = { state: 'working' };

  test('stays as it was, before the prompt that cut it off, though the next answer is drawn into it', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('one'), model(cut, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(cut, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(`${cut} The next`, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model('The next one.')]), READING);
    expect(texts(session)).toEqual(['user: one', `model: ${cut}`, 'user: two', 'model: The next one.']);
    expect(session.messages[1]).toMatchObject({ final: true, doubtful: { reason: 'unfinished' } });
  });

  test('does not grow by the next answer when its prompt shows in the same picture', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('one'), model(cut, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(`${cut} The next`, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model('The next one.')]), READING);
    expect(texts(session)).toEqual(['user: one', `model: ${cut}`, 'user: two', 'model: The next one.']);
  });

  test('is not repeated when it was joined without proof before it was cut off', () => {
    const long = `${cut} a sentence that has many more words than the next answer`;
    const joined = { doubt: { reason: 'joined' as const, from: 0, to: 9 } };
    const session = begun();
    session.updateFromSnapshot(show([user('one'), model(long, { ...open, ...joined })], working), READING);
    const again = model(long, { ...open, ...joined });
    session.updateFromSnapshot(show([user('one'), user('two'), again], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(long.slice(0, 120), open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model('The next one.')]), READING);
    expect(texts(session)).toEqual(['user: one', `model: ${long}`, 'user: two', 'model: The next one.']);
  });

  test('is not repeated when its beginning is drawn again directly above the line that the program just receives', () => {
    const long = `${cut} a sentence that has many more words than the next answer`;
    const mixed = `${long.slice(0, 100)}\nThe next`;
    const session = begun();
    session.updateFromSnapshot(show([user('one'), model(long, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(long, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(mixed, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model('The next one.')]), READING);
    expect(texts(session)).toEqual(['user: one', `model: ${long}`, 'user: two', 'model: The next one.']);
  });

  test('is not repeated when the program draws it again below the prompt, line by line', () => {
    const long = `${cut} a sentence that has many more words than the next answer`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: long.length + 9 }), { maxLength: 6 }), (lengths) => {
        const session = begun();
        const shows = (text: string, more: Partial<Extraction> = working) =>
          session.updateFromSnapshot(
            show([user('one'), user('two'), model(text, more === working ? open : {})], more),
            READING,
          );
        session.updateFromSnapshot(show([user('one'), model(long, open)], working), READING);
        shows(long);
        for (const length of lengths) shows(`${long} The next`.slice(0, length));
        shows('The next one.', {});
        expect(texts(session)).toEqual(['user: one', `model: ${long}`, 'user: two', 'model: The next one.']);
      }),
    );
  });

  test('and the next answer, drawn into it until the end, are marked as joined until the screen shows that answer alone', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('one'), model(cut, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(cut, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), user('two'), model(`${cut} The next one, which ends.`)]), READING);
    expect(session.messages.at(-1)).toMatchObject({ doubtful: { reason: 'joined' } });
    const alone = 'The next one,\nwhich ends.';
    session.updateFromSnapshot(show([user('one'), user('two'), model(alone)]), READING);
    expect(texts(session)).toEqual(['user: one', `model: ${cut}`, 'user: two', `model: ${alone}`]);
    expect(session.messages.at(-1)?.doubtful).toBeUndefined();
  });

  test('is not continued by the end of the next answer, the beginning of which scrolled by unseen', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('one'), model(cut, open)], working), READING);
    session.sent('two');
    session.updateFromSnapshot(show([model('The end of another answer altogether.', headCut)]), READING);
    const whole = 'Another answer. The end of another answer altogether.';
    session.updateFromSnapshot(show([user('one'), user('two'), model(whole)]), READING);
    expect(texts(session)).toEqual(['user: one', `model: ${cut}`, 'user: two', `model: ${whole}`]);
  });

  test('a rule alone that streams is not taken for another answer', () => {
    const session = begun();
    session.updateFromSnapshot(show([user('one'), model(`---\n\n${cut}`, open)], working), READING);
    session.updateFromSnapshot(show([user('one'), model('---', open)], working), READING);
    session.updateFromSnapshot(show([user('one'), model(`---\n\n${cut} it.`)]), READING);
    expect(texts(session)).toEqual(['user: one', `model: ---\n\n${cut} it.`]);
  });
});
