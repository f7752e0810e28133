import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node-pty';
import { CoreProcess } from './CoreProcess.ts';
import { type Figure, inTurns, median, type Row } from './Figure.ts';
import { isInstalled, SIZE } from './peers.ts';

/** The prompt of every shell in this row, so that it can be recognized in the output. */
const SIGN = 'READY>';
const SHELLS = ['bash', 'zsh', 'fish'];
const MAX_EXTRA_MS = 150;

/** Time from the request for a terminal to its first prompt, against the same shell in `script -qc`. */
export const row11: Row = async ({ folder, runs }, say) => {
  if (!isInstalled('script')) {
    say('script is not installed: skipped');
    return [];
  }
  const home = writeHome(join(folder, 'home'));
  const core = new CoreProcess([], { BENCH_HOME: home });
  const figures: Figure[] = [];
  for (const shell of SHELLS.filter((name) => isInstalled(name))) {
    await core.open(shell); // warms the page cache, so that neither run reads the shell from disk
    const values = await inTurns(runs, { ours: () => core.open(shell), script: () => timeScript(shell, home) });
    const [ours, theirs] = [median(values.ours), median(values.script)];
    figures.push({
      row: 11,
      work: `first prompt of ${shell}`,
      value: ours,
      unit: 'ms',
      runs,
      against: { name: 'script -qc', value: theirs },
      ratio: ours / theirs,
      target: `≤ +${MAX_EXTRA_MS} ms`,
      isMet: ours - theirs <= MAX_EXTRA_MS,
    });
  }
  await core.stop();
  return figures;
};

function writeHome(home: string): string {
  const fish = join(home, '.config/fish');
  mkdirSync(fish, { recursive: true });
  writeFileSync(join(home, '.bashrc'), `PS1='${SIGN} '\n`);
  writeFileSync(join(home, '.zshrc'), `PS1='${SIGN} '\n`);
  writeFileSync(join(fish, 'config.fish'), `function fish_prompt; echo -n '${SIGN} '; end\n`);
  return home;
}

function timeScript(shell: string, home: string): Promise<number> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: home, USER: 'tester', SHELL: '/bin/bash', LANG: 'C.UTF-8', TERM: 'xterm-256color' };
  const startMs = performance.now();
  const pty = spawn('script', ['-qc', shell, '/dev/null'], { ...SIZE, cwd: home, env });
  let seen = '';
  return new Promise((resolve) => {
    pty.onData((data) => {
      seen += data;
      if (!seen.includes(SIGN)) return;
      seen = '';
      resolve(performance.now() - startMs);
      pty.kill();
    });
  });
}
