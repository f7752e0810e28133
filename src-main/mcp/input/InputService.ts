import { actorOf, type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { ScreenReading } from '../../contract/screen/screen.ts';
import { LINES_ABOVE } from '../../redaction/redactedLines.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import type { KeyedQueue } from '../../util/KeyedQueue.ts';
import { discard } from '../exec/LineWriter.ts';
import { ShellLines } from '../exec/ShellLines.ts';
import { auditRuleOf, decisionOf, faults, thrown } from '../protocol/execFaults.ts';
import { askPerson } from './askPerson.ts';
import { type Ask, InputJudge, type JudgeDeps, type Typing } from './InputJudge.ts';
import { bytesOf, type InputRequest, type SendResult, saidIn } from './InputRequest.ts';
import { matchesScreen } from './matchesScreen.ts';
import { seeEffect } from './seeEffect.ts';
import { isTypingShown, readEcho, unsaid } from './typingShown.ts';
import { untilQuiet } from './untilQuiet.ts';

/** Number of looks at a screen that keeps changing before the newest frame counts as current. */
const MAX_LOOKS = 5;

export interface SendDeps extends JudgeDeps {
  readonly clock: Clock;
  readonly randomId: (bytes: number) => string;
  readonly turns: KeyedQueue;
  terminal(id: string): PtyInstance | undefined;
  audit(entry: AuditEntry): void;
}

export interface SendHow {
  readonly signal?: AbortSignal | undefined;
  /** Counts commands that the typed text runs. Throws beyond the limit. */
  countCommands?(count: number): void;
  /** Called before the person is asked; its result is called after their answer. Throws at the limit of open waits. */
  beginWait?(): () => void;
}

/** Keys from a client that has no lease. */
export interface PressSpec {
  readonly terminal: PtyInstance;
  readonly keys: readonly string[];
  /** Called instead of sending the keys, for an action that needs the same right. */
  readonly act: (() => unknown) | null;
  /** False once the reason for the keys is gone. */
  isStill(): boolean;
}

/** The decision that allowed the keys. */
export type Pressed = Pick<AuditEntry, 'decision' | 'rule'>;

/** One call in progress. */
interface Delivery extends Typing {
  readonly request: InputRequest;
  readonly press: PressSpec | null;
  readonly how: SendHow;
  /** Whether the audit log may contain the typed text; null before the first look. */
  isShown: boolean | null;
}
/** The bytes were sent, or the person has to be asked first. */
type Attempt = { sent: string; before: ScreenReading } | { ask: Ask };

/** Sends keys, text, pastes and mouse events of outside clients that have a lease. */
export class InputService {
  readonly #deps: SendDeps;
  readonly #judge: InputJudge;
  readonly #lines = new Map<string, ShellLines>();

  constructor(deps: SendDeps) {
    this.#deps = deps;
    this.#judge = new InputJudge(deps);
  }

  /** Resolves when the effect is seen, or after the timeout. If it throws a ToolFault, no byte was sent. */
  async send(request: InputRequest, caller: McpCaller, how: SendHow = {}): Promise<SendResult> {
    const terminal = this.#deps.terminal(request.terminalId);
    const delivery = deliveryOf(request, caller, how);
    try {
      if (!terminal) throw thrown(faults.gone(request.terminalId));
      const done = await this.#deliver(terminal, delivery).catch((error: unknown) => {
        if (isDenial(error)) this.#clearLine(terminal, delivery);
        throw error;
      });
      const bytes = Buffer.byteLength(done.sent);
      this.#tell(delivery, { decision: decisionFor(delivery), rule: 'input', bytes });
      return await seeEffect(terminal, { ...done, request, clock: this.#deps.clock, signal: how.signal });
    } catch (error) {
      if (error instanceof ToolFault)
        this.#tell(delivery, { decision: decisionOf(error.code), rule: auditRuleOf(error), bytes: 0 });
      throw error;
    }
  }

  /** Sends keys outside of a lease. If it throws a ToolFault, no byte was sent. The caller writes the audit entry. */
  async press(press: PressSpec, caller: McpCaller, how: SendHow = {}): Promise<Pressed> {
    const { terminal, keys } = press;
    const request = { terminalId: terminal.id, leaseId: '', keys };
    const delivery: Delivery = { ...deliveryOf(request, caller, how), press, leaseId: null };
    await this.#deliver(terminal, delivery);
    return { decision: decisionFor(delivery), rule: 'input' };
  }

  forget(terminalId: string): void {
    this.#lines.delete(terminalId);
  }

  get #quiet() {
    const { clock, policy } = this.#deps;
    return { clock, holdMs: () => policy().policy.input.typing_hold_ms };
  }

  /** Empties the line, so that a refused command does not wait there for the person's Return. */
  #clearLine(terminal: PtyInstance, { caller, leaseId }: Delivery): void {
    const lines = this.#linesOf(terminal);
    const own = lines.own();
    if (own === '' || leaseId === null || !this.#deps.leases.isHeld(leaseId, terminal.id, caller)) return;
    lines.sent('\x15');
    terminal.type(discard(own), actorOf(caller));
  }

  async #deliver(terminal: PtyInstance, delivery: Delivery): Promise<{ sent: string; before: ScreenReading }> {
    for (;;) {
      delivery.how.signal?.throwIfAborted();
      if (delivery.leaseId === null) await untilQuiet(terminal, this.#quiet);
      const attempt = await this.#deps.turns.run(terminal.id, () => this.#attempt(terminal, delivery));
      if ('sent' in attempt) return attempt;
      const endWait = delivery.how.beginWait?.();
      await askPerson(attempt.ask, delivery.caller, this.#deps).finally(endWait);
      delivery.approved.push(attempt.ask);
    }
  }

  /** One turn of the terminal's writer. Judges the newest frame and sends the bytes synchronously afterwards. */
  async #attempt(terminal: PtyInstance, delivery: Delivery): Promise<Attempt> {
    const { request, press, caller } = delivery;
    for (let looks = 1; ; looks++) {
      const echo = await readEcho(terminal); // before the screen, which has to be the newest when it is judged
      const { rawSize, screen } = terminal;
      const keyCount = terminal.input.keys.count;
      const reading = await screen.read({ scrollback: request.ifScreenMatches === undefined ? 0 : LINES_ABOVE });
      const modes = await screen.input();
      delivery.isShown = delivery.isShown !== false && isTypingShown(echo, reading); // once secret, the input stays secret, wherever it ends
      const isNewest = terminal.rawSize === rawSize && terminal.input.keys.count === keyCount;
      if (!isNewest && looks < MAX_LOOKS) continue;
      this.#judge.check(terminal, delivery);
      if (press && !press.isStill()) throw overMeanwhile();
      if ('error' in reading)
        throw new ToolFault('SEQ_MISMATCH', 'the screen could not be read', 'read it, then try again');
      checkScreen(request, reading);
      const bytes = bytesOf(request, modes);
      const lines = this.#linesOf(terminal);
      const ask = this.#judge.judge(terminal, { bytes, shown: modes.beforeCursor, reading, lines }, delivery);
      if (ask) return { ask };
      if (press?.act) press.act();
      else {
        lines.sent(bytes);
        terminal.type(bytes, actorOf(caller));
      }
      return { sent: bytes, before: reading };
    }
  }

  #linesOf(terminal: PtyInstance): ShellLines {
    const known = this.#lines.get(terminal.id) ?? new ShellLines(terminal);
    this.#lines.set(terminal.id, known);
    return known;
  }

  /** Input that the terminal does not show (a password) is also kept out of the audit log, and out of its digest, which could be brute-forced. */
  #tell(
    { request, caller, isShown }: Delivery,
    told: { decision: AuditEntry['decision']; rule: string | null; bytes: number },
  ): void {
    const { text: _, keys: __, paste: ___, ...rest } = request;
    this.#deps.audit({
      client: caller.name,
      callerPty: caller.terminalId,
      pty: request.terminalId,
      tool: 'pty_send',
      what: isShown || request.mouse ? saidIn(request) : unsaid(request),
      args: isShown ? request : rest,
      ...told,
    });
  }
}

