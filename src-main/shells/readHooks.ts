import { parseHookHeader } from './hookHeader.ts';
import type { Hook } from './launchPlan.ts';

/** What reading the hooks folder needs of a file system; `node:fs` gives it. */
export interface HookFiles {
  readdirSync(folder: string): string[];
  readFileSync(path: string, encoding: 'utf8'): string;
}

/** The hooks of one folder, and for each file that is none the reason. */
export interface HooksFound {
  hooks: Hook[];
  refused: { path: string; reason: string }[];
}

const HOOK_FILE = /^hansard\.[a-z0-9]+$/;

/** Every `hansard.*` file in `folder` is a hook; its header says for which shells. Throws when the folder cannot be read. */
export function readHooks(folder: string, files: HookFiles): HooksFound {
  const found: HooksFound = { hooks: [], refused: [] };
  for (const name of files.readdirSync(folder).sort()) {
    if (!HOOK_FILE.test(name)) continue;
    const path = `${folder}/${name}`;
    const parsed = parseHookHeader(files.readFileSync(path, 'utf8'));
    if (parsed.ok) found.hooks.push({ path, header: parsed.header });
    else found.refused.push({ path, reason: parsed.reason });
  }
  return found;
}
