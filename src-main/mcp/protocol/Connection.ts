import type { McpCaller, McpPreface } from '../../contract/mcp/mcp.ts';
import { cleanName, cleanTitle } from './clientName.ts';
import type { Profile } from './Tool.ts';

/** The `_meta` key with the client's identity in a request of the 2026 era. */
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** The `_meta` key with the client's capabilities. */
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** A client's own description: in `initialize` (2025 era), or in each request (2026 era). */
export interface ClientInfo {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly version?: string | undefined;
}

/** One connection of the socket, after its preface. */
export class Connection {
  readonly id: string;
  readonly preface: McpPreface;
  readonly profile: Profile;
  readonly #account: string;
  readonly #owner: () => string | null;
  readonly #pid: number | null;
  readonly #programs: readonly string[];
  readonly #place: { terminalId: string | null; isVerified: boolean };

  constructor(spec: {
    id: string;
    preface: McpPreface;
    profile: Profile;
    account: string;
    /** `owner` of its callers; absent without a proof. */
    owner?: () => string | null;
    /** Null if unknown. */
    pid?: number | null;
    /** The client's programs; absent if unknown. */
    programs?: readonly string[];
    place: { terminalId: string | null; isVerified: boolean };
  }) {
    this.id = spec.id;
    this.preface = spec.preface;
    this.profile = spec.profile;
    this.#account = spec.account;
    this.#owner = spec.owner ?? (() => null);
    this.#pid = spec.pid ?? null;
    this.#programs = spec.programs ?? [];
    this.#place = spec.place;
  }

  callerAs(info: ClientInfo | undefined): McpCaller {
    const claimed = info?.name ?? this.preface.client_hint ?? '';
    return {
      connectionId: this.id,
      account: this.#account,
      owner: this.#owner(),
      name: cleanName(claimed),
      title: cleanTitle(info?.title ?? claimed),
      version: cleanTitle(info?.version ?? ''),
      pid: this.#pid,
      programs: this.#programs,
      ...this.#place,
    };
  }
}
