import type { SystemInfo, Workspace } from '../../src-main/contract/api.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import { meetCoreClock } from './clock.svelte.ts';

/** Data needed for the first frame. */
export interface Boot {
  system: SystemInfo;
  settings: Settings;
  workspace: Workspace;
}

export async function readBoot(rpc: Rpc): Promise<Boot> {
  const [system, settings, workspace] = await Promise.all([rpc.system.info(), rpc.settings.get(), rpc.workspace.get()]);
  meetCoreClock(system.nowMs);
  return { system, settings, workspace };
}
