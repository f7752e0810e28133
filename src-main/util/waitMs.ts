/** Blocks this thread, for a wait of some milliseconds on another process. */
export function waitMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
