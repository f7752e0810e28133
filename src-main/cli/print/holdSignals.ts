const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Until it is let go, a signal to end is kept for later: while a core starts it would leave a lock and shells behind. The
 * second one is obeyed at once, so that a start that hangs can be ended. `asked` is aborted by the first one; `release`
 * passes on what was kept.
 */
export function holdSignals(): { asked: AbortSignal; release: () => void } {
  const asked = new AbortController();
  let kept: NodeJS.Signals | null = null;
  const keep = (signal: NodeJS.Signals): void => {
    if (kept !== null) process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
    kept = signal;
    asked.abort();
  };
  for (const signal of ENDING) process.on(signal, keep);
  return {
    asked: asked.signal,
    release() {
      for (const signal of ENDING) process.off(signal, keep);
      if (kept !== null) process.kill(process.pid, kept);
    },
  };
}
