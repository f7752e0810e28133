import { parseHookHeader } from './hookHeader.ts';
import type { Hook } from './launchPlan.ts';

/** The part of a file system that reading hooks needs; `node:fs` provides it. */
export interface HookFiles {
  readdirSync(folder: string): string[];
  readFileSync(path: string, encoding: 'utf8'): string;
}

/** The hooks of one folder, and the reason for each file that is not one. */
export interface HooksFound {
  hooks: Hook[];
  refused: { path: string; reason: string }[];
}

const HOOK_FILE = /^hansard\.[a-z0-9]+$/;

/** Reads all `hansard.*` files in `folder` as hooks; their headers name the shells. Throws if the folder cannot be read. */
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
