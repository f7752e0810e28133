import type { Settings } from '../../contract/settings.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import type { AgentsShared } from './AgentWatch.ts';
import { type HookCall, HookServer } from './HookServer.ts';
import { readPastTalk } from './readPastTalk.ts';

/** Bytes of a hook's key. */
const KEY_BYTES = 16;

export interface AgentDeskSpec {
  readonly dataFolder: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly randomId: (bytes: number) => string;
  settings(): Settings;
  /** Called when a hook of an agent in a terminal has called. */
  called(call: HookCall): void;
}

/** What all terminals share about agents: the server for their hooks, the owners of agent logs, the person's settings. */
export class AgentIntegration implements IDisposable {
  readonly #spec: AgentDeskSpec;
  readonly #logOwners = new Map<string, string>();
  #door: HookServer | null = null;

  constructor(spec: AgentDeskSpec) {
    this.#spec = spec;
  }

  /** Opens the server for hooks. If the socket cannot be created, hooks report nothing, and the screens are the only source. */
  async open(): Promise<void> {
    const { dataFolder, log, called } = this.#spec;
    try {
      this.#door = await HookServer.open(dataFolder);
      this.#door.onCall(called);
    } catch (error) {
      log('agent_hooks_closed', { reason: String(error) });
    }
  }

  /** Environment variables with which hooks in this terminal find the server and are admitted. Call it at each start of a shell. */
  admit(terminalId: string): Record<string, string> {
    return this.#door?.admit(terminalId, this.#spec.randomId(KEY_BYTES)) ?? {};
  }

  /** Admits the shell of that terminal with the key that an earlier core gave it. */
  readmit(terminalId: string, key: string): void {
    this.#door?.admit(terminalId, key);
  }

  forget(terminalId: string): void {
    this.#door?.forget(terminalId);
  }

  get deps(): AgentsShared {
    const { dataFolder, home, env, settings } = this.#spec;
    return {
      home,
      env,
      logOwners: this.#logOwners,
      pastTalk: (agent) => readPastTalk(dataFolder, agent),
      mayReadLogs: () => settings()['agents.ownLog'],
      mayRunSweeps: () => settings()['agents.sweep'],
    };
  }

  dispose(): void {
    this.#door?.dispose();
  }
}
