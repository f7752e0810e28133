import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { AgentQuestion, AgentRow } from '../../../src-main/contract/agents.ts';
import type { ChatLine } from '../../../src-main/contract/chat/chat.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { seeded } from '../../support/ParagraphAgent.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';

const SIZE = { cols: 100, rows: 30 };
const cores: TestCore[] = [];

afterEach(async () => {
  for (const core of cores.splice(0)) await core.dispose();
});

/** A terminal with an agent that waits for a prompt, and a reader of the agent's file of answers. */
async function atWork(name = 'codex'): Promise<{ core: TestCore; terminal: PtyInstance; answers: () => string[] }> {
  const core = await TestCore.start();
  cores.push(core);
  const log = join(core.home, 'answers');
  writeFileSync(log, '');
  const terminal = await core.open('bash', SIZE);
  await begin(terminal, `${installDrawnAgent(core.home, name)} ${log}`);
  await until(terminal, ({ view }) => view.agent?.name === name && view.title === 'project');
  if (name === 'codex') await until(terminal, ({ view }) => view.agent?.state === 'idle');
  return { core, terminal, answers: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

async function rowWhere(core: TestCore, isMet: (row: AgentRow) => boolean): Promise<AgentRow> {
  const following = new AbortController();
  for await (const change of core.core.agents.board.follow(
    AbortSignal.any([following.signal, AbortSignal.timeout(20_000)]),
  )) {
    const rows = change.type === 'all' ? change.rows : change.type === 'row' ? [change.row] : [];
    const row = rows.find(isMet);
    if (!row) continue;
    following.abort();
    return row;
  }
  throw new Error('no row met the condition');
}

/** Resolves with the board's question once it differs from `before`. */
async function questionAfter(core: TestCore, terminal: PtyInstance, before?: AgentQuestion): Promise<AgentQuestion> {
  const { question } = await rowWhere(
    core,
    (row) =>
      row.terminalId === terminal.id && (row.question?.options.length ?? 0) > 0 && row.question?.id !== before?.id,
  );
  if (!question) throw new Error('the row lost its question');
  return question;
}

describe('an answer from the list of agents', () => {
  test('chooses the option that the person picked, and says so when the question is gone', async () => {
    const { core, terminal, answers } = await atWork();
    terminal.type('ask 1\r');
    const question = await questionAfter(core, terminal);
    expect(question.text).toContain('npm test part-0');
    expect(question.options).toHaveLength(3);
    const verdict = await core.core.agents.answer({ terminalId: terminal.id, questionId: question.id, option: 1 });
    expect(verdict).toEqual({ ok: true });
    expect(answers()).toEqual(['0 1']);
    await until(terminal, ({ view }) => view.agent?.state === 'idle');
    const asked = terminal.chat.lines.find((line) => 'kind' in line && line.kind === 'permission');
    expect(asked && 'kind' in asked && asked.question?.verdict).toMatchObject({
      choice: question.options[1],
      by: 'user',
    });
  });

  test('goes to no other question, though it has the same options', async () => {
    const { core, terminal, answers } = await atWork();
    terminal.type('ask 2\r');
    const first = await questionAfter(core, terminal);
    terminal.type('1');
    const second = await questionAfter(core, terminal, first);
    expect(second.options).toEqual(first.options);
    const late = await core.core.agents.answer({ terminalId: terminal.id, questionId: first.id, option: 0 });
    expect(late).toEqual({ ok: false, reason: 'changed' });
    expect(answers()).toEqual(['0 0']);
  });

  test('reaches each question once while a person answers in the terminal too', async () => {
    const { core, terminal, answers } = await atWork();
    const random = seeded(41);
    const COUNT = 12;
    terminal.type(`ask ${COUNT}\r`);
    const given = new Map<string, number>();
    let before: AgentQuestion | undefined;
    while (answers().length < COUNT) {
      const question: AgentQuestion = await questionAfter(core, terminal, before);
      before = question;
      const option = Math.floor(random() * 3);
      const answering = core.core.agents.answer({ terminalId: terminal.id, questionId: question.id, option });
      if (random() < 0.4) {
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
        terminal.type(String(1 + Math.floor(random() * 3)));
      }
      const number = /part-(\d+)/.exec(question.text)?.[1] ?? '';
      if ((await answering).ok) given.set(number, option);
    }
    const chosen = new Map(answers().map((line) => line.split(' ') as [string, string]));
    expect(answers()).toHaveLength(COUNT);
    expect(chosen.size).toBe(COUNT);
    expect(given.size).toBeGreaterThan(0);
    for (const [number, option] of given) expect([number, chosen.get(number)]).toEqual([number, String(option)]);
  });
});

describe('a reply from the list of agents', () => {
  test('is sent at once to an agent that takes input, and else waits for the end of its turn', async () => {
    const { core, terminal } = await atWork();
    const reply = (text: string) => core.core.agents.reply({ terminalId: terminal.id, text });
    expect(await reply('first line\nsecond line')).toEqual({ ok: true, sent: true });
    await until(terminal, ({ view }) => view.agent?.state === 'idle');
    terminal.type('work\r');
    await until(terminal, ({ view }) => view.agent?.state === 'working');
    expect(await reply('behind the work')).toEqual({ ok: true, sent: false });
    const { queued } = await rowWhere(core, (row) => row.queued.length > 0);
    expect(queued).toMatchObject([{ text: 'behind the work', waitsFor: 'turn' }]);
    expect(await core.core.agents.interrupt(terminal.id)).toEqual({ ok: true });
    await rowWhere(core, (row) => row.queued.length === 0);
    await until(terminal, ({ chat }) => prompts(chat.lines).includes('behind the work'));
    expect(prompts(terminal.chat.lines)).toEqual(['first line\nsecond line', 'work', 'behind the work']);
  });

  test('answers no question of an agent that is slow to ask it', async () => {
    const { core, terminal, answers } = await atWork();
    await core.core.agents.reply({ terminalId: terminal.id, text: 'ask 1 1700' });
    await questionAfter(core, terminal);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([answers(), terminal.view.agent?.state]).toEqual([[], 'needs_approval']);
  });

  test('never joins what the person has typed into the agent’s own line', async () => {
    const { core, terminal } = await atWork();
    terminal.type('half a thou');
    const verdict = await core.core.agents.reply({ terminalId: terminal.id, text: 'from the list' });
    expect(verdict).toEqual({ ok: true, sent: false });
    terminal.type('ght\r');
    await until(terminal, ({ chat }) => prompts(chat.lines).length === 2);
    expect(prompts(terminal.chat.lines)).toEqual(['half a thought', 'from the list']);
  });

  test('stays in sight when its agent has ended, is kept over a restart of the core, and can be taken back', async () => {
    const { core, terminal } = await atWork();
    terminal.type('work\r');
    await until(terminal, ({ view }) => view.agent?.state === 'working');
    await core.core.agents.reply({ terminalId: terminal.id, text: 'for later' });
    const { queued, conversationId } = await rowWhere(core, (row) => row.queued.length > 0);
    await core.core.close(terminal.id, true);
    const ended = await rowWhere(core, (row) => row.state === 'exited');
    expect(ended.queued).toMatchObject([{ text: 'for later', waitsFor: 'agent' }]);
    await core.core.stop();
    const again = await TestCore.start({ dataFolder: core.dataFolder });
    cores.push(again);
    expect(again.core.agents.replies.of(terminal.id, conversationId)).toMatchObject([
      { text: 'for later', waitsFor: 'agent' },
    ]);
    expect(await again.core.agents.replies.cancel(queued[0]?.id ?? '')).toBe('for later');
    expect(again.core.agents.replies.of(terminal.id, conversationId)).toEqual([]);
  });
});

function prompts(lines: readonly ChatLine[]): string[] {
  return lines
    .filter((line) => 'kind' in line && line.kind === 'user')
    .map((line) => ('kind' in line ? line.text : ''));
}

describe('an agent without an extractor', () => {
  test('asks on the list as any other, says that it is generic, and is answered once its pointer has moved', async () => {
    const { core, terminal, answers } = await atWork('crush');
    terminal.type('ask 1\r');
    const question = await questionAfter(core, terminal);
    const row = await rowWhere(core, ({ terminalId }) => terminalId === terminal.id);
    expect([row.agent, row.label, row.state]).toEqual(['crush', 'Crush (generic)', 'needs_approval']);
    expect([question.obstacle, question.options.length]).toEqual([null, 3]);
    // for the option that is already selected, the answer moves the pointer away and back
    expect(await core.core.agents.answer({ terminalId: terminal.id, questionId: question.id, option: 0 })).toEqual({
      ok: true,
    });
    await until(terminal, ({ view }) => view.agent?.state === 'unknown');
    terminal.type('ask 1\r');
    const next = await questionAfter(core, terminal, question);
    expect(await core.core.agents.answer({ terminalId: terminal.id, questionId: next.id, option: 2 })).toEqual({
      ok: true,
    });
    await until(terminal, ({ view }) => view.agent?.state === 'unknown');
    expect(answers()).toContain('0 0');
    expect(answers()).toContain('1 2');
  });
});
