import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';

const at = (path: string): string => resolve(import.meta.dirname, path);

/**
 * mcpCatalog.json: what a bridge tells its client while the app is down. Written down here, because to make it takes every tool and the schema
 * library, five times as long as all the rest of a bridge's start.
 */
const mcpCatalog: Plugin = {
  name: 'mcp-catalog',
  async generateBundle() {
    const source = pathToFileURL(at('src-main/mcp/server/catalog.ts')).href;
    const { catalogs } = (await import(source)) as typeof import('./src-main/mcp/server/catalog.ts');
    this.emitFile({ type: 'asset', fileName: 'mcpCatalog.json', source: `${JSON.stringify(catalogs(''))}\n` });
  },
};

/** Made from the commands themselves: the list for the general help, and for packages to install the man page and the completion scripts. */
const commandFiles: Plugin = {
  name: 'command-files',
  async generateBundle() {
    const load = (path: string) => import(pathToFileURL(at(path)).href);
    const { buildProgram, listCommands } = (await load(
      'src-main/cli/program.ts',
    )) as typeof import('./src-main/cli/program.ts');
    const { manPage } = (await load(
      'src-main/cli/completions/manPage.ts',
    )) as typeof import('./src-main/cli/completions/manPage.ts');
    const { COMPLETIONS } = (await load(
      'src-main/cli/commands/maintain/completions.ts',
    )) as typeof import('./src-main/cli/commands/maintain/completions.ts');
    const { commandTree } = (await load(
      'src-main/cli/completions/commandTree.ts',
    )) as typeof import('./src-main/cli/completions/commandTree.ts');
    const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string };
    const program = await buildProgram(version);
    this.emitFile({ type: 'asset', fileName: 'commands.json', source: `${JSON.stringify(listCommands(program))}\n` });
    this.emitFile({ type: 'asset', fileName: 'man/hansard.1', source: manPage(program, version) });
    for (const { fileName, format } of Object.values(COMPLETIONS))
      this.emitFile({ type: 'asset', fileName: `completions/${fileName}`, source: format(commandTree(program)) });
  },
};

/** Of a face's two formats the one that every browser reads: the page holds its faces itself. */
const oneFontFormat: Plugin = {
  name: 'one-font-format',
  enforce: 'pre',
  transform: (code, id) =>
    /@fontsource.*\.css$/.test(id) ? code.replace(/,\s*url\([^)]*\.woff\) format\((["'])woff\1\)/g, '') : undefined,
};

/** replay.html: a page that holds its script, its style and its faces, and into which a recording is put when it is exported. */
const replayPage: Plugin = {
  name: 'replay-page',
  async generateBundle() {
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      root: at('src-renderer'),
      plugins: [svelte({ configFile: false }), oneFontFormat],
      build: {
        write: false,
        target: 'es2024',
        minify: true,
        cssCodeSplit: false,
        assetsInlineLimit: 1_000_000,
        rollupOptions: { input: at('src-renderer/replay/page.ts'), output: { format: 'iife' } },
      },
    });
    const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
    const script = files.find((file) => file.type === 'chunk')?.code;
    const style = files.find(({ fileName }) => fileName.endsWith('.css'));
    if (script === undefined || style?.type !== 'asset') throw new Error('The replay page has no script or no style.');
    const { replayPageOf } = await import(pathToFileURL(at('resources/dev/replayPage.mjs')).href);
    this.emitFile({ type: 'asset', fileName: 'replay.html', source: replayPageOf(script, String(style.source)) });
  },
};

/** Parts of the main bundle that a file of its own loads from there, with their names beside it. */
const FRONT_FILES = new Map([
  [at('src-main/cli/main.ts'), './cli.js'],
  [at('src-main/hosts/web/connectCore.ts'), './connectCore.js'],
  [at('src-main/hosts/recordHere.ts'), './recordHere.js'],
  [at('src-main/cli/recording/writeCast.ts'), './writeCast.js'],
]);

/** Builds `source` as one minified file, which starts faster than many chunks. */
async function oneFile(source: string): Promise<string> {
  const elsewhere: Plugin = {
    name: 'elsewhere',
    enforce: 'pre',
    async resolveId(name, importer) {
      const found = importer && name.startsWith('.') ? resolve(dirname(importer), name) : '';
      const id = FRONT_FILES.get(found);
      return id && { id, external: true };
    },
  };
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: at('.'),
    plugins: [elsewhere],
    ssr: { noExternal: true, external: ['node-pty'] },
    build: {
      write: false,
      ssr: at(source),
      target: 'node22',
      minify: true,
      rollupOptions: { output: { format: 'es', codeSplitting: false } },
    },
  });
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [chunk, ...more] = files.filter((file) => file.type === 'chunk');
  if (!chunk || more.length > 0) throw new Error(`${source} is not one file.`);
  return chunk.code;
}

