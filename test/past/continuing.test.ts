import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import { ConversationStore } from '../../src-main/conversations/record/ConversationStore.ts';
import { Continuing } from '../../src-main/past/Continuing.ts';
import { PastHistory } from '../../src-main/past/PastHistory.ts';
import { PastHome } from './support/PastHome.ts';
import { recordTalk } from './support/recordTalk.ts';
import { LINE_FORMS, type LogForm, type Session, sessionId, writeSession } from './support/syntheticLogs.ts';

const START_MS = Date.UTC(2026, 0, 1, 12);

let place: PastHome;
beforeEach(() => {
  place = new PastHome();
});
afterEach(() => place[Symbol.dispose]());

function session(agent: string, n = 1): Session {
  const turns = [{ prompt: `Mend pier ${n}`, answer: 'Mended' }];
  return { id: sessionId(agent, n), cwd: '/work/pier', atMs: START_MS, turns };
}

function record(agent: string, prompt: string, resumeId?: string): void {
  recordTalk(place.dataFolder, {
    ...{ terminalId: 't1', agent, cwd: '/work/pier', fromMs: START_MS - 3000, toMs: START_MS + 9000 },
    said: [{ kind: 'user', text: prompt, atMs: START_MS + 300 }],
    ...(resumeId !== undefined && { resumeId }),
  });
}

/** The terminal's last command ends by what `endedBy` returns, null while it runs. */
function continuing(endedBy: () => Block['endedBy']): Continuing {
  const chats = new ConversationStore(place.dataFolder, () => undefined);
  const history = new PastHistory({
    chats,
    file: () => null,
    find: () => Promise.reject(new Error('not asked')) as never,
  });
  const lastCommandBefore = async () => ({ id: 'b1', endedBy: endedBy() }) as Block;
  return new Continuing({ chats, history, lastCommandBefore, terminal: () => undefined, home: place.home, env: {} });
}

/** The offered command in a terminal whose agent's block ended by `endedBy`; null without an offer. */
async function offered(endedBy: Block['endedBy']): Promise<string | null> {
  return (await continuing(() => endedBy).lastIn('t1'))?.command ?? null;
}

test.each(LINE_FORMS)('what a restart cut off of $agent goes on by the id in its log', async (form: LogForm) => {
  const { agent } = form;
  writeSession(place.home, form, session(agent));
  writeSession(place.home, form, { ...session(agent, 2), turns: [{ prompt: 'Paint it', answer: 'Painted' }] });
  record(agent, 'Mend pier 1');
  expect(await offered('recovery')).toContain(sessionId(agent, 1));
  expect(await offered('shell-exit')).toContain(sessionId(agent, 1));
  expect(await offered('mark')).toBeNull();
});

test('what the exit lines said goes before the log, and without either nothing is offered', async () => {
  record('claude', 'Mend pier 1', sessionId('claude', 9));
  expect(await offered('recovery')).toBe(`claude --resume ${sessionId('claude', 9)}`);
});

test('an agent that has no way to go on is offered nothing', async () => {
  record('aider', 'Mend pier 1', 'some-id');
  expect(await offered('recovery')).toBeNull();
});

test('an id with characters of a shell is no id', async () => {
  record('claude', 'Mend pier 1', '$(touch x)');
  expect(await offered('recovery')).toBeNull();
});

test('a conversation that its shell’s end cut off is offered, although there was no offer before', async () => {
  let endedBy: Block['endedBy'] = null;
  const one = continuing(() => endedBy);
  expect(await one.lastIn('t1')).toBeNull();
  record('claude', 'Mend pier 1', sessionId('claude', 9));
  expect(await one.lastIn('t1')).toBeNull();
  endedBy = 'shell-exit';
  expect((await one.lastIn('t1'))?.command).toBe(`claude --resume ${sessionId('claude', 9)}`);
});
