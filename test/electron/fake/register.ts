import { registerHooks } from 'node:module';

/**
 * Puts the fake in the place of Electron, for `import` and `require` alike, in the process that loads this first. The real
 * package would start a download when it is loaded without its binary.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});
