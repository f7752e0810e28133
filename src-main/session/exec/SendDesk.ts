import type { CommandRequest, Judgement } from '../../contract/judgement.ts';
import { actorOf, type McpCaller, ToolFault } from '../../contract/mcp.ts';
import type { ScreenReading } from '../../contract/screen.ts';
import type { AuditEntry } from '../../store/auditLog.ts';
import type { Clock } from '../../util/Clock.ts';
import type { PtyInstance } from '../PtyInstance.ts';
import { type ApprovalBook, approvalHash } from './ApprovalBook.ts';
import type { ChangedShells } from './ChangedShells.ts';
import type { ExecPolicy } from './ExecPolicy.ts';
import { decisionOf, faults, thrown } from './execFaults.ts';
import { guardWrite } from './guardWrite.ts';
import { type LeaseDesk, noLease } from './LeaseDesk.ts';
import { matchesScreen } from './matchesScreen.ts';
import { bytesOf, type SendRequest, type SendResult, saidIn } from './SendRequest.ts';
import { ShellLines } from './ShellLines.ts';
import { seeEffect } from './seeEffect.ts';
import type { Turns } from './Turns.ts';

/** A screen that changes all the time is looked at so often before the newest frame that was had has to do. */
const MAX_LOOKS = 5;

export interface SendDeps {
  readonly clock: Clock;
  readonly randomId: (bytes: number) => string;
  readonly approvals: ApprovalBook;
  readonly leases: LeaseDesk;
  readonly turns: Turns;
  readonly shells: ChangedShells;
  policy(): ExecPolicy;
  terminal(id: string): PtyInstance | undefined;
  audit(entry: AuditEntry): void;
}

/** What the person has said yes to in this call, so that it is not asked twice. */
type Approved = Set<string>;
/** Either it was sent, or the person is to be asked about this first. */
type Attempt = { sent: string; before: ScreenReading } | { ask: Judgement; cmd: string; kind: 'command' | 'keys' };

/** Keys, text, pastes and mouse events of outside clients, for whoever has a lease. */
export class SendDesk {
  readonly #deps: SendDeps;
  readonly #lines = new Map<string, ShellLines>();

  constructor(deps: SendDeps) {
    this.#deps = deps;
  }

  /** Resolves when what came of it was seen, or was not in time. Throws a ToolFault; then not a byte was sent. */
  async send(request: SendRequest, caller: McpCaller, signal?: AbortSignal): Promise<SendResult> {
    const terminal = this.#deps.terminal(request.terminalId);
    const approved: Approved = new Set();
    try {
      if (!terminal) throw thrown(faults.gone(request.terminalId));
      for (;;) {
        const attempt = await this.#deps.turns.run(terminal.id, () =>
          this.#attempt(terminal, { request, caller, approved }),
        );
        signal?.throwIfAborted();
        if ('ask' in attempt) approved.add(await this.#approve(terminal, { ...attempt, caller }));
        else {
          this.#tell(request, caller, {
            decision: approved.size > 0 ? 'approved' : 'allowed',
            rule: 'input',
            bytes: Buffer.byteLength(attempt.sent),
          });
          return await seeEffect(terminal, { ...attempt, request, clock: this.#deps.clock, signal });
        }
      }
    } catch (error) {
      if (error instanceof ToolFault) {
        this.#tell(request, caller, { decision: decisionOf(error.code), rule: error.code, bytes: 0 });
      }
      throw error;
    }
  }

  forget(terminalId: string): void {
    this.#lines.delete(terminalId);
  }

