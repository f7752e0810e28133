import { glob, readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Found } from './projectFiles.ts';
import { readSmallFile } from './readSmallFile.ts';
import { runQuiet } from './runQuiet.ts';

/** Each process costs a read in /proc. */
const MAX_PROCESSES = 200;
/** Maximum number of ssh config files, including nested includes. */
const MAX_INCLUDED = 20;
const UNIT_FOLDERS = ['/etc/systemd/system', '/run/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system'];
const UNIT = /\.(?:service|socket|timer|target|mount|path|slice)$/;

export function signalNames(): Found[] {
  return Object.entries(constants.signals).map(([name, number]) => ({
    name: name.slice(3),
    description: String(number),
  }));
}

/** Ids of processes with their programs, newest first. */
export async function readProcesses(): Promise<Found[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)); // only Linux has it
  if (ids.length === 0) return processesOfPs();
  const newest = ids.sort((a, b) => Number(b) - Number(a)).slice(0, MAX_PROCESSES);
  const found = await Promise.all(
    newest.map(async (name) => ({ name, description: (await readProc(`/proc/${name}/comm`)).trim() })),
  );
  return found.filter(({ description }) => description !== '');
}

/** readSmallFile cannot read files of /proc, because their size is 0. */
async function readProc(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => ''); // the process has ended
}

async function processesOfPs(): Promise<Found[]> {
  const text = await runQuiet('/bin/ps', ['-axo', 'pid=,comm=']);
  return [...text.matchAll(/^\s*(\d+)\s+(.*)$/gm)]
    .map(([, name = '', description = '']) => ({ name, description }))
    .reverse();
}

/** Hosts of the person's ssh config and known_hosts, without patterns and hashed names. */
export async function readHosts(home: string): Promise<Found[]> {
  const names = new Set((await readConfigHosts(home)).map(({ name }) => name));
  const known = await readSmallFile(join(home, '.ssh/known_hosts'));
  for (const line of known.split('\n')) {
    if (line === '' || /^[#|@]/.test(line)) continue;
    for (const host of line.split(' ', 1)[0]?.split(',') ?? []) names.add(host.replace(/^\[(.*)\]:\d+$/, '$1'));
  }
  return [...names].filter((name) => /^[\w.:-]+$/.test(name)).map((name) => ({ name }));
}

/** Hosts of the person's ssh config without patterns, each with its first `HostName`. */
export async function readConfigHosts(home: string): Promise<{ name: string; hostName: string | null }[]> {
  const hostNames = new Map<string, string | null>();
  const queue = [join(home, '.ssh/config')];
  for (let at = 0; at < queue.length && at < MAX_INCLUDED; at++) {
    const text = await readSmallFile(queue[at] ?? '');
    let names: string[] = [];
    for (const [, key = '', value = ''] of text.matchAll(/^[ \t]*(Host|HostName|Include)[ \t=]+(.*)$/gim)) {
      const words = value.trim().split(/\s+/);
      if (key.toLowerCase() === 'include') queue.push(...(await included(words, home)));
      else if (key.toLowerCase() === 'host') {
        names = words.filter((word) => !/[*?!"]/.test(word));
        for (const name of names) if (!hostNames.has(name)) hostNames.set(name, null);
      } else for (const name of names) hostNames.set(name, hostNames.get(name) ?? words[0] ?? null);
    }
  }
  return [...hostNames].map(([name, hostName]) => ({ name, hostName }));
}

async function included(patterns: readonly string[], home: string): Promise<string[]> {
  const paths: string[] = [];
  for (const pattern of patterns) {
    const path = pattern.replace(/^~(?=\/)/, home);
    const full = isAbsolute(path) ? path : join(home, '.ssh', path);
    if (full.includes('**')) continue;
    for await (const found of glob(full)) if (paths.push(found) >= MAX_INCLUDED) return paths;
  }
  return paths;
}

/** Lists systemd units from the names of their files. */
export async function readUnits(): Promise<Found[]> {
  const lists = await Promise.all(UNIT_FOLDERS.map((folder) => readdir(folder).catch(() => []))); // not all exist
  return [...new Set(lists.flat())]
    .filter((name) => UNIT.test(name) && !name.endsWith('@.service'))
    .map((name) => ({ name }));
}
