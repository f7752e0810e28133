const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Holds a termination signal until `release`, because it would leave a lock and shells behind while a core starts. A second signal ends the process
 * at once, in case the start hangs. The first signal aborts `asked`; `release` passes it on.
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
