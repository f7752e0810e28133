import { homedir } from 'node:os';
import type { PastImportReport } from '../../contract/past.ts';
import { PAST_AGENTS } from '../../past/agents/all.ts';
import { runImport } from '../../past/runImport.ts';
import { ensurePrivateFolder } from '../../store/instance/dataFolder.ts';
import { count, formatBytes } from '../print/formatFigures.ts';
import { outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { currentDataFolder } from '../record/RecordReader.ts';

/** True if the arguments of `import` are names of agents, or if there are no arguments, which means all agents. */
export function isAgents(what: readonly string[]): boolean {
  return what.every((name) => PAST_AGENTS.some(({ agent }) => agent === name));
}

/** Imports past conversations from agent logs, or counts them. It also works beside a running core, because both may write. */
export async function importLogs(
  only: readonly string[],
  { dryRun = false, json = false }: { dryRun?: boolean; json?: boolean },
): Promise<void> {
  const dataFolder = currentDataFolder();
  if (!dryRun) ensurePrivateFolder(dataFolder);
  const where = { home: homedir(), env: process.env, ...(only.length > 0 && { only }) };
  const report = await runImport({ dataFolder, isDry: dryRun, ...where }, showProgress);
  clearProgress();
  if (!dryRun) await notifyCore(dataFolder);
  for (const one of report.unread) remark(`not read: ${one}`);
  if (json) return printJson({ version: 1, isDry: dryRun, ...report });
  if (report.agents.length === 0) return remark('no agent logs were found.');
  await printLines(formatTable(COLUMNS, report.agents, outputColumns()));
  remark(summary(report, dryRun));
}

const COLUMNS: readonly Column<PastImportReport['agents'][number]>[] = [
  { title: 'AGENT', text: ({ agent }) => agent },
  { title: 'CONVERSATIONS', text: ({ conversations }) => String(conversations), alignRight: true },
  { title: 'MESSAGES', text: ({ messages }) => String(messages), alignRight: true },
  { title: 'ALSO RECORDED', text: ({ recorded }) => String(recorded), alignRight: true },
];

function summary(report: PastImportReport, isDry: boolean): string {
  const { conversations, messages, bytes, ms, badLines } = report;
  const bad = badLines > 0 ? ` ${count(badLines, 'line')} could not be read.` : '';
  const took = `${formatBytes(bytes)} in ${(ms / 1000).toFixed(1)} s`;
  if (isDry) return `${count(conversations, 'conversation')} found (${took}); nothing was imported.${bad}`;
  if (messages === 0) return `no new conversations (${took}).${bad}`;
  return `${count(conversations, 'new conversation')}, ${count(messages, 'new message')} (${took}).${bad}`;
}

function showProgress({ bytes, allBytes }: PastImportReport): void {
  if (!process.stderr.isTTY || allBytes === 0) return;
  process.stderr.write(`\r${Math.floor((bytes / allBytes) * 100)} % of ${formatBytes(allBytes)}\x1b[K`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

/** Makes a running core show and search the new conversations at once. */
async function notifyCore(dataFolder: string): Promise<void> {
  const found = await LiveCore.find(dataFolder);
  if (found.status !== 'ok') return;
  try {
    await found.core.connection.api.agent.past.changed.mutate();
  } catch {
    remark('the running Hansard is older than this command. Restart it to see the new conversations.');
  } finally {
    found.core.dispose();
  }
}
