import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface StaticFile {
  bytes: Buffer;
  type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

/** The bundler puts a hash of the content into the name of each file in this folder. */
const HASHED = '/assets/';

/** A file whose name changes with its content is fetched once, and Chromium keeps its compiled code with it. */
export function cachingOf(path: string): Record<string, string> {
  return path.startsWith(HASHED) ? { 'Cache-Control': 'private, max-age=31536000, immutable' } : {};
}

/**
 * Every file of the built window, by its URL path, read once. A request is only ever looked up in this list, so there is
 * no path to traverse. Throws when the build is not there.
 */
export function loadStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const type = TYPES[extname(name)];
    if (!type || !statSync(path).isFile()) continue;
    files.set(`/${relative(folder, path).split(sep).join('/')}`, { bytes: readFileSync(path), type });
  }
  const index = files.get('/index.html');
  if (!index) throw new Error(`The window is not built: no index.html in ${folder}`);
  files.set('/', index);
  return files;
}
