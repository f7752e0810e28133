import type { MachineKey, MachineName } from '../contract/machines.ts';
import type { Clock } from '../util/Clock.ts';
import type { OpenRemoteApi } from './RemoteApi.ts';
import type { RemoteSide } from './RemoteSide.ts';

/** What a connection to one machine needs. */
export interface LinkSpec {
  readonly key: MachineKey;
  readonly name: MachineName;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  readonly randomId: (bytes: number) => string;
  /** A private folder whose paths are short enough for sockets. */
  readonly folder: string;
  readonly openApi: OpenRemoteApi;
  /** Resolves when the list of that machine's terminals has arrived again. */
  listed(key: MachineKey): Promise<void>;
  /** The reason not to connect the core with that id, because the window already shows it; null if it does not. */
  shownAs(coreId: string): string | null;
  readonly remote: RemoteSide;
}
