import type { MachinesSpec } from '../machines/Machines.ts';
import type { SpawnPty } from '../pty/PtyProcess.ts';
import type { PtyHostClient } from '../ptyHost/client/PtyHostClient.ts';
import type { TerminalDeps } from '../terminal/TerminalDeps.ts';

/** What a core needs of the machine it runs on. */
export interface CoreOptions {
  dataFolder: string;
  files: Record<'version' | 'hooksDir' | 'specsDir', string> &
    Record<`${'screen' | 'search' | 'picture' | 'past'}Worker`, URL>;
  /** See `SystemInfo.build`. */
  build?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  hostName: string;
  platform: NodeJS.Platform;
  clock: TerminalDeps['clock'];
  log: TerminalDeps['log'];
  spawnPty: SpawnPty;
  /** The PTY host behind `spawnPty`, if shells outlive this core. The caller disposes it. */
  ptyHost?: PtyHostClient | undefined;
  /** How Hansard is reached and set up on other machines. */
  machines: Pick<MachinesSpec, 'openApi' | 'remote' | 'removeServer'>;
  /** 2 × `bytes` hex digits of good randomness. */
  randomId: (bytes: number) => string;
}
