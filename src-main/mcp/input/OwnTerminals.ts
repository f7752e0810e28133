import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { actorOf, type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import { auditRuleOf, decisionOf } from '../protocol/execFaults.ts';

/** Limit for one account, because each terminal is a shell and a tab in the person's window. */
const MAX_OPEN = 4;
/** Limit for all clients. A client that reconnects, and every client after a restart, has a new account, while the old tabs are still open. */
const MAX_OF_ALL = 12;

export interface OwnTerminalWish {
  /** Null: the person's home folder. */
  readonly cwd: string | null;
  readonly cols: number;
  readonly rows: number;
  /** Name of the tab; '' for the name of the client. */
  readonly name: string;
}

/** Opens a terminal for a client, in a background tab. */
export interface BackgroundTerminal extends Omit<OwnTerminalWish, 'cwd'> {
  readonly cwd: string | undefined;
  /** `agent:` and the name of the client. */
  readonly openedBy: string;
  readonly owner: string | null;
}

export interface OwnTerminalsDeps {
  openTerminal(terminal: BackgroundTerminal): Promise<{ readonly id: string }>;
  /** All open terminals; `openedBy` names the client that opened one. */
  terminals(): readonly { readonly view: { readonly id: string; readonly openedBy?: string } }[];
  /** The `owner` in the record of an open terminal; null if it has none. */
  ownerOf(id: string): Promise<string | null>;
  /** Also ends the running command. */
  closeTerminal(id: string): Promise<unknown>;
  audit(entry: AuditEntry): void;
}

/** Terminals that clients opened for themselves, so that they do not need the person's terminals. */
export class OwnTerminals {
  readonly #deps: OwnTerminalsDeps;
  /** The account of each terminal that was opened since the core started. Earlier ones have an owner in their record. */
  readonly #owners = new Map<string, string>();
  /** The accounts of terminals that are being opened. */
  readonly #opening: string[] = [];

  constructor(deps: OwnTerminalsDeps) {
    this.#deps = deps;
  }

  /** Opens a terminal and resolves to its id. If `maySee` is false, the person hides that folder, and the terminal is closed again. `count` throws if the client opens too many. */
  open(
    wish: OwnTerminalWish,
    caller: McpCaller,
    { maySee, count }: { maySee: (id: string) => boolean; count: () => void },
  ): Promise<string> {
    return this.#audited({ what: `open a terminal in ${wish.cwd ?? '~'}`, args: wish }, caller, async () => {
      const earlier = await this.#earlierOf(caller);
      const since = [...this.#owners.values(), ...this.#opening].filter((account) => account === caller.account);
      const held = earlier.length + since.length;
      if (held >= MAX_OPEN)
        throw new ToolFault(
          'BUSY',
          `you have ${held} terminals of your own open`,
          'close one first, or use one of them',
        );
      const isOfClient = ({ view }: { view: { openedBy?: string } }): boolean => view.openedBy !== undefined;
      if (this.#deps.terminals().filter(isOfClient).length + this.#opening.length >= MAX_OF_ALL)
        throw new ToolFault(
          'BUSY',
          `clients have ${MAX_OF_ALL} terminals open, some of them from earlier connections`,
          'ask the person to close tabs that are marked MCP',
        );
      if (wish.cwd !== null) checkFolder(wish.cwd);
      count();
      this.#opening.push(caller.account);
      try {
        const name = wish.name === '' ? caller.title || caller.name : wish.name;
        const openedBy = actorOf(caller);
        const { id } = await this.#deps.openTerminal({
          ...{ ...wish, cwd: wish.cwd ?? undefined, name },
          ...{ openedBy, owner: caller.owner },
        });
        this.#owners.set(id, caller.account);
        if (maySee(id)) return id;
        await this.#deps.closeTerminal(id);
        throw new ToolFault('PTY_NOT_FOUND', 'the person hides terminals of that folder', 'choose another folder');
      } finally {
        this.#opening.splice(this.#opening.indexOf(caller.account), 1);
      }
    });
  }

  /** Closes a terminal that the same caller opened. */
  close(id: string, caller: McpCaller): Promise<string> {
    return this.#audited({ what: 'close it', args: { close: id } }, caller, async () => {
      if (this.#owners.get(id) !== caller.account && !(await this.#earlierOf(caller)).includes(id))
        throw new ToolFault('NOT_ALLOWED_SCOPE', `you did not open the terminal "${id}"`, 'leave it to the person');
      await this.#deps.closeTerminal(id);
      return id;
    });
  }

  /** The caller's open terminals from before the core was restarted. */
  async #earlierOf({ owner }: McpCaller): Promise<string[]> {
    if (owner === null) return [];
    const earlier = this.#deps
      .terminals()
      .filter(({ view: { id, openedBy } }) => openedBy !== undefined && !this.#owners.has(id));
    const owners = await Promise.all(earlier.map(({ view }) => this.#deps.ownerOf(view.id)));
    return earlier.flatMap(({ view }, at) => (owners[at] === owner ? [view.id] : []));
  }

  forget(id: string): void {
    this.#owners.delete(id);
  }

  async #audited(
    entry: Pick<AuditEntry, 'what'> & { args: object },
    caller: McpCaller,
    run: () => Promise<string>,
  ): Promise<string> {
    const tell = (pty: string | null, told: Pick<AuditEntry, 'decision' | 'rule'>): void =>
      this.#deps.audit({
        ...entry,
        ...{ client: caller.name, callerPty: caller.terminalId, pty, tool: 'pty_open', bytes: 0 },
        ...told,
      });
    try {
      const id = await run();
      tell(id, { decision: 'allowed', rule: 'exec' });
      return id;
    } catch (error) {
      if (error instanceof ToolFault) tell(null, { decision: decisionOf(error.code), rule: auditRuleOf(error) });
      throw error;
    }
  }
}

function checkFolder(path: string): void {
  const isFolder = isAbsolute(path) && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (!isFolder) throw new ToolFault('BAD_INPUT', `cwd: there is no folder ${path}`, 'give an absolute path of one');
}
