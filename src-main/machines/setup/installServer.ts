import { createReadStream } from 'node:fs';
import { machine, type } from 'node:os';
import type { Readable } from 'node:stream';
import type { StdioHello } from '../../contract/machines.ts';
import { installScript, removeScript, SETUP_FAULTS, type SetupFault } from './installScript.ts';
import { packServer } from './packServer.ts';

/** Runs a command on the machine over the open connection, and waits for its end. */
export type RunThere = (
  command: string,
  stdin: Readable | null,
) => Promise<{ exitCode: number | null; stdout: string; stderr: string }>;

export interface InstallOptions {
  run: RunThere;
  /** Of this installation. */
  root: string;
  version: string;
  onProgress: (percent: number) => void;
  signal: AbortSignal;
}

const FAULTS: Readonly<Record<SetupFault, string>> = {
  folder: 'its folder could not be made',
  copy: 'the copy could not be written',
  cut: 'the connection was lost during the copy',
  checksum: 'the copy is damaged: its checksum differs',
  unpack: 'the copy could not be unpacked',
  start: 'the copied Hansard does not start there',
  busy: 'a Hansard of this version runs there. End it there with `hansard serve stop`, and connect again',
  move: 'it could not be moved into place',
};

/**
 * Copies this installation to a machine of the same kind. Rejects with what failed, why, and what to do there; then nothing incomplete is left in
 * place.
 */
export async function installServer({ run, root, version, onProgress, signal }: InstallOptions): Promise<void> {
  const packed = await packServer(root, signal).catch((error: unknown) => {
    throw new Error(`Hansard could not be packed: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    const file = createReadStream(packed.path, { signal });
    let sent = 0;
    file.on('data', (piece) => {
      sent += piece.length;
      onProgress(Math.floor((100 * sent) / packed.bytes));
    });
    const { stdout, stderr } = await run(installScript(version, packed), file);
    const fault = faultOf(stdout);
    if (fault !== null)
      throw new Error(`Hansard could not be copied there: ${sentence(fault, stderr)} ${remedy(version)}`);
  } finally {
    packed.dispose();
  }
}

/** Removes all versions that `installServer` has copied. Rejects with a sentence. */
export async function removeServer({ run }: { run: RunThere }): Promise<void> {
  const { stdout, stderr } = await run(removeScript(), null);
  const fault = faultOf(stdout);
  if (fault === 'busy') throw new Error(`Nothing was removed there: ${reasonIn(stderr) || 'Hansard still runs there'}`);
  if (fault !== null) throw new Error(`What was copied there could not be removed. ${reasonIn(stderr)}`.trim());
}

/** The text that the person must agree to before the copy; or, for another kind of machine, what to do there. */
export function offerServer(
  { system, machine: kind, libc, version: found }: Extract<StdioHello, { type: 'missing' }>,
  version: string,
): { text: string } | { remedy: string } {
  const what =
    found === null ? 'Hansard is not installed there' : `Hansard ${found} there cannot be used by this version`;
  const own = { system: type(), kind: machine(), libc: ownLibc() };
  const isAlike = own.system === system && own.kind === kind && (system !== 'Linux' || own.libc === libc);
  if (!isAlike) {
    const [there, here] = [
      [system, kind, libc],
      [own.system, own.kind, own.libc],
    ].map((words) => words.join(' '));
    return { remedy: `${what}, and it cannot be copied from here (${here}) to ${there}. ${remedy(version)}` };
  }
  return { text: `${what}. Copy this version (about 50 MB) to ~/.local/share/hansard/server/${version} there?` };
}

function remedy(version: string): string {
  return `To install it yourself, run \`npm pack\` here in a clone of Hansard, copy the file to that machine, and run there: \`npm i -g ./hansard-${version}.tgz\` (Node 22.15 or newer).`;
}

function ownLibc(): 'glibc' | 'musl' {
  const report: unknown = process.report.getReport();
  const header = typeof report === 'object' && report !== null && 'header' in report ? report.header : null;
  const isGlibc = typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
  return isGlibc || type() !== 'Linux' ? 'glibc' : 'musl';
}

/** Null on success. Start-up files may print before our line, also on the same line; without our line the connection has ended. */
function faultOf(stdout: string): SetupFault | null {
  const word = /HANSARD-SETUP (\w+)$/m.exec(stdout)?.[1];
  return word === 'ok' ? null : (SETUP_FAULTS.find((fault) => fault === word) ?? 'cut');
}

function sentence(fault: SetupFault, stderr: string): string {
  const why = fault === 'busy' ? '' : reasonIn(stderr);
  return `${FAULTS[fault]}${why === '' ? '' : ` (${why})`}.`;
}

/** Finds the line with the reason in the output of tar, the shell or Node; other lines follow it. */
const REASON = /no space left|quota|permission denied|read-only file system|not found|\berror: /i;

/** The output of a program there, which is untrusted: one line without control characters. */
function reasonIn(text: string): string {
  const lines = text.replace(/[^\P{C}\n]/gu, '').split('\n');
  const line = lines.findLast((each) => REASON.test(each)) ?? lines.findLast((each) => each.trim() !== '') ?? '';
  return line.trim().slice(0, 300).replace(/\.$/, '');
}
