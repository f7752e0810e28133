import { codeOf } from './codeOf.ts';
import type { Listen, Stop } from './Rpc.ts';

/** Pause before a failed subscription is requested again. */
const AGAIN_MS = 1000;

interface Handlers<T> {
  onData(value: T): void;
  onError(error: unknown): void;
}

/** Called for an error after which the core must not be asked again by itself; `begin` asks again. Returns what to call when it is stopped. */
export type Refuse = (reason: string, begin: () => void) => Stop;

/**
 * Keeps a subscription alive: requests it again after an error of the core, unless its subject no longer exists or another machine sent what the core
 * does not pass on. A lost connection is not an error here; the link restarts the subscription by itself.
 */
export function follow<T>(
  subscribe: (on: Handlers<T>) => { unsubscribe(): void },
  listen: Listen<T>,
  refuse?: Refuse,
): Stop {
  let isStopped = false;
  let forget: Stop | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: { unsubscribe(): void } | undefined;
  const begin = () => {
    running = subscribe({
      onData: (value) => {
        if (!isStopped) listen(value);
      },
      onError: (error) => {
        if (isStopped || isGone(error)) return;
        if (refuse && error instanceof Error && codeOf(error) === 'BAD_GATEWAY') forget = refuse(error.message, begin);
        else timer = setTimeout(begin, AGAIN_MS);
      },
    });
  };
  begin();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    forget?.();
    running?.unsubscribe();
  };
}

function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NOT_FOUND' || code === 'BAD_REQUEST';
}
