/** Node's, where there is one: in a page there is none. */
const { Buffer } = globalThis as { Buffer?: { poolSize: number } };
const POOL_BYTES = Buffer?.poolSize ?? 0;

if (Buffer) Buffer.poolSize = 0;

/** Small Buffers share their memory again. */
export function shareMemory(): void {
  if (Buffer) Buffer.poolSize = POOL_BYTES;
}