function isDenial(error: unknown): boolean {
  return error instanceof ToolFault && (error.code === 'DENIED_BY_POLICY' || error.code === 'DENIED_BY_USER');
}

function deliveryOf(request: InputRequest, caller: McpCaller, how: SendHow): Delivery {
  let counted = 0;
  return {
    request,
    caller,
    how,
    press: null,
    leaseId: request.leaseId,
    said: saidIn(request),
    approved: [],
    isShown: null,
    countCommands: (count) => {
      const more = count - counted;
      if (more > 0) how.countCommands?.(more);
      counted = Math.max(counted, count);
    },
  };
}

function decisionFor({ approved }: Delivery): 'approved' | 'allowed' {
  return approved.length > 0 ? 'approved' : 'allowed';
}

function overMeanwhile(): ToolFault {
  return new ToolFault('BLOCK_NOT_FOUND', 'what you wanted to stop is over', 'blocks_get tells how it ended');
}

function checkScreen({ ifSeq, ifEpoch, ifScreenMatches }: InputRequest, reading: ScreenReading): void {
  const { seq, epoch } = reading;
  const refuse = (code: 'EPOCH_CHANGED' | 'SEQ_MISMATCH', what: string): ToolFault =>
    new ToolFault(code, what, 'read the screen, then decide anew', { details: { seq, epoch } });
  if (ifEpoch !== undefined && ifEpoch !== epoch)
    throw refuse('EPOCH_CHANGED', `the screen was begun anew since you saw it: it is at ${seq} of ${epoch}`);
  if (ifSeq !== undefined && ifSeq !== seq)
    throw refuse('SEQ_MISMATCH', `the screen is at ${seq} of ${epoch}, not where you saw it`);
  if (ifScreenMatches !== undefined && !matchesScreen(reading, ifScreenMatches))
    throw refuse('SEQ_MISMATCH', 'the screen does not match any more');
}
