// Prepares `npm start` and `npm test`. It is plain JavaScript for Node 18 and later, because no package is installed yet.
// Each step prints what it does, and is skipped if nothing changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const node = join(root, 'node_modules/.bin/node');

/** PATH with the project's own Node and tools in front. */
export const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}` };

export function say(text) {
  process.stdout.write(`hansard: ${text}\n`);
}

/** Runs a tool of the project and returns its exit code. If the tool cannot be started, this process exits. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, env, stdio: 'inherit', ...options });
  if (result.error) fail(`could not run ${command}: ${result.error.message}`);
  return result.status ?? 1;
}

export function fail(text, code = 1) {
  process.stderr.write(`hansard: ${text}\n`);
  process.exit(code);
}

/** Installs from the lockfile if it or package.json has changed since the last install. */
export function install() {
  const stamp = join(root, 'node_modules/.hansard-installed');
  const wanted = hashOf(['package.json', 'package-lock.json', '.npmrc']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('installing packages from the lockfile (once)');
  // `npm i -g .` runs this with its own `global` in the environment, which must not apply to this folder.
  const code = run('npm', ['ci', '--no-global', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) fail('`npm ci` failed; the lines above say why. It needs the npm registry.', code);
  writeFileSync(stamp, wanted);
}

/** Builds the three bundles if a source is newer than the last build. */
export function build() {
  const stamp = join(root, 'out/.built');
  const wanted = newest(['src-main', 'src-preload', 'src-renderer', 'electron.vite.config.ts', 'package-lock.json']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('building');
  const code = run('electron-vite', ['build', '--logLevel', 'warn']);
  if (code !== 0) fail('the build failed; the lines above say where', code);
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(stamp, wanted);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(existsSync(join(root, file)) ? readFileSync(join(root, file)) : '');
  return hash.digest('hex');
}

/** Hashes the names, sizes and times of all files in the folders. It is cheap, and changes if a file is edited, added or removed. */
function newest(places) {
  const hash = createHash('sha256');
  for (const place of places) {
    const path = join(root, place);
    if (!existsSync(path)) continue;
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))
      : [path];
    for (const file of files.sort()) {
      const stat = statSync(file);
      if (stat.isFile()) hash.update(`${file} ${stat.size} ${stat.mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
