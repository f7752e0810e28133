import { createHash } from 'node:crypto';
import type { CommandRequest, Judgement } from '../../contract/chat/judgement.ts';
import type { Approval } from '../../contract/mcp/approval.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { ScreenReading } from '../../contract/screen/screen.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import { type ApprovalQueue, approvalHash, type Bound } from '../access/ApprovalQueue.ts';
import type { ExecPolicy } from '../access/ExecPolicy.ts';
import { guardWrite } from '../exec/guardWrite.ts';
import type { ShellLines } from '../exec/ShellLines.ts';
import type { TaintedShells } from '../exec/TaintedShells.ts';
import { deniedBy, faults, thrown } from '../protocol/execFaults.ts';
import { type InputLeases, noLease } from './InputLeases.ts';
import { checkQuiet } from './untilQuiet.ts';

/** The question to the person before something is typed, and what their yes is bound to. */
export interface Ask {
  readonly judgement: Judgement;
  readonly kind: Exclude<Approval['kind'], 'control'>;
  readonly bound: Bound;
}

/** What a client wants to type, and the person's approvals in this call. */
export interface Typing {
  readonly caller: McpCaller;
  /** null without a lease; then the person's input rule applies instead. */
  readonly leaseId: string | null;
  /** In words for a person. */
  readonly said: string;
  /** The person's approvals, so that no question is asked twice. */
  readonly approved: Ask[];
  /** Counts commands over all turns of the call. Throws beyond the limit. */
  countCommands(count: number): void;
}

/** The state at the moment of writing. */
export interface Seen {
  readonly bytes: string;
  readonly reading: ScreenReading;
  /** See `ShellLines.plan`. */
  readonly shown: string | null;
  readonly lines: ShellLines;
}

export interface JudgeDeps {
  readonly approvals: ApprovalQueue;
  readonly leases: InputLeases;
  readonly shells: TaintedShells;
  policy(): ExecPolicy;
}

const NOTHING_ELSE = { verdict: 'ask', subcommand: null, argvs: null } as const;
const DIALOG: Judgement = { ...NOTHING_ELSE, rule: 'agent_dialogs', reason: 'an agent shows a dialog there' };
const INPUT: Judgement = { ...NOTHING_ELSE, rule: 'input', reason: 'the policy asks before a client may type' };

/** Judges whether a client may type now. */
export class InputJudge {
  readonly #deps: JudgeDeps;

  constructor(deps: JudgeDeps) {
    this.#deps = deps;
  }

