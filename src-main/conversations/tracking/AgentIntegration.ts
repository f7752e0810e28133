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
  /** A hook of an agent in a terminal has called. */
  called(call: HookCall): void;
}

/** What all terminals share about agents: the door for their hooks, whose log is whose, what the person allows. */
export class AgentIntegration implements IDisposable {
  readonly #spec: AgentDeskSpec;
  readonly #logOwners = new Map<string, string>();
  #door: HookServer | null = null;

  constructor(spec: AgentDeskSpec) {
    this.#spec = spec;
  }

  /** Opens the door. Where no socket can be made hooks say nothing, and the screens still tell. */
  async open(): Promise<void> {
    const { dataFolder, log, called } = this.#spec;
    try {
      this.#door = await HookServer.open(dataFolder);
      this.#door.onCall(called);
    } catch (error) {
      log('agent_hooks_closed', { reason: String(error) });
    }
  }

  /** Variables by which the hooks of agents in this terminal find the door, and may enter. For each start of a shell anew. */
  admit(terminalId: string): Record<string, string> {
    return this.#door?.admit(terminalId, this.#spec.randomId(KEY_BYTES)) ?? {};
  }

  /** The shell of that terminal was given its key by an earlier core. */
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
