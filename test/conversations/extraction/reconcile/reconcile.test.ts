import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChatMessage, GAP_LINE } from '../../../../src-main/contract/chat/chat.ts';
import type { LogMessage } from '../../../../src-main/conversations/extraction/reconcile/LogMessage.ts';
import { type ReconcileOptions, reconcile } from '../../../../src-main/conversations/extraction/reconcile/reconcile.ts';
import { bareText } from '../../../../src-main/conversations/extraction/reconcile/sameText.ts';

const OPTIONS: ReconcileOptions = { origin: 'log', agent: 'some', fromMs: 0, nowMs: 9000, isEnded: false };
type Shown = Pick<ChatMessage, 'kind' | 'text'> & Partial<ChatMessage>;

function chatOf(shown: readonly Shown[]): ChatMessage[] {
  return shown.map((message, at) =>
    ChatMessage.parse({
      id: `m${at}`,
      terminalId: 't',
      conversationId: 'c',
      order: at + 1,
      final: true,
      startedMs: at * 1000,
      updatedMs: at * 1000,
      provenance: {
        rawStart: at * 10,
        rawEnd: at * 10 + 5,
        seq: at,
        extractor: 'some',
        extractorVersion: 1,
        confidence: 0.9,
      },
      ...message,
    }),
  );
}

function logOf(said: readonly (Pick<LogMessage, 'kind' | 'text'> & Partial<LogMessage>)[]): LogMessage[] {
  return said.map((message, at) => ({ id: `l${at}`, atMs: at * 1000, ...message }));
}

/** Applies changed messages as the terminal's log does. */
function applied(messages: readonly ChatMessage[], changed: readonly ChatMessage[]): ChatMessage[] {
  const all = new Map(messages.map((message) => [message.id, message]));
  for (const message of changed) all.set(message.id, message);
  return [...all.values()].sort((a, b) => a.order - b.order);
}

const user = (text: string) => ({ kind: 'user' as const, text });
const model = (text: string) => ({ kind: 'model' as const, text });
const tool = (subject: string, input: string, output?: string) => ({
  kind: 'tool' as const,
  text: '',
  tool: { name: 'Shell', subject, input, ...(output !== undefined && { output }) },
});