  /** Checks everything except the screen. Throws if no input is allowed at all. */
  check(terminal: PtyInstance, { caller, leaseId }: Pick<Typing, 'caller' | 'leaseId'>): void {
    guardWrite(caller, terminal);
    if (this.#deps.approvals.isAskedIn(terminal.id))
      throw denied('agent_dialogs', 'a client there asks its person for a yes, and only the person answers');
    if (terminal.view.state === 'exited') throw thrown(faults.gone(terminal.id));
    if (this.#deps.policy().policy.input.default === 'deny')
      throw denied('input', 'clients may not type into terminals');
    const { leases } = this.#deps;
    if (leaseId !== null && !leases.isHeld(leaseId, terminal.id, caller)) throw noLease();
    if (leaseId === null) {
      leases.checkFree(terminal.id, caller);
      checkQuiet(terminal, this.#deps.policy().policy.input.typing_hold_ms);
    }
    if (leaseId === null && leases.status(terminal.id)?.state === 'with-user')
      throw new ToolFault('BUSY', 'you gave the keys to the person', 'wait until you have them back');
  }

  /** Returns the question for the person, or null if the input may be sent. Throws if it may not. */
  judge(terminal: PtyInstance, seen: Seen, typing: Typing): Ask | null {
    const { approved, said } = typing;
    const { policy } = this.#deps.policy();
    const isYes = ({ rule }: Judgement): boolean => approved.some(({ judgement }) => judgement.rule === rule);
    const isDialog = terminal.view.agent?.state === 'needs_approval';
    if (isDialog && policy.input.agent_dialogs === 'deny')
      throw denied(DIALOG.rule, 'an agent shows a dialog there, and only the person answers it');
    for (const ask of approved) checkStill(terminal, ask, seen);
    if (isDialog && !isYes(DIALOG)) return keysAsk(terminal, DIALOG, { said, seen });
    const isAsking = policy.input.default === 'ask' && approved.length === 0;
    if (isAsking && typing.leaseId === null && !this.#deps.leases.hasKeys(terminal.id, typing.caller))
      return keysAsk(terminal, INPUT, { said, seen });
    return this.#judgeCommands(terminal, seen, typing);
  }

  /** Text that ends in Return at a shell's prompt is a command (mcp.md, class 15), and judged as one. */
  #judgeCommands(terminal: PtyInstance, { bytes, shown, reading, lines }: Seen, typing: Typing): Ask | null {
    const reader = lines.reader();
    if (reader === null) return null;
    const plan = lines.plan(bytes, shown);
    if (plan.type === 'unknown')
      throw denied('shell_prompt', `at a shell's prompt it cannot be told what ${plan.key} would run; use pty_exec`);
    typing.countCommands(plan.commands.length);
    for (const cmd of plan.commands) {
      const command: CommandRequest = { cmd, shell: reader.shell, cwd: reader.isNested ? null : terminal.view.cwd };
      const words = reader.isNested ? null : terminal.reports.words.now;
      const judgement = this.#deps.shells.judged(terminal, this.#deps.policy().judge(command, words));
      if (judgement.verdict === 'deny') throw deniedBy(judgement);
      const ask: Ask = { judgement, kind: 'command', bound: boundOf(terminal, cmd, reading.epoch) };
      const isAllowed = judgement.verdict === 'allow' && !reader.isNested;
      if (!isAllowed && !typing.approved.some((yes) => hashOf(yes) === hashOf(ask))) return ask;
    }
    if (!reader.isNested) for (const cmd of plan.commands) this.#deps.shells.ran(terminal, cmd);
    return null;
  }
}

function keysAsk(terminal: PtyInstance, judgement: Judgement, { said, seen }: { said: string; seen: Seen }): Ask {
  return { judgement, kind: 'keys', bound: boundOf(terminal, said, screenMark(judgement, seen.reading)) };
}

function boundOf(terminal: PtyInstance, cmd: string, epoch: string): Bound {
  return { cmd, cwd: terminal.view.cwd, terminalId: terminal.id, epoch };
}

/**
 * The screen that a yes applies to. For a dialog, it is the dialog's content, because the next dialog would accept the same keys; without title and
 * cursor position, which a waiting dialog may keep changing. Elsewhere programs draw all the time, so it is the emulator's epoch.
 */
function screenMark({ rule }: Judgement, reading: ScreenReading): string {
  if (rule !== DIALOG.rule) return reading.epoch;
  const shown = reading.full ? JSON.stringify(reading.frame.rows.map(({ spans }) => spans)) : String(reading.seq);
  return `${reading.epoch}:${createHash('sha256').update(shown).digest('hex')}`;
}

/** Throws if the screen or folder differs from the one that the person approved. */
function checkStill(terminal: PtyInstance, ask: Ask, { reading }: Seen): void {
  const { cmd, cwd } = ask.bound;
  const now = boundOf(terminal, cmd, screenMark(ask.judgement, reading));
  if (approvalHash(now) === hashOf(ask)) return;
  if (ask.kind === 'command' && cwd !== now.cwd) throw thrown(faults.approvedElsewhere(now.cwd));
  throw new ToolFault(
    'SEQ_MISMATCH',
    'the person said yes to another screen than there is now, so nothing was sent',
    'read the screen, then decide anew',
    { details: { seq: reading.seq, epoch: reading.epoch } },
  );
}

function hashOf({ bound }: Ask): string {
  return approvalHash(bound);
}

function denied(rule: string, reason: string): ToolFault {
  return deniedBy({ rule, reason, subcommand: null });
}
