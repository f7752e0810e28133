import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CommandSpec, GeneratorName, SpecArgument, SpecOption } from '../../src-main/completion/spec.ts';
import { SPEC_NAMES } from './completionSpecNames.ts';

/**
 * Converts the specifications of `@withfig/autocomplete` to data at build time. Their code runs only here, where it creates the objects. Code
 * that would run programs or use the network in the product is replaced by the name of one of our own readers.
 */

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.resolve('@withfig/autocomplete'))));
const MAX_DESCRIPTION = 160;

type Loose = Record<string, unknown>;

/** Our reader for a command that a generator of the package runs. */
const BY_SCRIPT: readonly (readonly [RegExp, GeneratorName[]])[] = [
  [/^git .*\bbranch -a\b/, ['refs']],
  [/^git .*\bbranch\b/, ['branches']],
  [/^git .*\btag\b/, ['tags']],
  [/^git .*\bremote\b/, ['remotes']],
  [/-f package\.json/, ['scripts']],
  [/node_modules\/\.bin/, ['packageBins']],
  [/^docker (?:ps|container)/, ['containers']],
  [/^docker images?\b/, ['images']],
  [/\bps axo pid/, ['processes']],
  [/^env kill -l/, ['signals']],
];
/** Our reader for the source text of a function that would run a command. */
const BY_CODE: readonly (readonly [RegExp, GeneratorName[]])[] = [
  [/known_hosts|"host "/, ['hosts']],
  [/make -qp/, ['makeTargets']],
  [/just .*--(?:dump|summary)/, ['justRecipes']],
  [/list-unit/, ['units']],
  [/devDependencies|dependencies/, ['dependencies']],
  [/insertWithoutRemotes/, ['branches']],
];
/** Arguments that the package computes in code that we cannot convert. The key is the path of command names. */
const OWN: Readonly<Record<string, SpecArgument>> = {
  cd: { paths: 'folders' },
  pushd: { paths: 'folders' },
  rmdir: { paths: 'folders', isVariadic: true },
  make: { from: ['makeTargets'], isVariadic: true, isOptional: true },
  just: { from: ['justRecipes'], isVariadic: true, isOptional: true },
  yarn: { from: ['scripts'], isOptional: true },
  pnpm: { from: ['scripts'], isOptional: true },
  bun: { from: ['scripts'], isOptional: true, paths: 'files' },
  'npm run': { from: ['scripts'] },
  man: { from: ['commands'], isVariadic: true },
  which: { from: ['commands'], isVariadic: true },
  export: { from: ['variables'], isVariadic: true },
  unset: { from: ['variables'], isVariadic: true },
};

/** Maps each file name to its text. */
export async function completionSpecs(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of SPEC_NAMES) {
    const module = (await import(pathToFileURL(join(PACKAGE, 'build', `${name}.js`)).href)) as Loose;
    files.set(`${name}.json`, JSON.stringify(command(module.default as Loose, name)));
  }
  files.set('LICENSE', readFileSync(join(PACKAGE, 'LICENSE'), 'utf8'));
  return files;
}

function command(spec: Loose, path: string, isLongDash = false): CommandSpec {
  const directives = (spec.parserDirectives ?? {}) as Loose;
  const hasLongSingleDash = isLongDash || directives.flagsArePosixNoncompliant === true;
  const subcommands = list(spec.subcommands)
    .filter(isShown)
    .map((one) => command(one, `${path} ${names(one)[0]}`, hasLongSingleDash));
  const options = list(spec.options).filter(isShown).map(option);
  const own = OWN[path];
  const args = own ? [own] : list(spec.args).map(argument);
  return {
    ...named(spec),
    ...(subcommands.length > 0 && { subcommands }),
    ...(options.length > 0 && { options }),
    ...(args.length > 0 && { args }),
    ...(hasLongSingleDash && { hasLongSingleDash }),
    ...(typeof spec.loadSpec === 'string' && SPEC_NAMES.includes(spec.loadSpec) && { load: spec.loadSpec }),
  };
}

function option(spec: Loose): SpecOption {
  const args = list(spec.args).map(argument);
  const { requiresSeparator, requiresEquals } = spec;
  const needed =
    typeof requiresSeparator === 'string' ? requiresSeparator : requiresSeparator || requiresEquals ? '=' : '';
  const excludes = texts(spec.exclusiveOn);
  return {
    ...named(spec),
    ...(args.length > 0 && { args }),
    ...(spec.isRepeatable ? { isRepeatable: true as const } : {}),
    ...(needed !== '' && args.length > 0 && { separator: needed }),
    ...(spec.isPersistent === true && { isPersistent: true as const }),
    ...(excludes.length > 0 && { excludes }),
  };
}

function argument(spec: Loose): SpecArgument {
  const generators = list(spec.generators);
  const templates = [spec.template, ...generators.map(({ template }) => template)].flatMap(texts);
  const codes = generators.map(({ custom }) => String(custom ?? ''));
  // Paths replace lists of changed files, because git would run filters that the repository's config names.
  const isChanged = generators.some(({ script }) => /^git .*(?:status|diff)\b/.test(scriptText(script)));
  const isPath =
    isChanged || templates.includes('filepaths') || codes.some((code) => /getCurrentInsertedDir/.test(code));
  const paths = isPath ? 'files' : templates.includes('folders') ? 'folders' : undefined;
  const values = list(spec.suggestions).filter(isShown).map(named);
  const from = [...new Set(generators.flatMap(generatorNames))];
  return {
    ...(typeof spec.name === 'string' && { name: spec.name }),
    ...(spec.isOptional === true && { isOptional: true as const }),
    ...(spec.isVariadic === true && { isVariadic: true as const }),
    ...((spec.isCommand === true || spec.isModule === true) && { isCommand: true as const }),
    ...(paths && { paths }),
    ...(values.length > 0 && { values }),
    ...(from.length > 0 && { from }),
  };
}

function generatorNames({ script, custom }: Loose): GeneratorName[] {
  const found = BY_SCRIPT.filter(([pattern]) => pattern.test(scriptText(script))).slice(0, 1);
  const code = typeof custom === 'function' ? String(custom) : '';
  return [...found, ...BY_CODE.filter(([pattern]) => pattern.test(code)).slice(0, 1)].flatMap(([, name]) => name);
}

/** A function chooses the script from the typed words. Its source text also contains the name of the program. */
function scriptText(script: unknown): string {
  if (typeof script === 'function') return /\bgit\b.*\bdiff\b/.test(String(script)) ? 'git diff' : '';
  return Array.isArray(script) ? script.join(' ') : typeof script === 'string' ? script : '';
}

function named(spec: Loose): { names: string[]; description?: string } {
  const text = typeof spec.description === 'string' ? spec.description.replace(/\s+/g, ' ').trim() : '';
  const description = text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text;
  return { names: names(spec), ...(description !== '' && { description }) };
}

function names(spec: Loose): string[] {
  return texts(spec.name).filter((name) => name !== '' && !/\s/.test(name));
}

function isShown(spec: Loose): boolean {
  return spec.hidden !== true && spec.deprecated !== true && names(spec).length > 0;
}

/** Treats a single value as a list of one, and a string as an object with that name. */
function list(value: unknown): Loose[] {
  const all = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  return all.map((one) => (typeof one === 'object' && one !== null ? (one as Loose) : { name: String(one) }));
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}
