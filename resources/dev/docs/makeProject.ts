import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES: Readonly<Record<string, string>> = {
  'src/berths.mjs': 'export const depthAt = (tide) => (tide === "low" ? 5.6 : 7);\n',
  'src/harbour.mjs': 'import { depthAt } from "./berths.mjs";\nexport const isDeep = (tide) => depthAt(tide) > 6;\n',
  'test.mjs': `import { isDeep } from "./src/harbour.mjs";
const ink = (code, text) => "\\x1b[" + code + "m" + text + "\\x1b[0m";
for (const [tide, deep] of [["high", true], ["mean", true], ["low", true]]) {
  const ok = isDeep(tide) === deep;
  console.log((ok ? ink(32, "✓") : ink(31, "✗")) + " berth 4 at " + tide + " tide");
  if (ok) continue;
  console.log(ink(31, "  expected " + deep + ", got " + !deep));
  process.exitCode = 1;
}
`,
};

/** Makes a small project with a history and a failing test, so that the commands in the screenshots have realistic output. */
export function makeProject(folder: string): { folder: string; dispose(): void } {
  const dispose = (): void => rmSync(folder, { recursive: true, force: true });
  dispose();
  mkdirSync(join(folder, 'src'), { recursive: true });
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];
    spawnSync('git', [...who, ...args], { cwd: folder });
  };
  git('init');
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(folder, name), text);
    git('add', name);
    git('commit', '-qm', `Add ${name}`);
  }
  return { folder, dispose };
}
