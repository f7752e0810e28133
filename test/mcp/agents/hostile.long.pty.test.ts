import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AgentQuestion } from '../../../src-main/contract/agents.ts';
import type { ToolFault } from '../../../src-main/contract/mcp/mcp.ts';
import type { AgentHow } from '../../../src-main/mcp/agents/AgentsService.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { killHost } from '../../support/hostProcess.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';
import { caller, setPolicy } from '../exec/clients.ts';

const ASKING = { input: { default: 'allow', agent_dialogs: 'ask' } };
const HOW: AgentHow = { stillMay: () => undefined, beginWait: () => () => undefined };
const cores: TestCore[] = [];

afterEach(async () => {
  for (const core of cores.splice(0)) await core.dispose();
});

async function start(): Promise<TestCore> {
  const core = await TestCore.start();
  cores.push(core);
  setPolicy(core, ASKING);
  return core;
}

/** A terminal with an idle agent, and the answers that the agent got. */
async function withAgent(core: TestCore): Promise<{ terminal: PtyInstance; answers: () => string[] }> {
  const terminal = await core.open('bash', { cols: 100, rows: 30 });
  const log = join(core.home, `answers-${terminal.id}`);
  writeFileSync(log, '');
  await begin(terminal, `${installDrawnAgent(core.home)} ${log}`);
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
  return { terminal, answers: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

async function questionOf(core: TestCore, terminal: PtyInstance): Promise<AgentQuestion> {
  const shown = async () => (await core.core.clients.agents.row(terminal.id))?.question ?? null;
  await expect.poll(async () => (await shown())?.options.length ?? 0, { timeout: 20_000 }).toBeGreaterThan(0);
  const question = await shown();
  return question ?? expect.unreachable('the question went away by itself');
}

const codeOf = (doing: Promise<unknown>): Promise<string | null> =>
  doing.then(
    () => null,
    (error: ToolFault) => error.code ?? String(error),
  );

/** When a client asks for approval, runs `act`, then approves once. */
function whenAsked({ core }: TestCore, act: () => unknown): void {
  const stop = new AbortController();
  void (async () => {
    for await (const change of core.clients.approvals.follow(stop.signal)) {
      if (change.type !== 'asked') continue;
      await act();
      core.clients.approvals.answer(change.approval.id, { choice: 'once' });
      return stop.abort();
    }
  })();
}

describe('an answer of a client', () => {
  async function asked() {
    const core = await start();
    const { terminal, answers } = await withAgent(core);
    terminal.type('ask 2\r');
    const question = await questionOf(core, terminal);
    const wish = { terminalId: terminal.id, questionId: question.id, option: question.options[0] ?? '' };
    return { core, terminal, answers, question, wish };
  }

  test('reaches no dialog that has come between the list and the answer, nor between the yes and the keys', async () => {
    const { core, terminal, answers, question, wish } = await asked();
    whenAsked(core, async () => {
      terminal.type('2');
      await expect.poll(async () => (await questionOf(core, terminal)).id).not.toBe(question.id);
    });
    expect(await codeOf(core.core.clients.agents.answer(wish, caller(), HOW))).toMatch(/^(SEQ_MISMATCH|USER_TYPING)$/);
    expect(answers()).toEqual(['0 1']);
    expect(await codeOf(core.core.clients.agents.answer(wish, caller(), HOW))).toBe('SEQ_MISMATCH');
    expect(answers()).toEqual(['0 1']);
  }, 60_000);

  test.each<[string, (core: TestCore) => void]>([
    ['the dialogs are denied', (core) => setPolicy(core, { input: { default: 'allow', agent_dialogs: 'deny' } })],
    ['all input is denied', (core) => setPolicy(core, { input: { default: 'deny', agent_dialogs: 'ask' } })],
    ['the file is broken', (core) => writeFileSync(join(core.dataFolder, 'policy.json'), '{', { mode: 0o600 })],
  ])(
    'is not sent when %s while the person is asked',
    async (_, change) => {
      const { core, answers, wish } = await asked();
      whenAsked(core, () => change(core));
      expect(await codeOf(core.core.clients.agents.answer(wish, caller(), HOW))).toBe('DENIED_BY_POLICY');
      expect(answers()).toEqual([]);
    },
    60_000,
  );

  test('is not sent when its scope is taken away while the person is asked', async () => {
    const { core, answers, wish } = await asked();
    let isAllowed = true;
    whenAsked(core, () => {
      isAllowed = false;
    });
    const stillMay = () => {
      if (!isAllowed) throw Object.assign(new Error('gone'), { code: 'NOT_ALLOWED_SCOPE' });
    };
    expect(await codeOf(core.core.clients.agents.answer(wish, caller(), { ...HOW, stillMay }))).toBe(
      'NOT_ALLOWED_SCOPE',
    );
    expect(answers()).toEqual([]);
  }, 60_000);

  test('is for the agent of another terminal alone, of a client whose place is known, and for one option', async () => {
    const { core, terminal, answers, wish } = await asked();
    const { agents } = core.core.clients;
    const own = caller('inside', { terminalId: terminal.id });
    expect(await codeOf(agents.answer(wish, own, HOW))).toBe('SELF_PTY');
    expect(await codeOf(agents.prompt({ terminalId: terminal.id, text: 'yes' }, own, HOW))).toBe('SELF_PTY');
    const nobody = caller('http', { isVerified: false });
    expect(await codeOf(agents.answer(wish, nobody, HOW))).toBe('NOT_ALLOWED_SCOPE');
    for (const option of ['', 'Yes', '1', '\u001b[B\r', 'Y'.repeat(1000)])
      expect(await codeOf(agents.answer({ ...wish, option }, caller(), HOW))).toBe('BAD_INPUT');
    expect(await codeOf(agents.answer({ ...wish, questionId: 'x'.repeat(64) }, caller(), HOW))).toBe('SEQ_MISMATCH');
    expect(await codeOf(agents.answer({ ...wish, terminalId: 'nowhere' }, caller(), HOW))).toBe('PTY_GONE');
    expect(answers()).toEqual([]);
  }, 60_000);

  test('is given once, though many clients give it at the same time', async () => {
    const { core, answers, wish } = await asked();
    const { approvals, agents } = core.core.clients;
    const given = Array.from({ length: 4 }, (_, at) => codeOf(agents.answer(wish, caller(`client-${at}`), HOW)));
    await expect.poll(() => approvals.open.length).toBe(4);
    for (const { id } of approvals.open) approvals.answer(id, { choice: 'once' });
    expect((await Promise.all(given)).filter((code) => code === null)).toHaveLength(1);
    expect(answers()).toEqual(['0 0']);
  }, 60_000);
});

describe('a prompt of a client', () => {
  test('goes to an idle agent with an empty line, as one prompt, and to no other', async () => {
    const core = await start();
    const { terminal } = await withAgent(core);
    const prompt = (text: string) =>
      codeOf(core.core.clients.agents.prompt({ terminalId: terminal.id, text }, caller(), HOW));
    for (const text of ['/quit', '!rm -rf x', '  !ls', '\n/clear', '\u200b!ls'])
      expect(await prompt(text)).toBe('DENIED_BY_POLICY');
    terminal.type('half a thought');
    await until(terminal, ({ agents }) => (agents.run?.draft ?? '') !== '');
    expect(await prompt('hello')).toBe('USER_TYPING');
    terminal.type('\r');
    await until(terminal, ({ agents, view }) => agents.run?.draft === '' && view.agent?.state === 'idle');
    terminal.type('work\r');
    await until(terminal, ({ view }) => view.agent?.state === 'working');
    expect(await prompt('hello')).toMatch(/^(BUSY|USER_TYPING)$/);
    terminal.type('\u001b');
    await until(terminal, ({ view }) => view.agent?.state === 'idle');
    expect(await prompt('two\nlines')).toBeNull();
    expect(core.core.agents.replies.of(terminal.id, terminal.view.agent?.conversationId ?? '')).toEqual([]);
  }, 90_000);

  test('does not come back in a ring, by whatever way around, until the person has spoken', async () => {
    const core = await start();
    const [a, b, c] = [await withAgent(core), await withAgent(core), await withAgent(core)].map(
      ({ terminal }) => terminal,
    );
    const ask = (from: PtyInstance | undefined, to: PtyInstance | undefined) =>
      codeOf(
        core.core.clients.agents.prompt(
          { terminalId: to?.id ?? '', text: 'hello' },
          caller('in', { terminalId: from?.id ?? '' }),
          HOW,
        ),
      );
    expect(await ask(a, b)).toBeNull();
    expect(await ask(b, a)).toBe('SELF_PTY');
    expect(await ask(b, c)).toBeNull();
    expect(await ask(c, a)).toBe('SELF_PTY');
    expect(await ask(c, b)).toBe('SELF_PTY');
    const { audit } = core.core.clients;
    const { lines } = await audit.page({ limit: 10 });
    expect(lines.map(({ caller_pty, pty, rule }) => [caller_pty, pty, rule]).reverse()).toEqual([
      [a?.id, b?.id, 'input'],
      [b?.id, a?.id, 'SELF_PTY'],
      [b?.id, c?.id, 'input'],
      [c?.id, a?.id, 'SELF_PTY'],
      [c?.id, b?.id, 'SELF_PTY'],
    ]);
    b?.type('now it is me\r');
    if (b)
      await until(b, ({ chat }) =>
        chat.lines.some((line) => 'kind' in line && line.kind === 'user' && line.actor === 'user'),
      );
    expect(await ask(b, a)).toBeNull();
  }, 120_000);

  test('does not come back in a ring after a restart of the core, either', async () => {
    vi.stubEnv('HANSARD_PTY_HOST', 'on');
    onTestFinished(() => void vi.unstubAllEnvs());
    const first = await TestCore.start();
    setPolicy(first, ASKING);
    const [a, b, c] = [await withAgent(first), await withAgent(first), await withAgent(first)].map(
      ({ terminal }) => terminal.id,
    );
    const ask = ({ core }: TestCore, from = '', to = '') =>
      codeOf(core.clients.agents.prompt({ terminalId: to, text: 'hello' }, caller('in', { terminalId: from }), HOW));
    expect(await ask(first, a, b)).toBeNull();
    expect(await ask(first, b, c)).toBeNull();
    await first.leave();
    const core = await TestCore.start({ dataFolder: first.dataFolder });
    cores.push(core);
    onTestFinished(() => {
      killHost(first.dataFolder);
      rmSync(first.home, { recursive: true, force: true });
    });
    for (const id of [a, b, c]) await until(core.core.terminal(id ?? ''), ({ view }) => view.agent?.state === 'idle');
    expect(await ask(core, b, a)).toBe('SELF_PTY');
    expect(await ask(core, c, a)).toBe('SELF_PTY');
    core.core.terminal(b ?? '').type('now it is me\r');
    await until(core.core.terminal(b ?? ''), ({ chat }) =>
      chat.lines.some((line) => 'kind' in line && line.kind === 'user' && line.actor === 'user'),
    );
    expect(await ask(core, b, a)).toBeNull();
  }, 120_000);
});
