import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findAbove } from './findAbove.ts';
import { readSmallFile } from './readSmallFile.ts';

/** A value and its description. */
export interface Found {
  name: string;
  description?: string;
}

const Texts = z.record(z.string(), z.string()).catch({});
const Package = z.object({ scripts: Texts, dependencies: Texts, devDependencies: Texts }).partial();
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const JUSTFILES = ['justfile', 'Justfile', '.justfile'];

/** Scripts of the nearest package.json, each with its command. */
export async function readScripts(folder: string): Promise<Found[]> {
  const { scripts = {} } = await readPackage(folder);
  return Object.entries(scripts).map(([name, description]) => ({ name, description }));
}

export async function readDependencies(folder: string): Promise<Found[]> {
  const { dependencies = {}, devDependencies = {} } = await readPackage(folder);
  return Object.entries({ ...devDependencies, ...dependencies }).map(([name, description]) => ({ name, description }));
}

async function readPackage(folder: string): Promise<z.infer<typeof Package>> {
  const path = await findAbove(folder, ['package.json']);
  if (path === null) return {};
  try {
    return Package.parse(JSON.parse(await readSmallFile(path)));
  } catch {
    return {}; // being edited, or missing
  }
}

/** Programs of the installed packages. */
export async function readPackageBins(folder: string): Promise<Found[]> {
  const modules = await findAbove(folder, ['node_modules']);
  if (modules === null) return [];
  const names = await readdir(join(modules, '.bin')).catch(() => []); // packages without programs
  return names.map((name) => ({ name }));
}

/** Lists the targets in the makefile, without pattern rules and names with variables. */
export async function readMakeTargets(folder: string): Promise<Found[]> {
  const text = await firstText(folder, MAKEFILES);
  const targets = new Set<string>();
  for (const [, names = ''] of text.matchAll(/^([^\s:#=.$%][^:#=$%\n]*?)\s*::?(?![:=])/gm)) {
    for (const name of names.split(/\s+/)) if (name !== '') targets.add(name);
  }
  return [...targets].map((name) => ({ name }));
}

export async function readJustRecipes(folder: string): Promise<Found[]> {
  const path = await findAbove(folder, JUSTFILES);
  const text = path === null ? '' : await readSmallFile(path);
  return [...text.matchAll(/^(?:#\s*(.*)\n)?@?([A-Za-z][\w-]*)(?:\s[^:=\n]*)?:(?!=)/gm)].map(
    ([, description = '', name = '']) => ({ name, ...(description !== '' && { description }) }),
  );
}

async function firstText(folder: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const text = await readSmallFile(join(folder, name));
    if (text !== '') return text;
  }
  return '';
}