describe('reconcile', () => {
  test('what both have is verified, whatever the Markdown and the wrapping; the Markdown is the log’s where they differ', () => {
    const chat = chatOf([user('tell  me'), model('Here:\n\n• one\n• two is\nlong\n\nname  n')]);
    const text = '**Here**:\n\n- one\n- two is long\n\n| name | n |\n|---|---|';
    const log = logOf([user('tell me'), model(text)]);
    expect(
      reconcile(chat, log, OPTIONS).map(({ id, verified, log, origins }) => ({ id, verified, log, origins })),
    ).toEqual([
      { id: 'm0', verified: true, origins: ['screen', 'log'], log: undefined },
      { id: 'm1', verified: true, origins: ['screen', 'log'], log: { text } },
    ]);
    expect(reconcile(applied(chat, reconcile(chat, log, OPTIONS)), log, OPTIONS)).toEqual([]);
  });

  test('the log’s Markdown stays when a hook gives the same words with other space', () => {
    const text = '> an *old* pier';
    const chat = chatOf([model('> an old pier')]);
    const log = logOf([model(text)]);
    const verified = applied(chat, reconcile(chat, log, OPTIONS));
    const hook = logOf([model(`${text}\n`)]);
    const heard = applied(verified, reconcile(verified, hook, { ...OPTIONS, origin: 'hook' }));
    expect(heard[0]).toMatchObject({ verified: true, log: { text }, origins: ['screen', 'log', 'hook'] });
    expect(reconcile(heard, log, OPTIONS)).toEqual([]);
    expect(reconcile(heard, hook, { ...OPTIONS, origin: 'hook' })).toEqual([]);
  });

  test('the Markdown follows a log that writes the same words otherwise later', () => {
    const chat = chatOf([model('> an old pier')]);
    const verified = applied(chat, reconcile(chat, logOf([model('> an *old* pier')]), OPTIONS));
    const [later] = reconcile(verified, logOf([model('> an **old** pier')]), OPTIONS);
    expect(later).toMatchObject({ verified: true, log: { text: '> an **old** pier' } });
  });

  test('a list that is numbered on where another begins is the same', () => {
    const chat = chatOf([user('list'), model('1. one\n2. two\n\n3. three')]);
    const [, list] = reconcile(chat, logOf([user('list'), model('1. one\n2. two\n\n1. three')]), OPTIONS);
    expect(list).toMatchObject({ verified: true });
  });

  test('what differs is told beside the text, never in its place', () => {
    const chat = chatOf([user('qfail please now'), model('Done.')]);
    const [first] = reconcile(chat, logOf([user('fail please now'), model('Done.')]), OPTIONS);
    expect(first).toMatchObject({
      id: 'm0',
      text: 'qfail please now',
      verified: false,
      log: { text: 'fail please now' },
    });
  });

  test('a text that the log contradicts is marked, until both have the same', () => {
    const log = logOf([user('fail please now'), model('one two three four')]);
    const chat = chatOf([user('qfail please now'), model('one two three')]);
    const once = applied(chat, reconcile(chat, log, OPTIONS));
    expect(once.map(({ doubtful }) => doubtful?.reason)).toEqual(['contradicted', 'contradicted']);
    const read = once.map((message, at) => ({ ...message, text: log[at]?.text ?? '' }));
    expect(reconcile(read, log, OPTIONS).map(({ doubtful, verified }) => [doubtful, verified])).toEqual([
      [undefined, true],
      [undefined, true],
    ]);
  });

  test('an older mark stays where the log has another text, and so does a gap', () => {
    const doubtful = { reason: 'joined' as const, from: 0, to: 3 };
    const chat = chatOf([
      user('go'),
      { ...model('one too three'), doubtful },
      { ...model(`one x\n${GAP_LINE}\nfive`), hasGap: true },
    ]);
    const log = logOf([user('go'), model('one two three'), model('one\ntwo\nfive')]);
    const changed = reconcile(chat, log, OPTIONS).slice(1);
    expect(changed.map((message) => [message.doubtful, message.log?.text])).toEqual([
      [doubtful, 'one two three'],
      [undefined, 'one\ntwo\nfive'],
    ]);
  });

  describe('a prompt or an answer that the log lacks', () => {
    const log = logOf([user('a question'), model('an answer'), user('another question')]);
    const shown = [
      user('old words drawn here'),
      user('a question'),
      model('scraps of a menu'),
      model('an answer'),
      user('another question'),
      model('what came last'),
    ];
    const doubts = (messages: readonly ChatMessage[], isEnded: boolean) =>
      applied(messages, reconcile(messages, log, { ...OPTIONS, isEnded })).map(({ doubtful }) => doubtful?.reason);

    test('is marked if the log has a later one, at the end only once nothing can follow', () => {
      const marks = ['unlogged', undefined, 'unlogged', undefined, undefined];
      expect(doubts(chatOf(shown), false)).toEqual([...marks, undefined]);
      expect(doubts(chatOf(shown), true)).toEqual([...marks, 'unlogged']);
    });

    test('is not marked if it is history, still grows, is marked already or was confirmed before an undo', () => {
      const whys = [{ replayOf: 'c0' }, { final: false }, { hasGap: true }, { verified: true }];
      for (const why of whys) {
        const chat = chatOf(shown.map((message, at) => (at === 2 ? { ...message, ...why } : message)));
        expect(doubts(chat, true)[2]).toBeUndefined();
      }
    });

    test('loses the mark when the log has it', () => {
      const chat = chatOf(shown);
      const once = applied(chat, reconcile(chat, log, { ...OPTIONS, isEnded: true }));
      const whole = logOf(shown);
      expect(reconcile(once, whole, OPTIONS).every(({ doubtful, verified }) => !doubtful && verified)).toBe(true);
    });

    test('is not marked by hooks, which report a part of a conversation', () => {
      expect(reconcile(chatOf(shown), log, { ...OPTIONS, origin: 'hook', isEnded: true })).toHaveLength(3);
    });

    test('is not marked where a conversation is too long to be compared', () => {
      const many = Array.from({ length: 900 }, (_, at) => user(`number ${at}`));
      const chat = chatOf([user('only on the screen'), ...many]);
      expect(reconcile(chat, logOf(many), OPTIONS).filter(({ doubtful }) => doubtful)).toEqual([]);
    });
  });

  test('a message that the log has from before the run is marked as drawn again, and not verified', () => {
    const chat = chatOf([user('go on'), model('Old answer.'), user('now'), model('New answer.')]);
    const log = logOf([user('go on'), model('Old answer.'), user('now'), model('New answer.')]).map((message, at) =>
      at < 2 ? { ...message, atMs: -60_000 } : message,
    );
    const once = applied(chat, reconcile(chat, log, OPTIONS));
    expect(once.map(({ doubtful, verified }) => doubtful?.reason ?? verified)).toEqual([
      'repeated',
      'repeated',
      true,
      true,
    ]);
    const known = chat.map((message) => ({ ...message, replayOf: 'c0' }));
    expect(reconcile(known, log, OPTIONS).every(({ doubtful }) => !doubtful)).toBe(true);
  });

  test('a text that the log has from before the run comes first only if the screen shows a part of it', () => {
    const old = 'The tide turns at six, the harbour master opens the northern lock an hour later.';
    const other = 'The tide turns at nine, the harbour master opens the southern lock a day later.';
    const log = logOf([model(old)]).map((message) => ({ ...message, atMs: -60_000 }));
    const logged = (text: string) => applied(chatOf([model(text)]), reconcile(chatOf([model(text)]), log, OPTIONS))[0];
    expect(logged(other)).toMatchObject({ text: other, doubtful: { reason: 'repeated' } });
    expect(logged(other)?.log).toBeUndefined();
    expect(logged('the harbour master opens the northern lock an hour later.')?.log?.text).toBe(old);
  });

  test('code that was drawn as prose keeps its mark, beside the text of the log', () => {
    const doubtful = { reason: 'unformatted' as const, from: 0, to: 9 };
    const chat = chatOf([user('go'), { ...model('a(); b();'), doubtful }]);
    const code = '```\na();\nb();\n```';
    expect(reconcile(chat, logOf([user('go'), model(code)]), OPTIONS)[1]).toMatchObject({
      doubtful,
      log: { text: code },
    });
  });

  test('a text put together with other code than the log’s keeps its mark, one with other emphasis does not', () => {
    const doubtful = { reason: 'joined' as const, from: 0, to: 4 };
    const code = '```\na();\nb();\n```\n\n> It *is* done.';
    const changedOf = (text: string) =>
      reconcile(chatOf([user('go'), { ...model(text), doubtful }]), logOf([user('go'), model(code)]), OPTIONS)[1];
    expect(changedOf('a();\nb();\n```\n\n> It *is* done.')).toMatchObject({ doubtful, log: { text: code } });
    const other = changedOf(code.replace('*is*', 'is'));
    expect(other).toMatchObject({ verified: true, log: { text: code } });
    expect(other).not.toHaveProperty('doubtful');
  });

  test('a prompt whose answer was not seen keeps its mark until the answer is there', () => {
    const doubtful = { reason: 'unanswered' as const, from: 2, to: 2 };
    const chat = chatOf([
      { ...user('go'), doubtful },
      { kind: 'notice', text: 'interrupted' },
      user('next'),
      model('Yes.'),
    ]);
    const changed = reconcile(chat, logOf([user('go'), user('next'), model('Yes.')]), OPTIONS);
    expect(changed[0]).toMatchObject({ text: 'go', verified: true, doubtful });
    expect(changed.slice(1).map(({ verified, doubtful }) => [verified, doubtful])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  test('lines that were never drawn are told beside the gap, and that is no difference', () => {
    const chat = chatOf([user('list'), model(`one\ntwo\n${GAP_LINE}\nfive`)]);
    const changed = reconcile(chat, logOf([user('list'), model('one\ntwo\nthree\nfour\nfive')]), OPTIONS)[1];
    expect(changed).toMatchObject({ log: { text: 'one\ntwo\nthree\nfour\nfive' } });
    expect(changed?.verified).toBeUndefined();
    expect(changed?.text).toContain(GAP_LINE);
  });

  test('a tool the screen folded away gets its input and output, marked as from the log', () => {
    const chat = chatOf([
      user('do it'),
      { kind: 'toolCall', text: 'Ran 1 shell command', tool: { name: 'Ran 1 shell command' } },
      model('Done.'),
    ]);
    const log = logOf([user('do it'), tool('ls -l', 'ls -l', 'total 0'), model('Done.')]);
    const changed = reconcile(chat, log, OPTIONS)[1];
    expect(changed).toMatchObject({
      text: 'Ran 1 shell command',
      log: { input: 'ls -l', output: 'total 0' },
      origins: ['screen', 'log'],
    });
    expect(changed?.verified).toBeUndefined();
  });

  test('a tool and its result that both have are verified; a cut result is completed beside it', () => {
    const call = { kind: 'toolCall' as const, text: 'Shell(ls)', tool: { name: 'Shell', input: 'ls' } };
    const whole = chatOf([user('do'), call, { kind: 'toolResult', text: 'a\nb' }]);
    const cut = chatOf([user('do'), call, { kind: 'toolResult', text: 'a\n… +1 line' }]);
    const log = logOf([user('do'), tool('ls', 'ls', 'a\nb')]);
    expect(reconcile(whole, log, OPTIONS).map(({ verified }) => verified)).toEqual([true, true, true]);
    expect(reconcile(cut, log, OPTIONS)[2]).toMatchObject({ id: 'm2', text: 'a\n… +1 line', log: { output: 'a\nb' } });
  });

  test('a call whose end was not seen has the end from the log; an end that was seen stays', () => {
    const call = (input: string, status?: 'running' | 'denied') => ({
      kind: 'toolCall' as const,
      text: `Shell(${input})`,
      tool: { name: 'Shell', input, ...(status && { status }) },
    });
    const chat = chatOf([call('ls', 'running'), call('rm x', 'denied'), call('pwd')]);
    const calls = [tool('ls', 'ls', 'no'), tool('rm x', 'rm x', 'no'), tool('pwd', 'pwd', 'no')];
    const log = logOf(calls.map((one) => ({ ...one, tool: { ...one.tool, status: 'failed' as const } })));
    const once = applied(chat, reconcile(chat, log, OPTIONS));
    expect(once.map((message) => message.tool?.status)).toEqual(['failed', 'denied', 'failed']);
    expect(reconcile(once, log, OPTIONS)).toEqual([]);
  });

  test('a row that several calls were folded into has the end of none of them', () => {
    const chat = chatOf([{ kind: 'toolCall', text: 'Called hansard 2 times', tool: { name: 'hansard' } }]);
    const [call] = [tool('ls', 'ls', 'no')];
    const log = logOf([{ ...call, tool: { ...call.tool, status: 'failed' } }]);
    expect(applied(chat, reconcile(chat, log, OPTIONS))[0]?.tool?.status).toBeUndefined();
  });

  test('a path told from the folder is the same file', () => {
    const chat = chatOf([{ kind: 'toolCall', text: 'Read(a.ts)', tool: { name: 'Read', input: 'a.ts' } }]);
    const log = logOf([tool('/home/u/a.ts', '/home/u/a.ts')]);
    expect(reconcile(chat, log, OPTIONS)[0]?.verified).toBe(true);
  });

  test('equal messages are counted: two in the log and two on the screen are two', () => {
    const chat = chatOf([user('again'), model('Yes.'), user('again'), model('Yes.')]);
    const log = logOf([user('again'), model('Yes.'), user('again'), model('Yes.')]);
    expect(reconcile(chat, log, OPTIONS).filter(({ verified }) => verified)).toHaveLength(4);
  });

  test('what only the log has comes between its neighbours, marked; at the end only when nothing can follow', () => {
    const chat = chatOf([user('a question'), model('last answer')]);
    const log = logOf([user('a question'), model('first answer, gone'), model('last answer'), user('unseen')]);
    const added = (isEnded: boolean) =>
      reconcile(chat, log, { ...OPTIONS, isEnded }).filter(({ id }) => !chat.some((message) => message.id === id));
    expect(added(false)).toMatchObject([
      { text: 'first answer, gone', order: 1.5, origins: ['log'], conversationId: 'c' },
    ]);
    expect(added(false)[0]?.verified).toBeUndefined();
    expect(added(true).map(({ text }) => text)).toEqual(['first answer, gone', 'unseen']);
  });

  test('what the log has from before the run is not missing', () => {
    const chat = chatOf([user('now'), model('yes')]);
    const log = logOf([user('long ago'), user('now'), model('yes')]);
    expect(reconcile(chat, log, { ...OPTIONS, fromMs: 500 }).every(({ text }) => text !== 'long ago')).toBe(true);
  });

  test("somebody else's log changes nothing", () => {
    const chat = chatOf([user('alpha beta gamma'), model('delta epsilon zeta')]);
    expect(
      reconcile(chat, logOf([user('one two three'), model('four five six')]), { ...OPTIONS, isEnded: true }),
    ).toEqual([]);
  });

  test('a message that still streams is left alone', () => {
    const chat = chatOf([user('go'), { ...model('half of'), final: false }]);
    const changed = reconcile(chat, logOf([user('go'), model('half of it')]), { ...OPTIONS, isEnded: true });
    expect(changed.map(({ id }) => id)).toEqual(['m0']);
  });

  test('hooks confirm as an origin, and verify nothing', () => {
    const [first] = reconcile(chatOf([user('go on')]), logOf([user('go on')]), { ...OPTIONS, origin: 'hook' });
    expect(first).toMatchObject({ origins: ['screen', 'hook'] });
    expect(first?.verified).toBeUndefined();
  });
});

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '日本', 'x', '7', 'end.');
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const entry = fc.record({
  kind: fc.constantFrom('user' as const, 'model' as const, 'tool' as const),
  text,
  fate: fc.constantFrom('shown', 'shown', 'shown', 'lost', 'read badly', 'open'),
  extra: fc.boolean(),
});

/** A log, and a screen's messages of it: some are lost, some are read badly, and some are only on the screen. */
const both = fc.array(entry, { maxLength: 14 }).map((entries) => {
  const log = logOf(
    entries.map(({ kind, text }) => (kind === 'tool' ? tool(text, text, `out ${text}`) : { kind, text })),
  );
  const shown = entries.flatMap(({ kind, text, fate, extra }): Shown[] => [
    ...(fate === 'lost'
      ? []
      : [shownOf(kind, fate === 'read badly' ? `${text} §` : text.replaceAll(' ', '\n'), fate !== 'open')]),
    ...(extra ? [{ kind: 'notice' as const, text: 'a tip' }] : []),
  ]);
  return { log, chat: chatOf(shown) };
});

function shownOf(kind: LogMessage['kind'], text: string, final: boolean): Shown {
  return kind === 'tool'
    ? { kind: 'toolCall', text, tool: { name: 'Shell', input: text }, final }
    : { kind, text, final };
}

describe('laws of reconciling', () => {
  test('done twice it changes nothing more', () => {
    fc.assert(
      fc.property(both, fc.boolean(), ({ log, chat }, isEnded) => {
        const once = applied(chat, reconcile(chat, log, { ...OPTIONS, isEnded }));
        expect(reconcile(once, log, { ...OPTIONS, isEnded, nowMs: 10_000 })).toEqual([]);
      }),
    );
  });

  test('nothing is deleted, reordered or rewritten, and what only the screen has is not verified', () => {
    fc.assert(
      fc.property(both, fc.boolean(), ({ log, chat }, isEnded) => {
        const after = applied(chat, reconcile(chat, log, { ...OPTIONS, isEnded }));
        const kept = after.filter(({ id }) => chat.some((message) => message.id === id));
        const told = ({ id, order, kind, text, tool, final, startedMs }: ChatMessage) => ({
          id,
          order,
          kind,
          text,
          tool,
          final,
          startedMs,
        });
        expect(kept.map(told)).toEqual(chat.map(told));
        const bare = new Set(log.map((message) => bareText(message.tool?.subject ?? message.text)));
        for (const message of kept.filter(({ verified }) => verified))
          expect(bare).toContain(bareText(message.tool?.input ?? message.text));
      }),
    );
  });

  test('once a conversation has ended, everything in its log is told once, in order', () => {
    fc.assert(
      fc.property(both, ({ log, chat }) => {
        const after = applied(chat, reconcile(chat, log, { ...OPTIONS, isEnded: true }));
        const hasPair = after.some(({ origins }) => origins.includes('log') && origins.includes('screen'));
        if (!hasPair) return;
        const told = after
          .filter(({ origins, final }) => origins.includes('log') || !final)
          .map((m) => bareText(m.log?.text ?? m.log?.input ?? m.tool?.input ?? m.text).replace('§', ''));
        const wanted = log.map((m) => bareText(m.tool?.subject ?? m.text));
        expect(isSubsequence(wanted, told)).toBe(true);
      }),
    );
  });
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const item of whole) if (item === part[at]) at += 1;
  return at === part.length;
}
