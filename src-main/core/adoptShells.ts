import type { AgentIntegration } from '../conversations/tracking/AgentIntegration.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import type { InputSequencer } from '../terminal/input/InputSequencer.ts';
import { detach } from '../util/strayErrors.ts';
import { adoptTerminal } from './adoptTerminal.ts';
import type { CoreOptions } from './CoreOptions.ts';
import type { TerminalRegistry } from './TerminalRegistry.ts';
import type { WorkspaceStore } from './WorkspaceStore.ts';

export interface AdoptionSpec {
  readonly options: CoreOptions;
  readonly workspace: Pick<WorkspaceStore, 'value' | 'openedBehind'>;
  readonly typed: Pick<InputSequencer<never>, 'resume'>;
  readonly terminals: Pick<TerminalRegistry, 'add'>;
  readonly integration: Pick<AgentIntegration, 'readmit'>;
  warn(text: string, terminalId: string | null): void;
}

/** Adopts the shells that outlived the previous core, and restores tabs that were not saved. Ends a shell that cannot be adopted. */
export async function adoptShells({ options, workspace, typed, warn, ...core }: AdoptionSpec): Promise<void> {
  const { ptyHost: host, dataFolder, clock, log } = options;
  host?.onTrouble(({ terminalId, text }) => warn(text, terminalId));
  for (const held of host?.held ?? []) {
    if (!host) return;
    const folder = new SessionFolder(dataFolder, held.id);
    try {
      if (!workspace.value.order.includes(held.id)) await workspace.openedBehind(held.id);
      const { reopened, shell, shown, before, hookKey } = await adoptTerminal({
        host,
        folder,
        held,
        nowMs: clock.nowMs(),
        log,
      });
      const terminal = core.terminals.add(folder, reopened.meta, {
        ...reopened,
        rawSize: held.keep,
        shown,
        before,
      });
      if (hookKey !== null) core.integration.readmit(held.id, hookKey);
      for (const [writer, next] of Object.entries(held.typed)) typed.resume(writer, next);
      terminal.adopt(shell);
      detach('adoptShells', terminal.book.texts.repair(reopened.textLost));
    } catch (error) {
      host.abandon(held);
      const reason = error instanceof Error ? error.message : String(error);
      warn(`A running shell could not be taken over, and was ended: ${reason}.`, held.id);
    }
  }
}
