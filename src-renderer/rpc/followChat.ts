import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import type { ChatChange, ChatDelta } from '../../src-main/contract/chat/chat.ts';
import { ChatDeltaReader } from '../../src-main/shared/chat/chatDeltas.ts';
import { follow, type Refuse } from './follow.ts';
import type { Listen, Stop } from './Rpc.ts';

/** Follows the conversations of a terminal, as whole messages. A change of a message that the core never sent ends it like a refused value. */
export function followChat(
  { chat }: Pick<TRPCClient<AppRouter>, 'chat'>,
  input: { terminalId: string },
  { listen, refuse }: { listen: Listen<ChatChange>; refuse: Refuse },
): Stop {
  let reader = new ChatDeltaReader();
  const read = (delta: ChatDelta): ChatChange => {
    // A subscription begins with all conversations, also after a lost connection, and its deltas refer to values that it has sent itself.
    if (delta.type === 'all') reader = new ChatDeltaReader();
    return reader.next(delta);
  };
  return follow<ChatChange>(
    ({ onData, onError }) => {
      const running = chat.onChange.subscribe(input, {
        onData: (delta) => {
          const change = changeIn(read, delta);
          if (change instanceof Error) {
            running.unsubscribe();
            onError(Object.assign(change, { data: { code: 'BAD_GATEWAY' } }));
          } else onData(change);
        },
        onError,
      });
      return running;
    },
    listen,
    refuse,
  );
}

function changeIn(read: (delta: ChatDelta) => ChatChange, delta: ChatDelta): ChatChange | Error {
  try {
    return read(delta);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
