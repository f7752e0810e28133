import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import { type ClampedRequest, ExecRequest } from './ExecRequest.ts';

/** Commands that are remembered after they are over; older ones are in the record. */
const MAX_REMEMBERED = 2_000;

/** The commands of this core's life, by their ids and by the keys that clients gave them. */
export class ExecRequestStore {
  readonly #tickets = new Map<string, ExecRequest>();
  /** By client and idempotency key. */
  readonly #byKey = new Map<string, ExecRequest>();

  get(blockId: string): ExecRequest | undefined {
    return this.#tickets.get(blockId);
  }

  add(spec: ConstructorParameters<typeof ExecRequest>[0]): ExecRequest {
    const ticket = new ExecRequest(spec);
    this.#tickets.set(ticket.blockId, ticket);
    const key = keyOf(ticket.request, ticket.caller);
    if (key !== null) this.#byKey.set(key, ticket);
    for (const old of this.#tickets.values()) {
      if (this.#tickets.size <= MAX_REMEMBERED) break;
      if (old.isOver) this.forget(old);
    }
    return ticket;
  }

  /** The same command, asked for before under the same key. Throws a ToolFault when it was another one. */
  known(request: ClampedRequest, caller: McpCaller): ExecRequest | null {
    const key = keyOf(request, caller);
    const ticket = key === null ? undefined : this.#byKey.get(key);
    if (!ticket || ticket.isAbandoned) return null;
    const isSame = ticket.request.cmd === request.cmd && ticket.request.terminalId === request.terminalId;
    if (isSame) return ticket;
    throw new ToolFault(
      'BAD_INPUT',
      'that idempotency_key stands for another command',
      'use a new key for each command',
    );
  }

  /** Of one client, those that have no block. */
  unstarted(client: string): ExecRequest[] {
    return [...this.#tickets.values()].filter(({ caller, block }) => caller.name === client && block === null);
  }

  forget(ticket: ExecRequest): void {
    this.#tickets.delete(ticket.blockId);
    const key = keyOf(ticket.request, ticket.caller);
    if (key !== null && this.#byKey.get(key) === ticket) this.#byKey.delete(key);
  }
}

function keyOf({ idempotencyKey }: ClampedRequest, { name }: McpCaller): string | null {
  return idempotencyKey === undefined ? null : JSON.stringify([name, idempotencyKey]);
}
