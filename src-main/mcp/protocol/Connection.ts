import type { McpCaller, McpPreface } from '../../contract/mcp/mcp.ts';
import { cleanName, cleanTitle } from './clientName.ts';
import type { Profile } from './Tool.ts';

/** Where a request of the 2026 era says in its `_meta` whose it is. */
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** Where it says what it can do, likewise. */
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** What a client says of itself: in `initialize` (2025 era), or with each request (2026 era). */
export interface ClientInfo {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly version?: string | undefined;
}

/** One connection of the socket, from its preface on. */
export class Connection {
  readonly id: string;
  readonly preface: McpPreface;
  readonly profile: Profile;
  readonly #account: string;
  readonly #pid: number | null;
  readonly #programs: readonly string[];
  readonly #place: { terminalId: string | null; isVerified: boolean };

  constructor(spec: {
    id: string;
    preface: McpPreface;
    profile: Profile;
    account: string;
    /** Null where nobody knows it. */
    pid?: number | null;
    /** Of the client; absent where they are not known. */
    programs?: readonly string[];
    place: { terminalId: string | null; isVerified: boolean };
  }) {
    this.id = spec.id;
    this.preface = spec.preface;
    this.profile = spec.profile;
    this.#account = spec.account;
    this.#pid = spec.pid ?? null;
    this.#programs = spec.programs ?? [];
    this.#place = spec.place;
  }

  callerAs(info: ClientInfo | undefined): McpCaller {
    const claimed = info?.name ?? this.preface.client_hint ?? '';
    return {
      connectionId: this.id,
      account: this.#account,
      name: cleanName(claimed),
      title: cleanTitle(info?.title ?? claimed),
      version: cleanTitle(info?.version ?? ''),
      pid: this.#pid,
      programs: this.#programs,
      ...this.#place,
    };
  }
}
