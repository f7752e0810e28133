/** Seed of every run but a soak, so that no merge depends on luck (house rule: a fixed seed before merging, random seeds in the soak). */
const FIXED_SEED = 20_261_123;

/**
 * Number of runs and seed of a property test. Normally `runs` from a fixed seed. A soak multiplies the runs (HANSARD_TEST_SCALE) and takes a
 * random seed; HANSARD_TEST_SEED with the seed that a failure printed repeats it.
 */
export function fuzzRuns(runs: number): { numRuns: number; seed?: number } {
  const scale = process.env.HANSARD_TEST_SCALE;
  const seed = process.env.HANSARD_TEST_SEED ?? (scale === undefined ? FIXED_SEED : undefined);
  return { numRuns: Math.ceil(runs * Number(scale ?? 1)), ...(seed !== undefined && { seed: Number(seed) }) };
}

/** Whether this run is a soak; exhaustive tests run only there. */
export const IS_SOAK = process.env.HANSARD_TEST_SCALE !== undefined;

/** How often a test repeats a slow case, for example the kill of a core: HANSARD_TEST_TIMES if set, else `soak` or `merge`. */
export function timesOf({ merge, soak }: { merge: number; soak: number }): number {
  return Number(process.env.HANSARD_TEST_TIMES ?? (IS_SOAK ? soak : merge));
}

/** Seed by the same rule for a test that samples by itself; its failure message must contain the seed. */
export function fuzzSeed(): number {
  return fuzzRuns(1).seed ?? Math.floor(Math.random() * 2 ** 31);
}
