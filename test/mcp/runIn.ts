import type { Block } from '../../src-main/contract/block.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';

/** Runs one command as a person does and resolves with its block when it has ended. */
export function runIn(api: CoreConnection['api'], terminalId: string, text: string): Promise<Block> {
  return new Promise((resolve, reject) => {
    const submit = async (): Promise<void> => {
      const verdict = await api.terminal.submit.mutate({ id: terminalId, text });
      if (!verdict.ok) setTimeout(() => void submit(), 20); // not at its prompt yet
    };
    const following = api.block.onChange.subscribe(
      { terminalId },
      {
        onStarted: () => void submit(),
        onData: (change) => {
          if (change.type !== 'close' || change.block.cmd !== text) return;
          following.unsubscribe();
          resolve(change.block);
        },
        onError: reject,
      },
    );
  });
}
