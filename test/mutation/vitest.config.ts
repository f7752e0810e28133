import { defineConfig } from 'vitest/config';

/** What vitest runs for the mutation tester: pure suites of one stage, in threads that it starts itself, which take no options of V8. */
export default defineConfig({
  test: {
    include: (process.env.HANSARD_MUTATION_TESTS ?? '').split(',').map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**', '**/*.{pty,e2e}.test.ts'],
    setupFiles: ['test/support/fuzzSetup.ts'],
    testTimeout: 60_000,
  },
});
