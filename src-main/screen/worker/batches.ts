/** Bytes of a stream from `offset` on. */
export interface Batch {
  offset: number;
  bytes: Uint8Array;
}

/** Joins chunks in shared memory: the worker reads the same bytes, while a message's copy would be garbage on both sides. */
export function concatShared(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const joined = new Uint8Array(new SharedArrayBuffer(length));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/** Removes the bytes from `hole.from` to `hole.to` from the batches. */
export function cutOut(batches: readonly Batch[], hole: { from: number; to: number } | undefined): Batch[] {
  if (!hole) return [...batches];
  return batches.flatMap(({ offset, bytes }) => {
    const from = Math.max(0, Math.min(bytes.length, hole.from - offset));
    const to = Math.max(0, Math.min(bytes.length, hole.to - offset));
    return [
      { offset, bytes: bytes.subarray(0, from) },
      { offset: offset + to, bytes: bytes.subarray(to) },
    ].filter((part) => part.bytes.length > 0);
  });
}

/** Cuts the batches at each of `offsets` (ascending) that is inside one. */
export function cutAt(batches: readonly Batch[], offsets: readonly number[]): Batch[] {
  return batches.flatMap(({ offset, bytes }) => {
    const end = offset + bytes.length;
    const borders = [offset, ...offsets.filter((at) => at > offset && at < end), end];
    return borders.slice(1).map((to, index) => {
      const from = borders[index] ?? offset;
      return { offset: from, bytes: bytes.subarray(from - offset, to - offset) };
    });
  });
}
