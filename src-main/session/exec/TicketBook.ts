import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import { type ClampedRequest, Ticket } from './Ticket.ts';

/** Commands that are remembered after they are over; older ones are in the record. */
const MAX_REMEMBERED = 2_000;

/** The commands of this core's life, by their ids and by the keys that clients gave them. */
export class TicketBook {
  readonly #tickets = new Map<string, Ticket>();
  /** By client and idempotency key. */
  readonly #byKey = new Map<string, Ticket>();

  get(blockId: string): Ticket | undefined {
    return this.#tickets.get(blockId);
  }

  add(spec: ConstructorParameters<typeof Ticket>[0]): Ticket {
    const ticket = new Ticket(spec);
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
  known(request: ClampedRequest, caller: McpCaller): Ticket | null {
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
  unstarted(client: string): Ticket[] {
    return [...this.#tickets.values()].filter(({ caller, block }) => caller.name === client && block === null);
  }

  forget(ticket: Ticket): void {
    this.#tickets.delete(ticket.blockId);
    const key = keyOf(ticket.request, ticket.caller);
    if (key !== null && this.#byKey.get(key) === ticket) this.#byKey.delete(key);
  }
}

function keyOf({ idempotencyKey }: ClampedRequest, { name }: McpCaller): string | null {
  return idempotencyKey === undefined ? null : JSON.stringify([name, idempotencyKey]);
}
