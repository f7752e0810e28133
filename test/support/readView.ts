import type { createTRPCClient } from '@trpc/client';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';

type Api = ReturnType<typeof createTRPCClient<AppRouter>>;

/** A terminal's state as the window sees it at this moment; undefined if the core does not list it. */
export function readView(api: Api, id: string): Promise<TerminalView | undefined> {
  return new Promise((resolve, reject) => {
    const following = api.terminal.onChange.subscribe(undefined, {
      onError: reject,
      onData: (change) => {
        following.unsubscribe();
        if (change.type === 'all') resolve(change.terminals.find((terminal) => terminal.id === id));
      },
    });
  });
}
