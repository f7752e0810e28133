import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import { type ClampedInput, ExecRequest } from './ExecRequest.ts';

/** Finished commands beyond this total are forgotten, oldest first; the record has them. */
const MAX_REMEMBERED = 2_000;

/** All commands since the core started, by id and by idempotency key. */
export class ExecRequestStore {
  readonly #requests = new Map<string, ExecRequest>();
  /** By client and idempotency key. */
  readonly #byKey = new Map<string, ExecRequest>();

  get(blockId: string): ExecRequest | undefined {
    return this.#requests.get(blockId);
  }

  add(spec: ConstructorParameters<typeof ExecRequest>[0]): ExecRequest {
    const request = new ExecRequest(spec);
    this.#requests.set(request.blockId, request);
    const key = keyOf(request.input, request.caller);
    if (key !== null) this.#byKey.set(key, request);
    for (const old of this.#requests.values()) {
      if (this.#requests.size <= MAX_REMEMBERED) break;
      if (old.isOver) this.forget(old);
    }
    return request;
  }

  /** The earlier request with the same idempotency key, or null. Throws a ToolFault if that key belongs to a different command. */
  known(input: ClampedInput, caller: McpCaller): ExecRequest | null {
    const key = keyOf(input, caller);
    const request = key === null ? undefined : this.#byKey.get(key);
    if (!request || request.state.isAbandoned) return null;
    const isSame = request.input.cmd === input.cmd && request.input.terminalId === input.terminalId;
    if (isSame) return request;
    throw new ToolFault(
      'BAD_INPUT',
      'that idempotency_key stands for another command',
      'use a new key for each command',
    );
  }

  /** The client's commands that have no block. */
  unstarted(client: string): ExecRequest[] {
    return [...this.#requests.values()].filter(({ caller, state }) => caller.name === client && state.block === null);
  }

  forget(request: ExecRequest): void {
    this.#requests.delete(request.blockId);
    const key = keyOf(request.input, request.caller);
    if (key !== null && this.#byKey.get(key) === request) this.#byKey.delete(key);
  }
}

function keyOf({ idempotencyKey }: ClampedInput, { name }: McpCaller): string | null {
  return idempotencyKey === undefined ? null : JSON.stringify([name, idempotencyKey]);
}
