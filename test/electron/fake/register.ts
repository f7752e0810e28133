import { registerHooks } from 'node:module';

// Makes the process look like Electron's. `FAKE_RESOURCES` is the resources folder of a package; a checkout has none.
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '0.0.0' } });
const { FAKE_RESOURCES } = process.env;
Object.assign(process, { resourcesPath: FAKE_RESOURCES ?? '/nowhere', defaultApp: FAKE_RESOURCES === undefined });

/**
 * Replaces Electron by the fake for `import` and `require` in the process that loads this first. The real package starts a download
 * when its binary is missing.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});
