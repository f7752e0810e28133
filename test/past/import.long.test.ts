import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PastHome } from './support/PastHome.ts';
import {
  appendTurns,
  LINE_FORMS,
  messagesOf,
  type Session,
  sessionId,
  type Turn,
  writeDatabase,
  writeSession,
} from './support/syntheticLogs.ts';

const FIXTURES = new URL('../fixtures/past/', import.meta.url).pathname;
const SESSIONS = 1000;

function turnsOf(n: number, count = 1 + (n % 3)): Turn[] {
  return Array.from({ length: count }, (_, at) => ({
    prompt: `Question ${at} of session ${n}`,
    answer: `Answer ${at} of session ${n}`,
    ...((n + at) % 2 === 0 && { tool: `output ${at} of session ${n}` }),
  }));
}

function session(agent: string, n: number, turns = turnsOf(n)): Session {
  return { id: sessionId(agent, n), cwd: `/work/project-${n % 7}`, atMs: Date.UTC(2026, 0, 1) + n * 600_000, turns };
}

const KINDS = [...LINE_FORMS.map(({ agent }) => agent), 'opencode'];

/** Writes sessions as the agent does. */
function write(home: string, agent: string, sessions: readonly Session[]): void {
  const form = LINE_FORMS.find((one) => one.agent === agent);
  if (!form) writeDatabase(home, sessions);
  else for (const one of sessions) writeSession(home, form, one);
}

describe.each(KINDS)('the import of %s', (agent) => {
  test('counts a thousand sessions exactly, nothing twice, and of what is appended only the new', {
    timeout: 60_000,
  }, () => {
    using place = new PastHome();
    const all = Array.from({ length: SESSIONS }, (_, n) => session(agent, n));
    write(place.home, agent, all);
    const messages = all.reduce((sum, { turns }) => sum + messagesOf(turns), 0);
    const first = place.import();
    expect({ ...place.counts(), usage: 0 }).toEqual({ conversations: SESSIONS, messages, usage: 0 });
    expect(first).toMatchObject({ conversations: SESSIONS, messages, copies: 0, badLines: 0, unread: [] });

    const said = place.said();
    expect(place.import()).toMatchObject({ conversations: 0, messages: 0, bytes: 0 });
    expect(place.said()).toEqual(said);

    const grown = all.slice(0, 10).map((one, n) => ({ ...one, turns: turnsOf(n, one.turns.length + 2) }));
    const form = LINE_FORMS.find((one) => one.agent === agent);
    if (!form) writeDatabase(place.home, grown);
    else
      for (const [n, one] of grown.entries())
        appendTurns(place.home, form, { session: one, from: all[n]?.turns.length ?? 0 });
    const added = grown.reduce((sum, { turns }, n) => sum + messagesOf(turns.slice(all[n]?.turns.length ?? 0)), 0);
    expect(place.import()).toMatchObject({ conversations: 0, messages: added });
    expect(place.counts()).toMatchObject({ conversations: SESSIONS, messages: messages + added });
  });

  test('says the same whether a log is read at once or as it grows', () => {
    using whole = new PastHome();
    using grown = new PastHome();
    write(whole.home, agent, [session(agent, 3, turnsOf(3, 6))]);
    for (const count of [1, 2, 4, 6]) {
      write(grown.home, agent, [session(agent, 3, turnsOf(3, count))]);
      grown.import();
    }
    whole.import();
    expect(grown.said()).toEqual(whole.said());
    expect(grown.counts()).toEqual(whole.counts());
  });
});

