/** Of every run that is no soak: what merges must not depend on luck (house rule: a fixed seed before merging, random ones in the soak). */
const FIXED_SEED = 20_261_123;

/**
 * How often a law is tried, and from which seed. Normally `runs` times from a fixed seed; a soak multiplies the runs
 * (HANSARD_TEST_SCALE) from a random one, and a failure is repeated by the seed that it printed (HANSARD_TEST_SEED).
 */
export function fuzzRuns(runs: number): { numRuns: number; seed?: number } {
  const scale = process.env.HANSARD_TEST_SCALE;
  const seed = process.env.HANSARD_TEST_SEED ?? (scale === undefined ? FIXED_SEED : undefined);
  return { numRuns: Math.ceil(runs * Number(scale ?? 1)), ...(seed !== undefined && { seed: Number(seed) }) };
}

/** Whether this run is a soak: laws that go through everything do so only there. */
export const IS_SOAK = process.env.HANSARD_TEST_SCALE !== undefined;

/** How often a test repeats what takes long, such as the kill of a core: `HANSARD_TEST_TIMES`, else often in the soak and seldom before a merge. */
export function timesOf({ merge, soak }: { merge: number; soak: number }): number {
  return Number(process.env.HANSARD_TEST_TIMES ?? (IS_SOAK ? soak : merge));
}

/** The seed of a test that samples by itself, by the same rule; it must stand in the failure's message. */
export function fuzzSeed(): number {
  return fuzzRuns(1).seed ?? Math.floor(Math.random() * 2 ** 31);
}