  /** One turn of the terminal's writer. What is judged is the newest frame, and the bytes go out in the turn that judged it. */
  async #attempt(
    terminal: PtyInstance,
    { request, caller, approved }: { request: SendRequest; caller: McpCaller; approved: Approved },
  ): Promise<Attempt> {
    for (let looks = 1; ; looks++) {
      const { rawSize, screen } = terminal;
      const keyCount = terminal.input.keys.count;
      const reading = await screen.read({ scrollback: 0 });
      const modes = await screen.input();
      const isNewest = terminal.rawSize === rawSize && terminal.input.keys.count === keyCount;
      if (!isNewest && looks < MAX_LOOKS) continue;
      this.#check(terminal, request, caller);
      if ('error' in reading)
        throw new ToolFault('SEQ_MISMATCH', 'the screen could not be read', 'read it, then try again');
      checkScreen(request, reading);
      const bytes = bytesOf(request, modes);
      const said = this.#judge(terminal, { bytes, shown: modes.beforeCursor, request, approved });
      if (said) return said;
      this.#linesOf(terminal).sent(bytes);
      terminal.type(bytes, actorOf(caller));
      return { sent: bytes, before: reading };
    }
  }

  /** Everything but what the screen shows. */
  #check(terminal: PtyInstance, { leaseId }: SendRequest, caller: McpCaller): void {
    guardWrite(caller, terminal);
    if (this.#deps.approvals.isAskedIn(terminal.id))
      throw thrown(
        faults.policy('agent_dialogs', 'a client there asks its person for a yes, and only the person answers'),
      );
    if (terminal.view.state === 'exited') throw thrown(faults.gone(terminal.id));
    if (this.#deps.policy().policy.input.default === 'deny')
      throw thrown(faults.policy('input', 'clients may not type into terminals'));
    if (!this.#deps.leases.isHeld(leaseId, terminal.id, caller)) throw noLease();
  }

  /** What the person is to be asked first; null when it may go. Throws where it may not. */
  #judge(
    terminal: PtyInstance,
    {
      bytes,
      shown,
      request,
      approved,
    }: { bytes: string; shown: string | null; request: SendRequest; approved: Approved },
  ): Attempt | null {
    const { policy, judge } = this.#deps.policy();
    if (terminal.view.agent?.state === 'needs_approval') {
      if (policy.input.agent_dialogs === 'deny')
        throw thrown(faults.policy('agent_dialogs', 'an agent shows a dialog there, and only the person answers it'));
      const cmd = saidIn(request);
      if (!approved.has(this.#hash(terminal, cmd))) return { ask: DIALOG, cmd, kind: 'keys' };
    }
    const reader = this.#linesOf(terminal).reader();
    if (reader === null) return null;
    const plan = this.#linesOf(terminal).plan(bytes, shown);
    if (plan.type === 'unknown')
      throw thrown(
        faults.policy('shell_prompt', `at a shell's prompt it cannot be told what ${plan.key} would run; use pty_exec`),
      );
    for (const cmd of plan.commands) {
      const command: CommandRequest = { cmd, shell: reader.shell, cwd: reader.isNested ? null : terminal.view.cwd };
      const judgement = this.#deps.shells.judged(terminal, judge(command, reader.isNested ? null : terminal.words));
      if (judgement.verdict === 'deny') throw thrown(faults.policy(judgement.rule, judgement.reason));
      const isAllowed = judgement.verdict === 'allow' && !reader.isNested;
      if (!isAllowed && !approved.has(this.#hash(terminal, cmd))) return { ask: judgement, cmd, kind: 'command' };
    }
    if (!reader.isNested) for (const cmd of plan.commands) this.#deps.shells.ran(terminal, cmd);
    return null;
  }

  #hash(terminal: PtyInstance, cmd: string): string {
    return approvalHash({ cmd, cwd: terminal.view.cwd, terminalId: terminal.id, epoch: '' });
  }

  async #approve(
    terminal: PtyInstance,
    { ask, cmd, kind, caller }: { ask: Judgement; cmd: string; kind: 'command' | 'keys'; caller: McpCaller },
  ): Promise<string> {
    const outcome = await this.#deps.approvals.decide({
      cmd,
      kind,
      cwd: terminal.view.cwd,
      terminalId: terminal.id,
      epoch: '',
      blockId: `send-${this.#deps.randomId(6)}`,
      caller,
      reason: null,
      rule: ask.rule,
      why: ask.reason,
      subcommand: ask.subcommand,
      prefix: null,
    });
    if (outcome.type === 'denied') throw thrown(faults.deniedByUser(outcome.reason));
    if (outcome.type !== 'approved') throw thrown(faults.unanswered());
    return this.#hash(terminal, cmd);
  }

  #linesOf(terminal: PtyInstance): ShellLines {
    const known = this.#lines.get(terminal.id) ?? new ShellLines(terminal);
    this.#lines.set(terminal.id, known);
    return known;
  }

  #tell(
    request: SendRequest,
    caller: McpCaller,
    told: { decision: AuditEntry['decision']; rule: string; bytes: number },
  ): void {
    this.#deps.audit({
      client: caller.name,
      callerPty: caller.terminalId,
      pty: request.terminalId,
      tool: 'pty_send',
      what: saidIn(request),
      args: request,
      ...told,
    });
  }
}

const DIALOG: Judgement = {
  verdict: 'ask',
  rule: 'agent_dialogs',
  subcommand: null,
  reason: 'an agent shows a dialog there',
  argvs: null,
};

function checkScreen({ ifSeq, ifEpoch, ifScreenMatches }: SendRequest, reading: ScreenReading): void {
  const { seq, epoch } = reading;
  const isOther = (ifEpoch !== undefined && ifEpoch !== epoch) || (ifSeq !== undefined && ifSeq !== seq);
  if (isOther)
    throw new ToolFault(
      'SEQ_MISMATCH',
      `the screen is at ${seq} of ${epoch}, not where you saw it`,
      'read the screen, then decide anew',
      {
        details: { seq, epoch },
      },
    );
  if (ifScreenMatches !== undefined && !matchesScreen(reading, ifScreenMatches))
    throw new ToolFault('SEQ_MISMATCH', 'the screen does not match any more', 'read the screen, then decide anew', {
      details: { seq, epoch },
    });
}
