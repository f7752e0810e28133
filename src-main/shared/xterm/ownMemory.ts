/** Node's Buffer; undefined in a page. */
const { Buffer } = globalThis as { Buffer?: { poolSize: number } };
const POOL_BYTES = Buffer?.poolSize ?? 0;

if (Buffer) Buffer.poolSize = 0;

/** Lets small Buffers share their memory again. */
export function shareMemory(): void {
  if (Buffer) Buffer.poolSize = POOL_BYTES;
}