describe('the import', () => {
  const RECORDED = [
    'claude-2.1.329',
    'codex-0.169.0',
    'gemini-0.61.0',
    'copilot-1.0.102',
    'qwen-0.15.10',
    'opencode-1.18.33',
  ];
  test.each(RECORDED)('reads what %s keeps', (name) => {
    using place = new PastHome();
    if (name.startsWith('opencode')) {
      mkdirSync(join(place.home, '.local/share/opencode'), { recursive: true });
      const db = new DatabaseSync(join(place.home, '.local/share/opencode/opencode.db'));
      db.exec(readFileSync(join(FIXTURES, name, 'opencode.sql'), 'utf8'));
      db.close();
    } else cpSync(join(FIXTURES, name), place.home, { recursive: true });
    expect(place.import()).toMatchObject({ badLines: 0, unread: [] });
    const said = place.said().map((line) => line.split(' ').slice(2).join(' ').replaceAll('"', ''));
    const order = [
      'user When',
      'model I will look',
      'model High water is at **06:12**',
      'user Say that once more',
      'model Six.',
    ];
    expect(order.map((start) => said.findIndex((line) => line.startsWith(start)))).not.toContain(-1);
    if (!name.startsWith('codex')) expect(said.some((line) => /^tool .*high 06:12/.test(line))).toBe(true);
    const sums = place.open((file) => file.get('SELECT sum(input) AS input, sum(output) AS output FROM usage'));
    expect({ ...(sums as object) }).toEqual({ input: 300, output: 60 });
  });

  test('reads a log again that another one replaced, and drops what it no longer says', () => {
    using place = new PastHome();
    const [form] = LINE_FORMS;
    if (!form) throw new Error('there are forms');
    const path = writeSession(place.home, form, session('claude', 1, turnsOf(1, 4)));
    place.import();
    writeSession(place.home, form, session('claude', 1, turnsOf(2, 2)));
    place.import();
    expect(place.said().filter((line) => line.includes('of session 1'))).toEqual([]);
    expect(place.counts()).toMatchObject({ conversations: 1, messages: messagesOf(turnsOf(2, 2)) });
    expect(readFileSync(path, 'utf8')).not.toContain('of session 1');
  });

  test.each(LINE_FORMS.map((form) => [form.agent, form] as const))(
    'keeps what was imported when %s shortens its log, and takes what it writes then',
    (agent, form) => {
      using place = new PastHome();
      const path = writeSession(place.home, form, session(agent, 1, turnsOf(1, 6)));
      const whole = readFileSync(path, 'utf8');
      place.import();
      const before = { said: place.said(), counts: place.counts() };
      for (const left of [whole.length / 2, whole.length / 3, 0, whole.length]) {
        writeFileSync(path, whole.slice(0, whole.lastIndexOf('\n', left) + 1));
        place.import();
        expect(place.said(), `${left} bytes left`).toEqual(before.said);
        expect(place.counts(), `${left} bytes left`).toEqual(before.counts);
      }
      truncateSync(path, Buffer.byteLength(whole.slice(0, whole.indexOf('\n', whole.length / 2) + 1)));
      const more = session(agent, 1, [...turnsOf(1, 6), { prompt: 'One more', answer: 'One more answer' }]);
      appendTurns(place.home, form, { session: more, from: 6 });
      place.import();
      expect(place.said().filter((line) => !line.includes('One more'))).toEqual(before.said);
      expect(place.said().filter((line) => line.includes('One more'))).toHaveLength(2);
    },
  );

  test('keeps what was imported when the agent removes its log', () => {
    using place = new PastHome();
    const [form] = LINE_FORMS;
    if (!form) throw new Error('there are forms');
    const path = writeSession(place.home, form, session('claude', 1));
    place.import();
    const said = place.said();
    rmSync(path);
    place.import();
    expect(place.said()).toEqual(said);
  });

  test.each([
    ['claude', (main: string) => join(main.replace(/\.jsonl$/, ''), 'subagents', 'agent-a1.jsonl')],
    ['claude', (main: string) => join(dirname(main), 'agent-a1.jsonl')],
    ['gemini', (main: string) => join(dirname(main), sessionId('gemini', 1), `${sessionId('gemini', 2)}.jsonl`)],
  ])(
    'adds the tokens of a sub-agent of %s to the conversation that started it, without its messages',
    (agent, pathOf) => {
      using place = new PastHome();
      const form = LINE_FORMS.find((one) => one.agent === agent);
      if (!form) throw new Error(`no form of ${agent}`);
      const [own, sub] = [session(agent, 1, turnsOf(1, 2)), session(agent, 2, turnsOf(2, 3))];
      const main = writeSession(place.home, form, own);
      const side = writeSession(place.home, form, sub);
      mkdirSync(dirname(pathOf(main)), { recursive: true });
      writeFileSync(
        pathOf(main),
        readFileSync(side, 'utf8').replaceAll(`"sessionId":"${sub.id}"`, `"sessionId":"${own.id}"`),
      );
      rmSync(side);
      utimesSync(pathOf(main), 1, 1); // older than the log of the conversation
      const tokens = () =>
        place.open((file) =>
          file.all<object>(
            'SELECT c.session, sum(u.input) / count(DISTINCT u.id) AS each, count(DISTINCT u.id) AS answers FROM usage u JOIN conversations c ON c.num = u.conversation WHERE u.input IS NOT NULL GROUP BY c.session',
          ),
        );
      for (const _ of ['first', 'again']) {
        place.import();
        expect(place.counts()).toMatchObject({ conversations: 1, messages: messagesOf(own.turns) });
        expect(tokens()).toEqual([{ session: own.id, each: 10, answers: own.turns.length + sub.turns.length }]);
      }
    },
  );

  test('takes the messages that a fork copies once', () => {
    using place = new PastHome();
    const [form] = LINE_FORMS;
    if (!form) throw new Error('there are forms');
    const path = writeSession(place.home, form, session('claude', 1, turnsOf(1, 2)));
    place.import();
    const before = place.counts();
    const copy = join(dirname(path), `${sessionId('claude', 2)}.jsonl`);
    writeFileSync(copy, readFileSync(path));
    expect(place.import()).toMatchObject({ conversations: 0, messages: 0, copies: before.messages });
    expect(place.counts()).toMatchObject({ messages: before.messages });
  });

  test('leaves out links, and walks no loop of them', () => {
    using place = new PastHome();
    const [form] = LINE_FORMS;
    if (!form) throw new Error('there are forms');
    const path = writeSession(place.home, form, session('claude', 1));
    symlinkSync(join(place.home, '.claude/projects'), join(dirname(path), 'loop'));
    symlinkSync(dirname(path), join(place.home, '.claude/projects/again'));
    symlinkSync(path, join(dirname(path), `${sessionId('claude', 2)}.jsonl`));
    const { unread, conversations } = place.import();
    expect(conversations).toBe(1);
    expect(unread).toHaveLength(2); // files without a log's name are ignored
  });

  test('counts lines that are no records, and goes on behind a line of 20 MB', { timeout: 30_000 }, () => {
    using place = new PastHome();
    const [form] = LINE_FORMS;
    if (!form) throw new Error('there are forms');
    const one = session('claude', 1, turnsOf(1, 2));
    const path = writeSession(place.home, form, { ...one, turns: one.turns.slice(0, 1) });
    appendFileSync(
      path,
      `{"type":"user", torn\n\n\u0000\u0000\n{"type":"user","big":"${'x'.repeat(20_000_000)}"}\n[1]\n`,
    );
    appendTurns(place.home, form, { session: one, from: 1 });
    expect(place.import()).toMatchObject({ messages: messagesOf(one.turns), badLines: 3 });
  });

  test('takes a line when it has ended', () => {
    using place = new PastHome();
    const [form] = LINE_FORMS;
    if (!form) throw new Error('there are forms');
    const path = writeSession(place.home, form, session('claude', 1, turnsOf(1, 1)));
    const text = readFileSync(path, 'utf8');
    for (let at = 0; at < text.length; at += 97) {
      writeFileSync(path, text.slice(0, at));
      expect(place.import().badLines).toBe(0);
    }
    writeFileSync(path, text);
    place.import();
    expect(place.counts().messages).toBe(messagesOf(turnsOf(1, 1)));
  });
});

