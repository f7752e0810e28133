/** Indexes of two items that belong together; both ascend. */
export type Pair = readonly [a: number, b: number];

/**
 * Finds the pairs of two sequences, in order, with the greatest total worth. `worth` is 0 for two items that cannot be a pair. Equal runs
 * are counted: three equal items on one side and two on the other give two pairs. Cost is `countA` × `countB`.
 */
export function align(countA: number, countB: number, worth: (a: number, b: number) => number): Pair[] {
  const width = countB + 1;
  const best = new Float64Array((countA + 1) * width);
  const pairs = new Float64Array(countA * countB);
  for (let a = countA - 1; a >= 0; a -= 1) {
    for (let b = countB - 1; b >= 0; b -= 1) {
      const own = worth(a, b);
      pairs[a * countB + b] = own;
      const skipped = Math.max(best[(a + 1) * width + b] ?? 0, best[a * width + b + 1] ?? 0);
      best[a * width + b] = own > 0 ? Math.max(skipped, own + (best[(a + 1) * width + b + 1] ?? 0)) : skipped;
    }
  }
  const found: Pair[] = [];
  for (let a = 0, b = 0; a < countA && b < countB; ) {
    const own = pairs[a * countB + b] ?? 0;
    const here = best[a * width + b] ?? 0;
    if (own > 0 && here === own + (best[(a + 1) * width + b + 1] ?? 0)) found.push([a++, b++]);
    else if (here === (best[(a + 1) * width + b] ?? 0)) a += 1;
    else b += 1;
  }
  return found;
}
