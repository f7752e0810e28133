import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isOwn, readText } from './foreignFiles.ts';

/** Mercurial 7's config of a repository, in all of its files. */
const CONFIGS = ['hgrc', 'hgrc-not-shared'];
/** The only section that a clone writes. Any other section may name a program: hooks, extensions, aliases, merge tools, the pager … */
const HARMLESS_SECTIONS: ReadonlySet<string> = new Set(['paths']);

/** Why hg may run a program on its own in that folder, or null. A folder outside a repository is harmless. */
export function hgHazard(cwd: string | null): string | null {
  if (cwd === null) return 'it is not known in which folder hg would run';
  try {
    const folder = findHgDir(cwd);
    return folder === null ? null : hazardOf(folder);
  } catch (error) {
    return `this repository could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function hazardOf(hgDir: string): string | null {
  const shared = readText(join(hgDir, 'sharedpath'))?.trim();
  for (const folder of shared === undefined ? [hgDir] : [hgDir, resolve(hgDir, shared)]) {
    if (!isOwn(folder)) return "this repository is another user's";
    for (const config of CONFIGS.map((name) => join(folder, name))) {
      if (!isOwn(config)) return "this repository is another user's";
      const found = findRisk(readText(config) ?? '');
      if (found !== null) return `the config of this repository has ${found}, which may run a program`;
    }
  }
  return null;
}

function findHgDir(cwd: string): string | null {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const found = statSync(join(at, '.hg'), { throwIfNoEntry: false });
    if (found?.isDirectory()) return join(at, '.hg');
    if (dirname(at) === at) return null;
  }
}

/** A risky section or include, as written. Errs on the safe side: a continuation line of a value counts too. */
function findRisk(text: string): string | null {
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined && !HARMLESS_SECTIONS.has(section.trim())) return `[${section}]`;
    if (/^\s*%include\b/.test(line)) return '%include';
  }
  return null;
}
