import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RunFolders } from './drive/Place.ts';
import { installedVersion, type RigAgent } from './launch/Agent.ts';
import { AGENTS } from './launch/agents.ts';
import { ScriptedModel } from './scriptedModel/ScriptedModel.ts';
import type { Turn } from './scriptedModel/script.ts';

/**
 * Runs each installed agent once in headless mode against the scripted model, and copies its agent logs:
 * `node test/agents/keepLogs.ts FOLDER [AGENT …]`. The recordings in test/fixtures/past were made with it.
 */

/** Agent → its command for one prompt, arguments to continue the conversation, and folders of its logs below HOME. */
const RUNS: Readonly<Record<string, { ask: (prompt: string) => string[]; again: string[]; keeps: string[] }>> = {
  claude: {
    ask: (prompt) => ['claude', '-p', prompt, '--dangerously-skip-permissions'],
    again: ['--continue'],
    keeps: ['.claude/projects'],
  },
  codex: {
    ask: (prompt) => ['codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    again: [],
    keeps: ['.codex/sessions'],
  },
  gemini: {
    ask: (prompt) => ['gemini', '--yolo', '-p', prompt],
    again: ['--resume', 'latest'],
    keeps: ['.gemini/tmp', '.gemini/projects.json', '.gemini/history'],
  },
  opencode: {
    ask: (prompt) => ['opencode', 'run', '--auto', prompt],
    again: ['--continue'],
    keeps: ['.local/share/opencode'],
  },
  copilot: {
    ask: (prompt) => ['copilot', '-p', prompt, '--allow-all-tools'],
    again: ['--continue'],
    keeps: ['.copilot'],
  },
  qwen: { ask: (prompt) => ['qwen', '--yolo', '-p', prompt], again: ['--continue'], keeps: ['.qwen'] },
};

const TURNS: readonly Turn[] = [
  {
    prompt: 'When does the tide turn at Hallow Bay?',
    replies: [
      { text: 'I will look at the table.', tool: { does: 'shell', command: 'cat tides.txt', prints: 'high 06:12' } },
      { text: 'High water is at **06:12**, so the tide turns shortly after six.' },
    ],
  },
  { prompt: 'Say that once more, in one word.', replies: [{ text: 'Six.' }] },
];

async function keep(agent: RigAgent, into: string): Promise<void> {
  const run = RUNS[agent.name];
  const version = installedVersion(agent);
  if (!run || version === null) return console.log(`${agent.name}: not installed`);
  const folders = new RunFolders({ 'tides.txt': 'high 06:12\nlow 12:31\n' });
  const model = await ScriptedModel.start([agent.protocol], agent.nameTool);
  try {
    folders.seed([agent], model.url);
    for (const [at, turn] of TURNS.entries()) {
      model.load(turn);
      const [program = '', ...args] = run.ask(turn.prompt);
      const all = at === 0 ? args : [...args, ...run.again];
      await done(program, all, { cwd: folders.project, env: folders.env([agent], model.url) });
    }
    const target = join(into, `${agent.name}-${version}`);
    rmSync(target, { recursive: true, force: true });
    for (const path of run.keeps.filter((one) => existsSync(join(folders.home, one)))) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      cpSync(join(folders.home, path), join(target, path), { recursive: true });
    }
    console.log(`${agent.name} ${version}: ${target} ${model.problems.join('; ')}`);
  } finally {
    await model.stop();
    folders.remove();
  }
}

function done(program: string, args: string[], options: { cwd: string; env: Record<string, string> }): Promise<void> {
  return new Promise((ended, failed) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'], timeout: 120_000 });
    child.on('error', failed);
    child.on('exit', () => ended());
  });
}

const [into = 'kept-logs', ...names] = process.argv.slice(2);
/** node_modules of agents that the rig does not pin. */
const modules = process.env.RIG_MODULES;
for (const agent of AGENTS)
  if (names.length === 0 || names.includes(agent.name))
    await keep(modules ? { ...agent, modules } : agent, resolve(into));
