import { expect, onTestFinished, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { ConversationStore } from '../../src-main/conversations/record/ConversationStore.ts';
import type { Dismissals } from '../../src-main/past/Continuing.ts';
import { Past } from '../../src-main/past/Past.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';
import { PastHome } from './support/PastHome.ts';
import { recordTalk } from './support/recordTalk.ts';

const START_MS = Date.UTC(2026, 0, 1);
const SLOW = 't1';

function newTerminal(): Dismissals {
  const terminal = {
    dismissedChat: null as string | null,
    dismissChat: (id: string | null) => {
      terminal.dismissedChat = id;
    },
  };
  return terminal;
}

/** Starts with three terminals whose agents were cut off. Returns the commands that ran, by terminal. */
function startWith(setting: Settings['past.continue']): { past: Past; ran: string[] } {
  const place = new PastHome();
  onTestFinished(() => place[Symbol.dispose]());
  for (const terminalId of [SLOW, 't2', 't3'])
    recordTalk(place.dataFolder, {
      ...{ terminalId, agent: 'claude', cwd: '/', fromMs: START_MS, toMs: START_MS + 9_000, resumeId: terminalId },
      said: [{ kind: 'user', text: 'Mend it', atMs: START_MS + 300 }],
    });
  const ran: string[] = [];
  const terminals = new Map([SLOW, 't2', 't3'].map((id) => [id, newTerminal()]));
  const past = new Past({
    ...{ dataFolder: place.dataFolder, home: place.home, env: {}, clock: new FakeClock(), log: () => undefined },
    files: { pastWorker: new URL('file:///none') },
    settings: { value: { 'past.continue': setting } as Settings, update: () => expect.unreachable() },
    chats: new ConversationStore(place.dataFolder, () => undefined),
    find: () => expect.unreachable(),
    opening: {
      agentCommand: () => expect.unreachable(),
      runIn: (terminalId, { cmd, returning }) => {
        if (terminalId === SLOW) return new Promise(() => undefined);
        returning();
        ran.push(`${terminalId}: ${cmd}`);
        return Promise.resolve();
      },
    },
    openIds: () => [SLOW, 't2', 't3'],
    terminal: (id) => terminals.get(id),
    lastCommandBefore: async () => ({ id: 'b1', endedBy: 'recovery' }) as Block,
    warn: (text) => expect.unreachable(text),
    onImported: () => undefined,
  });
  onTestFinished(() => past.dispose());
  past.start();
  return { past, ran };
}

test('"always" continues each conversation that a restart cut off, also beside a shell that does not start', async () => {
  const { past, ran } = startWith('always');
  await soon(() => ran.toSorted()).toEqual(['t2: claude --resume t2', 't3: claude --resume t3']);
  await soon(() => past.continuing.lastIn('t2')).toBeNull();
});

test.each(['ask', 'never'] as const)('"%s" continues none by itself', async (setting) => {
  const { past, ran } = startWith(setting);
  await soon(async () => (await past.continuing.lastIn('t3'))?.command).toBe('claude --resume t3');
  expect(ran).toEqual([]);
});
