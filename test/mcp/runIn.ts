import type { Block } from '../../src-main/contract/block.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';

type Api = CoreConnection['api'];

/**
 * Runs one command as a person does and resolves with its block after the shell has drawn its next prompt, because the screen and the output
 * still change between the end of the command and the prompt.
 */
export async function runIn(api: Api, terminalId: string, text: string): Promise<Block> {
  const block = await runToItsEnd(api, terminalId, text);
  await nextPrompt(api, terminalId);
  return block;
}

function nextPrompt(api: Api, terminalId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const isThere = (terminals: TerminalView[]) => terminals.some(({ id, atPrompt }) => id === terminalId && atPrompt);
    const following = api.terminal.onChange.subscribe(undefined, {
      onData: (change) => {
        if (change.type === 'removed' || !isThere(change.type === 'all' ? change.terminals : [change.terminal])) return;
        following.unsubscribe();
        resolve();
      },
      onError: reject,
    });
  });
}

function runToItsEnd(api: Api, terminalId: string, text: string): Promise<Block> {
  return new Promise((resolve, reject) => {
    const submit = async (): Promise<void> => {
      const verdict = await api.terminal.submit.mutate({ id: terminalId, text });
      if (!verdict.ok) setTimeout(() => void submit(), 20); // the shell is not at its prompt yet
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
