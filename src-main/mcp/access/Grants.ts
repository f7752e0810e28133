import type { Judgement } from '../../contract/chat/judgement.ts';
import { isCoveredBy } from '../../policy/approvalPrefix.ts';

/** The terminal and client of a grant, which lasts until the terminal is closed. */
export interface GrantPlace {
  readonly terminalId: string;
  readonly client: string;
  /** A grant does not cover another process that uses the same client name. */
  readonly account: string;
}

interface Granted {
  /** JSON of command and folder. */
  readonly exact: Set<string>;
  readonly prefixes: string[][];
}

/** What the person has allowed while a terminal is open. In memory only, per terminal and client. */
export class Grants {
  readonly #byTerminal = new Map<string, Map<string, Granted>>();

  addExact(place: GrantPlace, command: { cmd: string; cwd: string | null }): void {
    this.#of(place).exact.add(keyOf(command));
  }

  addPrefix(place: GrantPlace, prefix: readonly string[]): void {
    if (prefix.length > 0) this.#of(place).prefixes.push([...prefix]);
  }

  /** Whether the same command in the same folder was allowed. */
  hasExact(place: GrantPlace, command: { cmd: string; cwd: string | null }): boolean {
    return this.#byTerminal.get(place.terminalId)?.get(whose(place))?.exact.has(keyOf(command)) ?? false;
  }

  /** Whether the command begins with an allowed prefix and only the lack of a rule speaks against it. */
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
