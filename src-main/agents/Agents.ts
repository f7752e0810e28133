import { Changes, type ChangesSpec } from '../changes/Changes.ts';
import type { AgentAnswer, AnswerVerdict, InterruptVerdict, ReplyVerdict } from '../contract/agents.ts';
import { type NameClosedDeps, type NewTitle, nameClosed } from '../conversations/record/nameClosed.ts';
import { Past, type PastSpec } from '../past/Past.ts';
import type { Clock } from '../util/Clock.ts';
import { detach } from '../util/strayErrors.ts';
import { AgentsBoard, type BoardSpec } from './AgentsBoard.ts';
import { agentCards } from './agentCards.ts';
import { answerQuestion } from './answerQuestion.ts';
import { interruptAgent } from './interruptAgent.ts';
import { ReplyQueue, type ReplyQueueSpec } from './ReplyQueue.ts';
import { type ReplyOutcome, sendReply } from './sendReply.ts';

const WHY_NOT = { gone: 'the agent has ended', full: 'too many replies wait' } as const;

export type AgentsSpec = ReplyQueueSpec &
  Omit<BoardSpec, 'replies' | 'changes'> &
  Omit<ChangesSpec, 'cards'> &
  PastSpec &
  NameClosedDeps & { readonly clock: Clock; readonly terminals: { closed(id: string): Promise<void> } };

/** All agents of open terminals: what they do, and the person's input to them. */
export class Agents {
  readonly #spec: AgentsSpec;
  readonly board: AgentsBoard;
  readonly replies: ReplyQueue;
  readonly past: Past;
  /** The changes that agents made in their folders. */
  readonly changes: Changes;

  private constructor(spec: AgentsSpec, replies: ReplyQueue) {
    this.#spec = spec;
    this.replies = replies;
    this.changes = new Changes({ ...spec, cards: agentCards(spec.terminals) });
    this.board = new AgentsBoard({ ...spec, replies, changes: this.changes });
    this.past = new Past(spec);
  }

  static async open(spec: AgentsSpec): Promise<Agents> {
    const agents = new Agents(spec, await ReplyQueue.open(spec));
    agents.past.start();
    return agents;
  }

  /** `guard`: see `AnswerSpec`. */
  async answer(answer: AgentAnswer, actor = 'user', guard?: () => void): Promise<AnswerVerdict> {
    const { terminals, turns, clock, warn } = this.#spec;
    const terminal = terminals.find(answer.terminalId);
    if (!terminal) return { ok: false, reason: 'gone' };
    const { takesText, ...verdict } = await turns.run(terminal.id, () =>
      answerQuestion({ terminal, answer, actor, clock, guard }),
    );
    if (!verdict.ok || answer.text === undefined || takesText) return verdict;
    const reply = await this.replies.add(terminal.id, answer.text, actor);
    if (!reply.ok)
      warn(`The answer was sent without its text (${WHY_NOT[reply.reason]}). It was:\n${answer.text}`, terminal.id);
    return verdict;
  }

  reply({ terminalId, text }: { terminalId: string; text: string }, actor = 'user'): Promise<ReplyVerdict> {
    return this.replies.add(terminalId, text, actor);
  }

  /** Sends a prompt now or not at all, because only the person's prompts may wait. `guard`: see `ReplySpec`. */
  async promptNow(
    { terminalId, text }: { terminalId: string; text: string },
    actor: string,
    guard: () => void,
  ): Promise<ReplyOutcome> {
    const { terminals, turns, clock } = this.#spec;
    return turns.run(terminalId, async () => {
      const terminal = terminals.find(terminalId);
      const conversationId = terminal?.view.agent?.conversationId;
      if (!terminal || conversationId === undefined) return { waitsFor: 'agent' };
      if (this.replies.of(terminalId, conversationId).length > 0) return { waitsFor: 'turn' };
      return sendReply({ terminal, conversationId, text, actor, clock, guard });
    });
  }

  /** Keeps the first prompt for the agent that starts in the terminal; it is sent once the agent takes input. */
  promptFirst(terminalId: string, text: string): Promise<void> {
    return this.replies.addFirst(terminalId, text);
  }

  /** Gives a conversation a title, also if its terminal was closed meanwhile. False if it does not exist, or cannot be written. */
  async name(named: NewTitle): Promise<boolean> {
    const { terminals } = this.#spec;
    const { terminalId, conversationId, title } = named;
    const inOpen = () => terminals.find(terminalId)?.agents.name(conversationId, title);
    const known = await inOpen();
    if (known !== undefined) return known;
    await terminals.closed(terminalId);
    const isNamed = await nameClosed(named, this.#spec, () => terminals.find(terminalId) !== undefined);
    return isNamed || ((await inOpen()) ?? false);
  }

  async interrupt(terminalId: string, actor = 'user'): Promise<InterruptVerdict> {
    const terminal = this.#spec.terminals.find(terminalId);
    return terminal ? interruptAgent({ ...this.#spec, terminal, actor }) : { ok: false, reason: 'gone' };
  }

  dispose(): void {
    this.replies.dispose();
    this.past.dispose();
    detach('Agents', this.changes.dispose());
  }
}
