import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { lookAt } from '../pty/foreground.ts';

/** LISTEN in /proc/net/tcp (the kernel's tcp_states.h). */
const LISTENING = '0A';
const LSOF_LIMIT_MS = 2_000;
/** A row has room for a few; a program with more listens for a reason that no row can explain. */
const MAX_PORTS = 16;
/** Of a terminal: a build with thousands of processes is not a server. */
const MAX_PROCESSES = 200;

/** TCP ports on which processes of the shell's terminal listen, ascending; empty when there is none or the system does not say. */
export async function listeningPorts(shellPid: number): Promise<number[]> {
  const all = lookAt({ pid: shellPid, tty: undefined })?.all() ?? [];
  const pids = all.slice(0, MAX_PROCESSES).map(({ pid }) => pid);
  if (pids.length === 0) return [];
  return process.platform === 'linux' ? portsByProc(pids) : parseLsof(await runLsof(pids));
}

async function portsByProc(pids: readonly number[]): Promise<number[]> {
  const inodes = new Set((await Promise.all(pids.map(socketInodes))).flat());
  if (inodes.size === 0) return [];
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readText(`/proc/${pids[0]}/net/${name}`)));
  const found = tables.flatMap(parseProcTcp).filter(({ inode }) => inodes.has(inode));
  return portsOf(found.map(({ port }) => port));
}

/** Listening sockets of /proc/net/tcp or tcp6: proc(5). */
export function parseProcTcp(table: string): { port: number; inode: string }[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((row) => {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
      const port = Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16);
      return state === LISTENING && inode !== undefined && port > 0 ? [{ port, inode }] : [];
    });
}

/** `lsof -Fn`: a line `n*:5173`, `n127.0.0.1:5173` or `n[::1]:5173` for each socket. */
export function parseLsof(text: string): number[] {
  const found = [...text.matchAll(/^n\S*:(\d{1,5})$/gm)].map(([, port]) => Number(port));
  return portsOf(found);
}

function portsOf(found: readonly number[]): number[] {
  return [...new Set(found)].sort((a, b) => a - b).slice(0, MAX_PORTS);
}

async function socketInodes(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const fds = await readdir(folder).catch(() => []); // it has ended, or is another user's
  const links = await Promise.all(fds.map((fd) => readlink(`${folder}/${fd}`).catch(() => '')));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => ''); // without IPv6 there is no tcp6
}

function runLsof(pids: readonly number[]): Promise<string> {
  const args = ['-nP', '-a', '-iTCP', '-sTCP:LISTEN', '-p', pids.join(','), '-Fn'];
  return new Promise((done) => {
    execFile('lsof', args, { timeout: LSOF_LIMIT_MS, killSignal: 'SIGKILL' }, (_error, stdout) => done(stdout)); // 1: none found
  });
}