describe('readers', () => {
  const logs = LINE_FORMS.map((form) => {
    const one = session(form.agent, 5, turnsOf(5, 3));
    const lines = [...form.head(one), ...one.turns.flatMap((_, n) => form.turn(one, n))].map((line) =>
      JSON.stringify(line),
    );
    return { form, one, lines };
  });

  test.each(logs)(
    'of $form.agent read cut, garbled and reordered lines without a stop, and nothing twice',
    ({ form, one, lines }) => {
      const edit = fc.record({
        at: fc.nat(lines.length - 1),
        cut: fc.nat(200),
        junk: fc.string({ maxLength: 20 }),
        how: fc.constantFrom('cut', 'garble', 'swap', 'double', 'drop', 'null'),
      });
      fc.assert(
        fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
          using place = new PastHome();
          const path = join(place.home, form.path(one));
          mkdirSync(dirname(path), { recursive: true });
          const written = garbled(lines, edits);
          writeFileSync(path, written.map((line) => `${line}\n`).join(''));
          const { unread } = place.import();
          expect(unread).toEqual([]);
          const said = place.said();
          for (const { answer } of one.turns) {
            const isForged = edits.some(({ how }) => how === 'garble' || how === 'null'); // a changed id makes another message
            const most = isForged ? written.filter((line) => line.includes(answer)).length : 1;
            expect(said.filter((line) => line.includes(answer)).length).toBeLessThanOrEqual(most);
          }
          place.import();
          expect(place.said()).toEqual(said);
        }),
        { numRuns: 40 },
      );
    },
  );
});

interface Edit {
  at: number;
  cut: number;
  junk: string;
  how: string;
}

function garbled(lines: readonly string[], edits: readonly Edit[]): string[] {
  const all = [...lines];
  for (const { at, cut, junk, how } of edits) {
    const line = all[at] ?? '';
    if (how === 'cut') all[at] = line.slice(0, cut);
    if (how === 'garble') all[at] = line.slice(0, cut) + junk + line.slice(cut + 1);
    if (how === 'swap') [all[at], all[0]] = [all[0] ?? '', line];
    if (how === 'double') all.splice(at, 0, line);
    if (how === 'drop') all.splice(at, 1);
    if (how === 'null') all[at] = line.replace(/"[^"]*"/, 'null').replace(/:"[^"]*"/, ':[null,{}]');
  }
  return all;
}
