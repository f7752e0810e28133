import type { Agents } from '../../agents/Agents.ts';
import { waitsFor } from '../../agents/sendReply.ts';
import type { AgentQuestion, AgentRow } from '../../contract/agents.ts';
import { actorOf, type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { guardWrite } from '../exec/guardWrite.ts';
import { askPerson } from '../input/askPerson.ts';
import { type Ask, InputJudge, type JudgeDeps } from '../input/InputJudge.ts';
import { untilQuiet } from '../input/untilQuiet.ts';
import { auditRuleOf, decisionOf, deniedBy, faults, thrown } from '../protocol/execFaults.ts';
import { isAgentCommand, notAnswered, notTaken, optionOf } from './agentFaults.ts';
import { PromptRing, type PromptRingDeps } from './PromptRing.ts';
import { lastOrder } from './turns.ts';

export interface AgentsDeps extends JudgeDeps, PromptRingDeps {
  readonly clock: Clock;
  readonly randomId: (bytes: number) => string;
  /** Returns the agents of the core; throws before the core has started. */
  agents(): Agents;
  audit(entry: AuditEntry): void;
}

export interface AgentHow {
  /** Throws if the client is no longer allowed, because its scope was removed or the terminal is hidden. Called right before each key. */
  stillMay(): void;
  /** Begins a wait for the person's answer. Returns a function that ends the wait. */
  beginWait(): () => void;
}

export interface AnswerWish {
  readonly terminalId: string;
  readonly questionId: string;
  /** The label of the option. */
  readonly option: string;
}

export interface PromptWish {
  readonly terminalId: string;
  readonly text: string;
}

type Told = Pick<AuditEntry, 'decision' | 'rule' | 'bytes'>;

/** Lets MCP clients read, prompt and answer the agents in terminals, with the same code as the Agents page. */
export class AgentsService {
  readonly #deps: AgentsDeps;
  readonly #judge: InputJudge;
  readonly #ring: PromptRing;

  constructor(deps: AgentsDeps) {
    this.#deps = deps;
    this.#judge = new InputJudge(deps);
    this.#ring = new PromptRing(deps);
  }

  /** Lists agents, with waiting ones first. */
  rows(): Promise<readonly AgentRow[]> {
    return this.#deps.agents().board.running();
  }

  /** Reads the agent of a terminal; null if no agent runs there. */
  async row(terminalId: string): Promise<AgentRow | null> {
    const terminal = this.#deps.terminal(terminalId);
    return terminal ? this.#deps.agents().board.rowIn(terminal) : null;
  }

  /** Chooses an option of exactly that question. If it throws a ToolFault, no option was chosen, unless the fault says that keys were sent. */
  async answer(
    wish: AnswerWish,
    caller: McpCaller,
    how: AgentHow,
  ): Promise<{ choice: string; question: AgentQuestion }> {
    const { terminalId, questionId, option } = wish;
    const args = { pty_id: terminalId, question_id: questionId, option };
    return this.#audited({ tool: 'agents_answer', terminalId, what: option, args }, caller, async (tell) => {
      const terminal = this.#live(terminalId);
      this.#mayTry(terminal, caller);
      this.#mayAnswer();
      const row = await this.row(terminalId);
      const { question, at } = optionOf(row, { questionId, option });
      const choice = question.options[at] ?? '';
      await this.#untilQuiet(terminal);
      this.#judge.check(terminal, { caller, leaseId: null });
      await this.#ask(terminal, caller, how, {
        rule: 'agent_dialogs',
        reason: 'a client wants to answer the question of an agent there',
        kind: 'answer',
        cmd: `${oneLine(question.text)} → ${choice}`,
      });
      const guard = (): void => {
        how.stillMay();
        this.#mayAnswer();
        this.#judge.check(terminal, { caller, leaseId: null });
      };
      guard();
      const verdict = await this.#deps.agents().answer({ terminalId, questionId, option: at }, actorOf(caller), guard);
      if (!verdict.ok) throw notAnswered(verdict.reason);
      tell({ decision: 'approved', rule: 'agent_dialogs', bytes: 1 });
      return { choice, question };
    });
  }

  /** Sends an agent a prompt if it takes one now. `after`: the position in its conversation after which the answer comes. */
  async prompt(wish: PromptWish, caller: McpCaller, how: AgentHow): Promise<{ isSeen: boolean; after: number }> {
    const { terminalId, text } = wish;
    const args = { pty_id: terminalId, text };
    return this.#audited({ tool: 'agents_prompt', terminalId, what: text, args }, caller, async (tell) => {
      const terminal = this.#live(terminalId);
      this.#mayTry(terminal, caller);
      if (isAgentCommand(text)) throw deniedBy(AGENT_COMMAND);
      await this.#ring.recall();
      this.#ring.check(terminalId, caller);
      this.#checkTakes(terminal);
      await this.#untilQuiet(terminal);
      this.#judge.check(terminal, { caller, leaseId: null });
      this.#checkTakes(terminal);
      const isAsking = this.#deps.policy().policy.input.default === 'ask';
      if (isAsking) await this.#ask(terminal, caller, how, { ...PROMPT, cmd: text });
      const guard = (): void => {
        how.stillMay();
        this.#judge.check(terminal, { caller, leaseId: null });
        this.#ring.check(terminalId, caller);
      };
      guard();
      const after = lastOrder(terminal);
      const outcome = await this.#deps.agents().promptNow({ terminalId, text }, actorOf(caller), guard);
      if ('waitsFor' in outcome) throw notTaken(outcome.waitsFor);
      this.#ring.prompted(terminalId, caller);
      tell({ decision: isAsking ? 'approved' : 'allowed', rule: 'input', bytes: Buffer.byteLength(text) });
      return { isSeen: outcome.isSeen, after };
    });
  }

  forget(terminalId: string): void {
    this.#ring.forget(terminalId);
  }

  #live(terminalId: string): PtyInstance {
    const terminal = this.#deps.terminal(terminalId);
    if (terminal) return terminal;
    throw thrown(faults.gone(terminalId));
  }

  /** Throws if the policy or the terminal refuses every prompt of this client, so that no call waits for it. */
  #mayTry(terminal: PtyInstance, caller: McpCaller): void {
    guardWrite(caller, terminal);
    if (this.#deps.policy().policy.input.default === 'deny') throw deniedBy(NO_INPUT);
  }

  #mayAnswer(): void {
    if (this.#deps.policy().policy.input.agent_dialogs === 'deny') throw deniedBy(NO_DIALOGS);
  }

  /** Checks that the agent takes a prompt now, before it asks the person. */
  #checkTakes(terminal: PtyInstance): void {
    const { agent } = terminal.view;
    const waits = agent ? waitsFor(terminal, agent.conversationId) : 'agent';
    if (waits !== null) throw notTaken(waits);
  }

  #untilQuiet(terminal: PtyInstance): Promise<void> {
    const { clock, policy } = this.#deps;
    return untilQuiet(terminal, { clock, holdMs: () => policy().policy.input.typing_hold_ms });
  }

  async #ask(
    terminal: PtyInstance,
    caller: McpCaller,
    how: AgentHow,
    { rule, reason, cmd, kind }: { rule: string; reason: string; cmd: string; kind: 'answer' | 'prompt' },
  ): Promise<void> {
    const ask: Ask = {
      judgement: { verdict: 'ask', rule, reason, subcommand: null, argvs: null },
      kind,
      bound: { cmd, cwd: terminal.view.cwd, terminalId: terminal.id, epoch: '' },
    };
    const endWait = how.beginWait();
    await askPerson(ask, caller, this.#deps).finally(endWait);
  }

  async #audited<T>(
    entry: Pick<AuditEntry, 'tool' | 'what'> & { terminalId: string; args: object },
    caller: McpCaller,
    run: (tell: (told: Told) => void) => Promise<T>,
  ): Promise<T> {
    const { terminalId: pty, ...about } = entry;
    const tell = (told: Told): void =>
      this.#deps.audit({ ...about, client: caller.name, callerPty: caller.terminalId, pty, ...told });
    try {
      return await run(tell);
    } catch (error) {
      if (error instanceof ToolFault) tell({ decision: decisionOf(error.code), rule: auditRuleOf(error), bytes: 0 });
      throw error;
    }
  }
}

const NO_INPUT = { rule: 'input', reason: 'clients may not type into terminals', subcommand: null };
const NO_DIALOGS = {
  rule: 'agent_dialogs',
  reason: 'an agent shows a dialog there, and only the person answers it',
  subcommand: null,
};
const AGENT_COMMAND = {
  rule: 'agent_command',
  reason: 'a prompt that begins with "!" or "/" is a command of the agent',
  subcommand: null,
};
const PROMPT = { kind: 'prompt', rule: 'input', reason: 'a client wants to give the agent there a prompt' } as const;

/** Describes the question and the option for the person who approves it. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' · ');
}
