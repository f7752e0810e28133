import type { Judgement } from '../../contract/chat/judgement.ts';
import { isCoveredBy } from '../../policy/approvalPrefix.ts';

/** Where something was allowed until the terminal is closed, and to whom. */
export interface GrantPlace {
  readonly terminalId: string;
  readonly client: string;
  /** Another process that calls itself by the same name was allowed nothing. */
  readonly account: string;
}

interface Granted {
  /** JSON of command and folder. */
  readonly exact: Set<string>;
  readonly prefixes: string[][];
}

/** What the person has allowed for as long as a terminal is open. In memory only, for that terminal and client only. */
export class Grants {
  readonly #byTerminal = new Map<string, Map<string, Granted>>();

  addExact(place: GrantPlace, command: { cmd: string; cwd: string | null }): void {
    this.#of(place).exact.add(keyOf(command));
  }

  addPrefix(place: GrantPlace, prefix: readonly string[]): void {
    if (prefix.length > 0) this.#of(place).prefixes.push([...prefix]);
  }

  /** The same command in the same folder. */
  hasExact(place: GrantPlace, command: { cmd: string; cwd: string | null }): boolean {
    return this.#byTerminal.get(place.terminalId)?.get(whose(place))?.exact.has(keyOf(command)) ?? false;
  }

  /** It begins with a prefix that was allowed, and nothing but a missing rule stands against it. */
  hasPrefix(place: GrantPlace, judgement: Judgement): boolean {
    const prefixes = this.#byTerminal.get(place.terminalId)?.get(whose(place))?.prefixes ?? [];
    return prefixes.some((prefix) => isCoveredBy(prefix, judgement));
  }

  forget(terminalId: string): void {
    this.#byTerminal.delete(terminalId);
  }

  #of(place: GrantPlace): Granted {
    const clients = this.#byTerminal.get(place.terminalId) ?? new Map<string, Granted>();
    this.#byTerminal.set(place.terminalId, clients);
    const granted = clients.get(whose(place)) ?? { exact: new Set<string>(), prefixes: [] };
    clients.set(whose(place), granted);
    return granted;
  }
}

function whose({ client, account }: GrantPlace): string {
  return JSON.stringify([client, account]);
}

function keyOf({ cmd, cwd }: { cmd: string; cwd: string | null }): string {
  return JSON.stringify([cmd, cwd]);
}
