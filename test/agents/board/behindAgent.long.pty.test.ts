import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readQuestion } from '../../../src-main/agents/readQuestion.ts';
import { waitsFor } from '../../../src-main/agents/sendReply.ts';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';

const SIZE = { cols: 100, rows: 30 };
const SHELL_QUESTION = [
  'Would you like to run the following command?\\n\\n  $ npm test part-0\\n',
  '› 1. Yes, proceed (y)\\n  2. Yes, and don’t ask again (p)\\n  3. No, and say what to do differently (esc)\\n',
  '  Press enter to confirm or esc to cancel',
].join('\\n');

/** Commands behind the agent's that draw a question like the agent's. `LOG`: the file that gets each answer. */
const OTHERS = [
  ['another program', 'lookalike LOG', 'ask 1\r'],
  ['a program of a shell of its own', "sh -c 'lookalike LOG; true'", 'ask 1\r'],
  ['the shell', `printf '\\e[2J\\e[H${SHELL_QUESTION}'; while read -rsn1 key; do echo "$key" >> LOG; done`, ''],
] as const;
/** Longer than it takes until the run of a missing agent has ended. */
const WATCHED_MS = 1_500;

const cores: TestCore[] = [];

afterEach(async () => {
  for (const core of cores.splice(0)) await core.dispose();
});

/** A terminal whose command is an agent that waits for a prompt, and `other` behind it. */
async function agentAnd(other: string): Promise<{ core: TestCore; terminal: PtyInstance; answers: () => string }> {
  const core = await TestCore.start();
  cores.push(core);
  const logs = [join(core.home, 'first'), join(core.home, 'second')];
  for (const log of logs) writeFileSync(log, '');
  const [codex, lookalike] = [installDrawnAgent(core.home), installDrawnAgent(core.home, 'lookalike')];
  const behind = other
    .replace('codex', codex)
    .replace('lookalike', lookalike)
    .replace('LOG', logs[1] ?? '');
  const terminal = await core.open('bash', SIZE);
  await begin(terminal, `${codex} ${logs[0]}; ${behind}`);
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
  return { core, terminal, answers: () => readFileSync(logs[1] ?? '', 'utf8') };
}

const messagesOf = ({ chat }: PtyInstance): ChatMessage[] =>
  chat.lines.flatMap((line) => ('kind' in line ? [line] : []));

async function untilDrawn(terminal: PtyInstance, text: string): Promise<void> {
  for (;;) {
    const { rows } = await terminal.screen.drawn();
    if (rows.some((row) => row.text.includes(text))) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a command behind the agent in one command line', () => {
  test.each(OTHERS)('%s asks no question of the agent, gets no reply, and says nothing in its name', async (...row) => {
    const [, other, keys] = row;
    const { terminal, answers } = await agentAnd(other);
    const { conversationId = '' } = terminal.view.agent ?? {};
    terminal.type('hello\r');
    await until(
      terminal,
      ({ view, chat }) => view.agent?.state === 'idle' && JSON.stringify(chat.lines).includes('Row 60'),
    );
    terminal.type('\x04');
    if (keys !== '') await untilDrawn(terminal, '>_ lookalike');
    terminal.type(keys);
    await untilDrawn(terminal, 'part-0');
    const untilMs = performance.now() + WATCHED_MS;
    while (performance.now() < untilMs) {
      expect([await readQuestion(terminal), waitsFor(terminal, conversationId)]).toEqual([null, 'agent']);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until(terminal, ({ view }) => view.agent === null);
    await terminal.agents.settled();
    expect(answers()).toBe('');
    const isForeign = ({ text }: ChatMessage) => text.includes('part-0');
    for (const message of messagesOf(terminal))
      expect([message.text, message.doubtful?.reason === 'foreign']).toEqual([message.text, isForeign(message)]);
    expect(messagesOf(terminal).filter(({ kind }) => kind === 'model')).toHaveLength(1);
  });

  test('the same agent again has a conversation and questions of its own', async () => {
    const { core, terminal, answers } = await agentAnd('codex LOG');
    const first = terminal.view.agent?.conversationId;
    terminal.type('hello\r');
    await until(
      terminal,
      ({ view, chat }) => view.agent?.state === 'idle' && JSON.stringify(chat.lines).includes('Row 60'),
    );
    terminal.type('\x04');
    await until(terminal, ({ view }) => view.agent?.state === 'idle' && view.agent.conversationId !== first);
    terminal.type('ask 1\r');
    await until(terminal, ({ view }) => view.agent?.state === 'needs_approval');
    const shown = await readQuestion(terminal);
    const questionId = shown?.question.id ?? '';
    expect(await core.core.agents.answer({ terminalId: terminal.id, questionId, option: 1 })).toEqual({ ok: true });
    expect(answers()).toBe('0 1\n');
    const ofFirst = messagesOf(terminal).filter(({ conversationId }) => conversationId === first);
    const ofSecond = messagesOf(terminal).filter(({ conversationId }) => conversationId !== first);
    expect([JSON.stringify(ofFirst).includes('part-0'), JSON.stringify(ofSecond).includes('part-0')]).toEqual([
      false,
      true,
    ]);
    expect([JSON.stringify(ofFirst).includes('Row 60'), JSON.stringify(ofSecond).includes('Row 60')]).toEqual([
      true,
      false,
    ]);
  });
});
