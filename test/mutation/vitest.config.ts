import { defineConfig } from 'vitest/config';

/** Vitest's configuration for the mutation tester: pure suites of one stage. The tester starts the threads, which take no V8 options. */
export default defineConfig({
  test: {
    include: (process.env.HANSARD_MUTATION_TESTS ?? '').split(',').map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**', '**/*.{pty,e2e}.test.ts'],
    setupFiles: ['test/support/fuzzSetup.ts'],
    testTimeout: 60_000,
  },
});
