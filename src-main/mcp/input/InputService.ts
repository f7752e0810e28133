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

/** A screen that changes all the time is looked at so often before the newest frame that was had has to do. */
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
  /** Counts commands that are run by what is typed. Throws where they are too many. */
  countCommands?(count: number): void;
  /** Called before the person is asked; what it returns, when they have answered. Throws where as many wait as may. */
  beginWait?(): () => void;
}

/** Keys of a client that has no lease. */
export interface PressSpec {
  readonly terminal: PtyInstance;
  readonly keys: readonly string[];
  /** What is done in their place, where that needs the same right. */
  readonly act: (() => unknown) | null;
  /** False once what they were for is over. */
  isStill(): boolean;
}

/** How it came that they might go out. */
export type Pressed = Pick<AuditEntry, 'decision' | 'rule'>;

/** One call on its way. */
interface Delivery extends Typing {
  readonly request: InputRequest;
  readonly press: PressSpec | null;
  readonly how: SendHow;
  /** Whether the audit may say what it was; null before anything was looked at. */
  isShown: boolean | null;
}
/** Either it was sent, or the person is to be asked about this first. */
type Attempt = { sent: string; before: ScreenReading } | { ask: Ask };

/** Keys, text, pastes and mouse events of outside clients, for whoever has a lease. */
export class InputService {
  readonly #deps: SendDeps;
  readonly #judge: InputJudge;
  readonly #lines = new Map<string, ShellLines>();

  constructor(deps: SendDeps) {
    this.#deps = deps;
    this.#judge = new InputJudge(deps);
  }

  /** Resolves when what came of it was seen, or was not in time. Throws a ToolFault; then not a byte was sent. */
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

  /** Keys that are not for what the client has a lease for. Throws a ToolFault; then not a byte was sent. The audit is the caller's to write. */
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

  /** What the client may not run does not wait in the line for the person's Return. */
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

  /** One turn of the terminal's writer. What is judged is the newest frame, and the bytes go out in the turn that judged it. */
  async #attempt(terminal: PtyInstance, delivery: Delivery): Promise<Attempt> {
    const { request, press, caller } = delivery;
    for (let looks = 1; ; looks++) {
      const echo = await readEcho(terminal); // before the screen, which is to be the newest when it is judged
      const { rawSize, screen } = terminal;
      const keyCount = terminal.input.keys.count;
      const reading = await screen.read({ scrollback: request.ifScreenMatches === undefined ? 0 : LINES_ABOVE });
      const modes = await screen.input();
      delivery.isShown = delivery.isShown !== false && isTypingShown(echo, reading); // a secret stays one, wherever it ends
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

  /** What the terminal does not show while it is typed (a password) is not in the audit either, nor in the digest, which could be guessed at. */
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
