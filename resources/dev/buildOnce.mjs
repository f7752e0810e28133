// Vitest's global setup for suites that start the program. It builds the program if a source has changed since the last build.
export { build as default } from './setup.mjs';