/**
 * quick.js: the command line's door, in one file with the commands that are called often, so that their start costs little more than Node's.
 * recordHere.js: the recording of one program. What else they may need has files of its own in the main bundle.
 */
const quickStart: Plugin = {
  name: 'quick-start',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'quick.js', source: await oneFile('src-main/cli/quick.ts') });
    this.emitFile({ type: 'asset', fileName: 'recordHere.js', source: await oneFile('src-main/hosts/recordHere.ts') });
  },
};

/** What completion knows of commands, with its licence: data alone, one file a command, read when it is first needed (ADR 11). */
const completionData: Plugin = {
  name: 'completion-data',
  async generateBundle() {
    const { completionSpecs } = (await import(
      pathToFileURL(at('resources/dev/completionSpecs.ts')).href
    )) as typeof import('./resources/dev/completionSpecs.ts');
    for (const [name, source] of await completionSpecs())
      this.emitFile({ type: 'asset', fileName: `specs/${name}`, source });
  },
};

/** The two faces that the first terminal is measured and drawn with. */
const FIRST_FACES = /ibm-plex-(mono|sans)-latin-400-normal-[\w-]+\.woff2$/;

/** The page names what it always loads next, so that the browser fetches it beside the first script and not after that has run. */
const preloads: Plugin = {
  name: 'preloads',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const files = Object.values(bundle);
      const chunks = new Map(files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
      const window = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith('/app/openWindow.ts'));
      if (!window) throw new Error('No script opens the window.');
      const names = new Set([window.fileName]);
      for (const name of names) for (const next of chunks.get(name)?.imports ?? []) names.add(next);
      const styles = [...names].flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])]);
      const faces = files.map(({ fileName }) => fileName).filter((name) => FIRST_FACES.test(name));
      const links = [
        ...[...names].map((href) => ({ rel: 'modulepreload', href })),
        ...styles.map((href) => ({ rel: 'preload', as: 'style', href })),
        ...faces.map((href) => ({ rel: 'preload', as: 'font', type: 'font/woff2', href })),
      ].filter(({ href }) => !html.includes(href));
      return links.map(({ href, ...attrs }) => ({
        tag: 'link',
        attrs: { ...attrs, crossorigin: true, href: `./${href}` },
        injectTo: 'head',
      }));
    },
  },
};

/** With each bundle, the licences of the packages that went into it. */
const license = { fileName: 'third-party-licenses.md' };

/**
 * Three bundles: the core with its fronts and its workers (ESM; every package that is not in `dependencies` goes into it, see ADR 1), the
 * preload (one CommonJS file, as a sandbox demands), the window.
 */
export default defineConfig({
  main: {
    plugins: [mcpCatalog, commandFiles, completionData, quickStart],
    build: {
      outDir: 'out/main',
      target: 'node22', // the oldest that package.json allows
      license,
      minify: false,
      sourcemap: true,
      rollupOptions: {
        checks: { pluginTimings: false },
        input: {
          electron: at('src-main/hosts/electron/main.ts'),
          cli: at('src-main/cli/main.ts'),
          connectCore: at('src-main/hosts/web/connectCore.ts'),
          mcpBridge: at('src-main/cli/mcp/mcpBridge.ts'),
          writeCast: at('src-main/cli/recording/writeCast.ts'),
          ptyHost: at('src-main/ptyHost/host/main.ts'),
          screenWorker: at('src-main/terminal/screen/screenWorker.ts'),
          pngWorker: at('src-main/picture/pngWorker.ts'),
          searchWorker: at('src-main/search/searchWorker.ts'),
          pastWorker: at('src-main/past/pastWorker.ts'),
        },
        output: {
          format: 'es',
          // A core that runs while another build is installed must not start a worker of that one.
          entryFileNames: ({ name }) => (name.endsWith('Worker') ? '[name]-[hash].js' : '[name].js'),
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rollupOptions: {
        checks: { pluginTimings: false },
        input: { preload: at('src-preload/preload.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    plugins: [svelte({ configFile: false }), replayPage, preloads],
    build: {
      outDir: at('out/renderer'),
      license,
      target: 'es2024',
      minify: true, // electron-vite leaves it out otherwise
      // fonts stay files: a data: URL is not in the policy
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000, // it is loaded from this machine
      rollupOptions: { input: { index: at('src-renderer/index.html') }, checks: { pluginTimings: false } },
    },
  },
});
