import type { Block } from '../../contract/block.ts';
import type { ExecStatus } from '../../contract/mcp/exec.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Pressed, PressSpec, SendHow } from '../input/InputService.ts';
import { auditRuleOf, decisionOf } from '../protocol/execFaults.ts';
import type { ExecQueue } from './ExecQueue.ts';
import type { ExecRequest } from './ExecRequest.ts';

/** A block by id, with its terminal if known; or the caller's own command in a terminal. */
export type InterruptTarget = { blockId: string; terminalId?: string } | { terminalId: string };

export type Interrupted = {
  blockId: string;
  action: 'sent_sigint_key' | 'removed_from_queue' | 'already_done';
  status: ExecStatus;
};

export interface InterruptHow extends Omit<SendHow, 'countCommands'> {
  /** The caller may type into terminals. */
  readonly mayInterruptOthers: boolean;
}

export interface InterruptDeps {
  request(blockId: string): ExecRequest | undefined;
  queue(terminalId: string): ExecQueue | undefined;
  terminal(id: string): PtyInstance | undefined;
  /** Sends keys for a client that has no lease; resolves when they were sent. */
  press(spec: PressSpec, caller: McpCaller, how: SendHow): Promise<Pressed>;
  audit(entry: AuditEntry): void;
}

interface Found {
  /** The client's request for the command, if a client asked for it. */
  readonly request: ExecRequest | undefined;
  readonly terminalId: string | null;
  readonly terminal: PtyInstance | undefined;
  /** The running block to interrupt. */
  readonly running: Block | undefined;
}

interface Stopped {
  readonly done: Interrupted;
  readonly told: Pressed;
}

/**
 * Ctrl-C from outside clients. For a client's own command, the right to run commands includes it; for anything else it is input like any other key,
 * so the person's input policy applies. Each interrupt and each refusal gets an entry in the audit log.
 */
export class Interrupts {
  readonly #deps: InterruptDeps;

  constructor(deps: InterruptDeps) {
    this.#deps = deps;
  }

  /** Removes a waiting command from the queue, or presses Ctrl-C for a running one. */
  async interrupt(which: InterruptTarget, caller: McpCaller, how: InterruptHow): Promise<Interrupted> {
    const found = this.#find(which, caller);
    const { request, terminalId, running } = found;
    const tell = (told: Pick<AuditEntry, 'decision' | 'rule' | 'bytes'>, block: string | null): void =>
      this.#deps.audit({
        client: caller.name,
        callerPty: caller.terminalId,
        pty: terminalId,
        tool: 'pty_interrupt',
        what: request?.cmd ?? running?.cmd ?? ('blockId' in which ? which.blockId : ''),
        block,
        args: which,
        ...told,
      });
    try {
      const isOwn = request?.caller.name === caller.name;
      if (request && !isOwn && !how.mayInterruptOthers) throw notYours(request.blockId);
      if (request?.isOver) return { blockId: request.blockId, action: 'already_done', status: request.status };
      const { done, told } = request && isOwn ? this.#stopOwn(request) : await this.#stopOther(found, caller, how);
      tell({ ...told, bytes: done.action === 'sent_sigint_key' ? 1 : 0 }, done.blockId);
      return done;
    } catch (error) {
      if (error instanceof ToolFault)
        tell({ decision: decisionOf(error.code), rule: auditRuleOf(error), bytes: 0 }, null);
      throw error;
    }
  }

  #find(which: InterruptTarget, caller: McpCaller): Found {
    const named = 'blockId' in which ? this.#deps.request(which.blockId) : this.#ownIn(which.terminalId, caller);
    // a caller that also names a terminal has access to that terminal only
    const isThere = which.terminalId === undefined || named?.input.terminalId === which.terminalId;
    const request = isThere ? named : undefined;
    const terminalId = request?.input.terminalId ?? which.terminalId ?? null;
    const terminal = terminalId === null ? undefined : this.#deps.terminal(terminalId);
    const now = terminal?.book.running ?? undefined;
    const running = 'blockId' in which && now?.id !== which.blockId ? undefined : now;
    return { request, terminalId, terminal, running };
  }

  #stopOwn(request: ExecRequest): Stopped {
    const queue = this.#deps.queue(request.input.terminalId);
    const { blockId, isWaiting } = request;
    if (isWaiting) queue?.cancel(request, null);
    else queue?.stop(request);
    const action = isWaiting ? 'removed_from_queue' : 'sent_sigint_key';
    return { done: { blockId, action, status: request.status }, told: { decision: 'allowed', rule: null } };
  }

  /** A command of the person or of another client: removing it from the queue is judged like pressing the key. */
  async #stopOther({ request, terminal, running }: Found, caller: McpCaller, how: InterruptHow): Promise<Stopped> {
    const blockId = request?.blockId ?? running?.id;
    if (!terminal || blockId === undefined) throw noSuch();
    if (!how.mayInterruptOthers) throw notYours(blockId);
    const waiting = request?.isWaiting ? request : null;
    const isStill = (): boolean => waiting?.isWaiting ?? terminal.book.runningId === blockId;
    const queue = this.#deps.queue(terminal.id);
    const act = waiting && (() => queue?.cancel(waiting, null));
    const told = await this.#deps.press({ terminal, keys: ['Ctrl+C'], act, isStill }, caller, how);
    if (waiting) return { done: { blockId, action: 'removed_from_queue', status: waiting.status }, told };
    return { done: { blockId, action: 'sent_sigint_key', status: 'running' }, told };
  }

  /** The client's own command in the terminal: the running one, else the one that has waited longest. */
  #ownIn(terminalId: string, caller: McpCaller): ExecRequest | undefined {
    const queue = this.#deps.queue(terminalId);
    const own = (request: ExecRequest): boolean => request.caller.name === caller.name;
    if (queue?.running) return own(queue.running) ? queue.running : undefined;
    return queue?.waiting.find(own);
  }
}

function noSuch(): ToolFault {
  return new ToolFault('BLOCK_NOT_FOUND', 'no such command of yours waits or runs', 'blocks_since lists them');
}

function notYours(blockId: string): ToolFault {
  return new ToolFault('NOT_ALLOWED_SCOPE', `the command "${blockId}" is not yours`, 'only its owner may end it');
}
