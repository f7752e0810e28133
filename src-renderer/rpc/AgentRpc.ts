import type {
  AgentAnswer,
  AgentsChange,
  AnswerVerdict,
  InterruptVerdict,
  ReplyVerdict,
} from '../../src-main/contract/agents.ts';
import type { AgentChoice } from '../../src-main/contract/api.ts';
import type { KnownAgent, StartAgent, StartVerdict } from '../../src-main/contract/startAgent.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import type { RemovalVerdict, RepositoryChoices, WorktreeRemoval } from '../../src-main/contract/worktrees.ts';
import type { PastRpc } from './PastRpc.ts';
import type { Listen, OnMachine, Stop } from './Rpc.ts';

/** All agents of the open terminals, and new ones. */
export interface AgentRpc {
  readonly past: PastRpc;
  /** Agents that are installed. */
  list(input?: OnMachine): Promise<AgentChoice[]>;
  /** A new terminal in which that agent is started. */
  open(input: OnMachine & { name: string; cwd?: string; cols: number; rows: number }): Promise<TerminalView>;
  /** Lists every agent that Hansard knows. */
  known(input?: OnMachine): Promise<KnownAgent[]>;
  start(input: OnMachine & StartAgent & { cols: number; rows: number }): Promise<StartVerdict>;
  repository(input: OnMachine & { cwd: string }): Promise<RepositoryChoices>;
  removeWorktree(input: OnMachine & WorktreeRemoval): Promise<RemovalVerdict>;
  /** All rows, then each that changed. */
  onChange(listen: Listen<AgentsChange>): Stop;
  answer(input: AgentAnswer): Promise<AnswerVerdict>;
  reply(input: { terminalId: string; text: string }): Promise<ReplyVerdict>;
  /** The text that was taken back; null when it has been sent. */
  cancelReply(input: { id: string }): Promise<string | null>;
  interrupt(input: { terminalId: string }): Promise<InterruptVerdict>;
}
