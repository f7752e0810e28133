import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, median, quantile, type Row } from './Figure.ts';
import { ServedCore } from './ServedCore.ts';

/** Typed key by key: subcommands, options and their values, and what completion reads from files, processes and other programs. */
const LINES = [
  'git checkout feature/tide-30',
  'git commit --amend --no-ed',
  'npm run test:tide-1',
  'make harbour-1',
  'cat src/berth-19',
  'docker run --rm --na',
  'kubectl get pods --namesp',
  'ssh har',
  'kill -s TER',
  'kill 1',
  'cargo build --rel',
  'tar -xz',
  'systemctl status ssh',
  'echo $HO',
  'sudo env LANG=C git sta',
  'python3 -m ht',
];
const BRANCHES = 500;
const FILES = 2000;
const SCRIPTS = 200;
/** As a fast typist. */
const KEY_EVERY_MS = 40;
const TARGET_MS = 50;

/** Time from a question for completions, at each key of a line, to the answer. The window asks less often: once the person pauses. */
export const row24: Row = async ({ folder, runs }, say) => {
  const cwd = writeProject(join(folder, 'project'));
  const core = await ServedCore.start();
  const times: number[] = [];
  try {
    const terminalId = await core.open(cwd);
    for (let run = 0; run < runs; run++) {
      say(`run ${run + 1}`);
      for (const line of LINES) times.push(...(await typeLine(core, terminalId, line)));
    }
  } finally {
    await core.dispose();
  }
  const figure = (work: string, value: number, target = ''): Figure => ({
    row: 24,
    work: `completions while typing, ${work}`,
    value,
    unit: 'ms',
    runs: times.length,
    against: null,
    ratio: null,
    target,
    isMet: target === '' ? null : value <= TARGET_MS,
  });
  return [
    figure('median', median(times)),
    figure('p95', quantile(times, 0.95), `≤ ${TARGET_MS} ms`),
    figure('longest', Math.max(...times)),
  ];
};

async function typeLine(core: ServedCore, terminalId: string, line: string): Promise<number[]> {
  const times: number[] = [];
  for (let caret = 1; caret <= line.length; caret++) {
    const startMs = performance.now();
    await core.api.complete.line.query({ terminalId, text: line.slice(0, caret), caret });
    times.push(performance.now() - startMs);
    await sleep(KEY_EVERY_MS);
  }
  return times;
}

/** A repository with many branches, files, scripts and targets. */
function writeProject(project: string): string {
  mkdirSync(join(project, 'src'), { recursive: true });
  const count = (max: number) => Array.from({ length: max }, (_, at) => at);
  for (const at of count(FILES)) writeFileSync(join(project, 'src', `berth-${at}.ts`), '');
  const scripts = Object.fromEntries(count(SCRIPTS).map((at) => [`test:tide-${at}`, 'true']));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts }));
  writeFileSync(
    join(project, 'Makefile'),
    count(SCRIPTS)
      .map((at) => `harbour-${at}:\n\ttrue\n`)
      .join(''),
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: project });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  for (const at of count(BRANCHES)) git('branch', `feature/tide-${at}`);
  return project;
}
