// `npm run test:mutation`: makes small changes to the pure stages (a comparison, a boundary, a boolean) and checks that a test of the stage
// fails. Arguments after `--`: `--minutes N` (30), `--seed N` (the order of the files), then source files (default: those of all stages, in
// random order). Prints the score and each mutation that survived, except those in test/mutation/equivalent.json.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { env, fail, install, node, root, run, say } from './setup.mjs';

/** Maps source folders to their suites. */
const STAGES = {
  'src-main/events': 'test/events',
  'src-main/blocks': 'test/blocks',
  'src-main/screen/frames': 'test/screen/frames',
  'src-main/screen/rows': 'test/screen/rows',
  'src-main/screen/waits': 'test/screen/waits',
  'src-main/policy': 'test/policy',
  'src-main/redaction': 'test/redaction',
  'src-main/conversations/extraction/merge': 'test/conversations/extraction/merge',
  'src-main/conversations/extraction/extractors': 'test/conversations/extraction',
  'src-main/store/files': 'test/store/files',
  'src-main/store/record': 'test/store/record',
};
/** Texts are for people. Constants of modules are left out too (`ignoreStatic`), because each would need a run of all tests. */
const LEFT_OUT = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration'];
const home = join(root, 'test/mutation');

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0) || !Number.isInteger(seed)) fail('--minutes and --seed take numbers', 64);

install();
// The mutation tester needs Node 24, but this script may be started with an older one.
if (Number(process.versions.node.split('.')[0]) < 24) process.exit(run(node, process.argv.slice(1)));
process.chdir(root);
process.env.PATH = env.PATH;
if (!existsSync(join(home, 'node_modules'))) {
  say('installing the mutation tester (once)');
  if (run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: home }) !== 0)
    fail('`npm ci` failed in test/mutation; the lines above say why');
}
const { Stryker } = await import(
  pathToFileURL(join(home, 'node_modules/@stryker-mutator/core/dist/src/index.js')).href
);
const equivalent = JSON.parse(readFileSync(join(home, 'equivalent.json'), 'utf8'));

const files = positionals.length > 0 ? positionals : shuffled(sourceFiles());
const endMs = Date.now() + minutes * 60_000;
let killed = 0;
let survived = 0;
say(`mutations of ${files.length} files for ${minutes} minutes, in the order of seed ${seed}`);
for (const file of files) {
  if (Date.now() >= endMs) break;
  const results = await mutate(file);
  const caught = results.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  const missed = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const counted = missed.filter((mutant) => !isEquivalent(file, mutant));
  killed += caught.length;
  survived += counted.length;
  say(`${file}: ${caught.length} of ${caught.length + counted.length} noticed`);
  for (const mutant of counted) say(`  survived: ${shown(file, mutant)}`);
}
const score = killed + survived === 0 ? 100 : Math.round((100 * killed) / (killed + survived));
say(`mutation score ${score} %: ${killed} noticed, ${survived} survived, seed ${seed}`);

function sourceFiles() {
  return Object.keys(STAGES).flatMap((stage) =>
    readdirSync(join(root, stage), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${stage}/${name}`)
      .sort(),
  );
}

async function mutate(file) {
  const stage = Object.keys(STAGES).find((folder) => file.startsWith(`${folder}/`));
  if (!stage) fail(`${file} is in no stage of testMutation.mjs`, 64);
  process.env.HANSARD_MUTATION_TESTS = STAGES[stage];
  return await new Stryker({
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    plugins: [join(home, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    mutate: [file],
    mutator: { excludedMutations: LEFT_OUT },
    ignoreStatic: true,
    reporters: [],
    concurrency: 2,
    coverageAnalysis: 'perTest',
    tempDirName: 'dist/mutation',
    ignorePatterns: ['out', 'docs', 'dist', 'test/agents'],
    logLevel: 'off',
    allowEmpty: true,
  }).runMutationTest();
}

/** Formats a mutant as file, line, mutator and replacement. */
function shown(file, { location, replacement, mutatorName }) {
  return `${file}:${location.start.line} ${mutatorName} → ${replacement?.replaceAll(/\s+/g, ' ')}`;
}

/** Compares the text of the line and not its number, because edits above change the number. */
function isEquivalent(file, { location, replacement }) {
  const line = readFileSync(join(root, file), 'utf8').split('\n')[location.start.line - 1]?.trim();
  return equivalent.some((known) => known.file === file && known.line === line && known.replacement === replacement);
}

/** Orders the files by the seed, so that repeated short samples reach every file. */
function shuffled(list) {
  const keyed = list.map((file, at) => ({ file, key: Math.imul(seed + at * 7919, 0x9e3779b1) >>> 0 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ file }) => file);
}
