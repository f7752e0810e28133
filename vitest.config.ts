import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { longSuites, turnCountOf } from './resources/dev/testTurn.mjs';

/** Packages of the agents' programs bring tests of their own. */
const FOREIGN = '**/node_modules/**';
/** Real PTYs, shells and cores, mostly waiting for each other: two files at a time leave half of two cores idle. */
const PTY = 'test/**/*.pty.test.ts';
/** A window in a browser on a core of its own, mostly waiting for what a person would see: two files at a time. */
const E2E = 'test/**/*.e2e.test.ts';
/** The desktop app on a display, and the real agents: one file at a time, so that they are not each other's load. */
const HEAVY = ['test/electron/**/*.e2e.test.ts', 'test/agents/**/*.e2e.test.ts'];

/** Long suites whose turn it is not in this run of `npm test`. */
const { HANSARD_TEST_TURN: TURN } = process.env;
const LEFT = TURN === undefined ? [] : longSuites(import.meta.dirname, Number(TURN), turnCountOf(process.env)).left;

/** Their suites start the program that users get. */
const BUILD = 'resources/dev/buildOnce.mjs';

/** A real program on a busy machine may miss a deadline once; whoever misses it twice has failed. */
const RETRY = 1;
/** A soak runs each law this many times as often, and gives it so much more time. */
const SCALE = Math.max(1, Number(process.env.HANSARD_TEST_SCALE ?? 1));
/** How long a condition is waited for, which costs nothing where it is met: two cores may be shared with ten programs. */
const PATIENCE_MS = 15_000;

/**
 * Workers of the tests are TypeScript, which Node strips of its types in WebAssembly, a runtime of it for each thread. V8 13.6 frees a
 * wrapper of one while another still counts it ("Check failed: jit_page.has_value()", nodejs/node#64500), which ended a test file in a
 * thousand workers or so. What is never freed cannot be freed twice.
 */
const WASM_KEPT = ['--no-wasm-code-gc'];

/** Of the suites that start the whole program. */
const WHOLE = {
  globalSetup: BUILD,
  testTimeout: 180_000,
  hookTimeout: 120_000,
  retry: RETRY,
  setupFiles: ['test/support/fuzzSetup.ts'],
};

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  resolve: { conditions: ['browser'] },
  test: {
    execArgv: WASM_KEPT,
    expect: { poll: { timeout: PATIENCE_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Vitest leaves one core free, which is half of a small machine. These suites change nothing that outlives their file (leakCheck.ts),
          // so files share what they import; loading it for each file took a third of the CPU.
          maxWorkers: '100%',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [FOREIGN, PTY, E2E, ...LEFT],
          testTimeout: 60_000 * SCALE,
          setupFiles: ['test/support/leakCheck.ts', 'test/support/fuzzSetup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pty',
          include: [PTY],
          exclude: [FOREIGN, ...LEFT],
          globalSetup: BUILD,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          retry: RETRY,
          maxWorkers: 3,
          isolate: false,
          setupFiles: ['test/support/leakCheck.ts', 'test/support/fuzzSetup.ts', 'test/support/missingShells.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: [E2E],
          exclude: [FOREIGN, ...HEAVY, ...LEFT],
          ...WHOLE,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'heavy',
          include: HEAVY,
          exclude: [FOREIGN, ...LEFT],
          ...WHOLE,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
