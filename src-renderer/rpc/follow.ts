import { codeOf } from './codeOf.ts';
import type { Listen, Stop } from './Rpc.ts';

/** How long to wait before a subscription that failed is asked for again. */
const AGAIN_MS = 1000;

interface Handlers<T> {
  onData(value: T): void;
  onError(error: unknown): void;
}

/**
 * Keeps a subscription going: one that the core ended with an error is asked for again, unless what it follows is gone.
 * A lost connection is no error here; the link sends the subscription again by itself.
 */
export function follow<T>(subscribe: (on: Handlers<T>) => { unsubscribe(): void }, listen: Listen<T>): Stop {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: { unsubscribe(): void } | undefined;
  const begin = () => {
    running = subscribe({
      onData: (value) => {
        if (!isStopped) listen(value);
      },
      onError: (error) => {
        if (!isStopped && !isGone(error)) timer = setTimeout(begin, AGAIN_MS);
      },
    });
  };
  begin();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    running?.unsubscribe();
  };
}

function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NOT_FOUND' || code === 'BAD_REQUEST';
}
