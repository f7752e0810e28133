// What vitest does before the suites that start the program: builds it when a source has changed since it was built.
export { build as default } from './setup.mjs';
