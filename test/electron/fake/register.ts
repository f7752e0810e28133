import { registerHooks } from 'node:module';

// What tells Electron's process from Node's. `FAKE_RESOURCES` is the resources folder of a package; a checkout has nothing of ours there.
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '0.0.0' } });
const { FAKE_RESOURCES } = process.env;
Object.assign(process, { resourcesPath: FAKE_RESOURCES ?? '/nowhere', defaultApp: FAKE_RESOURCES === undefined });

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
