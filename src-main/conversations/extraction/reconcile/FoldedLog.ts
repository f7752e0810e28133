import type { PlanSource, SubAgent } from '../../../contract/chat/progress.ts';
import { type Fields, parseObject } from './jsonFields.ts';
import { LogFold } from './LogFold.ts';
import type { LogMessage, LogParser, LogSession, MessageFold, ParserStart } from './LogMessage.ts';
import { PlanFold, type PlanTool } from './PlanFold.ts';
import { SubAgentFold } from './SubAgentFold.ts';
import { sessionOf } from './sessionOf.ts';

/** Folds the lines of a log into messages, a plan and sub-agents; a subclass knows what a line means. */
export abstract class FoldedLog implements LogParser {
  session: LogSession;
  protected readonly fold: MessageFold;
  protected readonly planFold: PlanFold;
  protected readonly subAgentFold: SubAgentFold;

  /** `planTools`: the agent's to-do tools by name. */
  constructor(
    planTools: Readonly<Record<string, PlanTool>>,
    { fold = new LogFold(), state = {} }: Partial<ParserStart> = {},
  ) {
    this.fold = fold;
    this.session = sessionOf(state);
    this.planFold = new PlanFold(planTools, state.plan);
    this.subAgentFold = new SubAgentFold(state.subAgents);
  }

  get state(): object {
    return { session: this.session, plan: this.planFold.state, subAgents: this.subAgentFold.state };
  }

  get plan(): PlanSource | null {
    return this.planFold.plan;
  }

  get subAgents(): readonly SubAgent[] {
    return this.subAgentFold.all;
  }

  get messages(): readonly LogMessage[] {
    return this.fold.messages;
  }

  feed(line: string, _side?: string): void {
    const record = parseObject(line);
    if (record) this.take(record);
  }

  abstract take(record: Fields): void;
}
