import type { ChoiceKind } from '../../contract/completion.ts';
import type { Candidate } from '../Candidate.ts';
import type { GeneratorName } from '../spec.ts';
import { readRefs, readRemotes } from './gitRefs.ts';
import { readHosts, readProcesses, readUnits, signalNames } from './machine.ts';
import type { Programs } from './Programs.ts';
import {
  type Found,
  readDependencies,
  readJustRecipes,
  readMakeTargets,
  readPackageBins,
  readScripts,
} from './projectFiles.ts';
import { runQuiet } from './runQuiet.ts';

/** A disk that hangs must not delay typing. */
const LIMIT_MS = 300;
/** Roughly the time to type a word. Changes on the disk appear with the next word. */
const FRESH_MS = 2_000;
const MAX_KEPT = 16;

export interface Machine {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  programs: Programs;
}

const KINDS: Readonly<Record<GeneratorName, ChoiceKind>> = {
  branches: 'branch',
  tags: 'tag',
  remotes: 'remote',
  refs: 'branch',
  scripts: 'script',
  dependencies: 'argument',
  packageBins: 'command',
  makeTargets: 'script',
  justRecipes: 'script',
  containers: 'container',
  images: 'container',
  processes: 'process',
  signals: 'argument',
  hosts: 'host',
  units: 'argument',
  variables: 'variable',
  commands: 'command',
};

/** Runs generators and caches their values for the next keys of the same word. */
export class Sources {
  readonly #machine: Machine;
  readonly #nowMs: () => number;
  readonly #known = new Map<string, { readMs: number; found: Promise<Found[]> }>();

  constructor(machine: Machine, nowMs: () => number) {
    this.#machine = machine;
    this.#nowMs = nowMs;
  }

  /** Values from a generator, or an empty list when it takes longer than 300 ms. No generator runs a program from the folder or one that the folder's files name. */
  async generate(name: GeneratorName, folder: string): Promise<Candidate[]> {
    const found = await withLimit(this.#found(name, folder), []);
    return found.map(({ name: value, description }) => ({ value, label: value, kind: KINDS[name], description }));
  }

  #found(name: GeneratorName, folder: string): Promise<Found[]> {
    const key = `${name} ${folder}`;
    const nowMs = this.#nowMs();
    const known = this.#known.get(key);
    if (known && nowMs - known.readMs < FRESH_MS) return known.found;
    const found = find(name, folder, this.#machine);
    this.#known.delete(key);
    this.#known.set(key, { readMs: nowMs, found });
    for (const old of [...this.#known.keys()].slice(0, -MAX_KEPT)) this.#known.delete(old);
    return found;
  }
}

async function find(name: GeneratorName, folder: string, machine: Machine): Promise<Found[]> {
  switch (name) {
    case 'branches':
      return named(await readRefs(folder, 'heads'));
    case 'tags':
      return named(await readRefs(folder, 'tags'));
    case 'remotes':
      return named(await readRemotes(folder));
    case 'refs':
      return named([...(await readRefs(folder, 'heads')), ...(await readRefs(folder, 'remotes'))]);
    case 'scripts':
      return readScripts(folder);
    case 'dependencies':
      return readDependencies(folder);
    case 'packageBins':
      return readPackageBins(folder);
    case 'makeTargets':
      return readMakeTargets(folder);
    case 'justRecipes':
      return readJustRecipes(folder);
    case 'processes':
      return readProcesses();
    case 'signals':
      return signalNames();
    case 'hosts':
      return readHosts(machine.home);
    case 'units':
      return readUnits();
    case 'containers':
      return docker(['ps', '-a', '--format', '{{.Names}}\t{{.Image}}, {{.Status}}'], machine);
    case 'images':
      return docker(['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}\t{{.Size}}'], machine);
    case 'variables':
      return named(variableNames(machine));
    case 'commands':
      return named([...(await machine.programs.names())]);
  }
}

/** Returns names only, because a value may be a secret. */
export function variableNames({ env }: Machine): string[] {
  return Object.keys(env)
    .filter((name) => /^[A-Za-z_]\w*$/.test(name))
    .sort();
}

async function docker(args: readonly string[], { programs, env }: Machine): Promise<Found[]> {
  const program = await programs.find('docker');
  if (program === null) return [];
  const lines = (await runQuiet(program, args, env))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('<none>'));
  return lines.map((line) => {
    const [name = '', description = ''] = line.split('\t');
    return { name, description };
  });
}

function named(names: readonly string[]): Found[] {
  return names.map((name) => ({ name }));
}

/** Resolves to the value of `promise`, or to `otherwise` after the limit or an error. */
export async function withLimit<T>(promise: Promise<T>, otherwise: T, limitMs = LIMIT_MS): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise), limitMs);
  try {
    return await Promise.race([promise.catch(() => otherwise), late]);
  } finally {
    clearTimeout(timer);
  }
}
