import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Suites that drive a browser, real shells or long loops: one file at a time, with room to finish. */
const SLOW = [
  'test/web/**/*.test.ts',
  'test/hooks/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/electron/**/*.test.ts',
];

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  resolve: { conditions: ['browser'] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: SLOW,
          testTimeout: 30_000,
          setupFiles: ['test/support/leakCheck.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'real', include: SLOW, testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
      },
    ],
  },
});
