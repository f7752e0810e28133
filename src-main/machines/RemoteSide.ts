import type { Readable } from 'node:stream';
import { MACHINE_PROTOCOL, type StdioHello } from '../contract/machines.ts';

/** Where the set-up copies versions to, for people: a machine may set another folder for data. */
const SERVER_FOLDER = '~/.local/share/hansard/server';

/** How to start Hansard on a machine and set it up there. */
export interface RemoteSide {
  /** For a shell of any kind. */
  readonly command: string;
  /** Of this installation, and of the copies that it makes. */
  readonly version: string;
  /**
   * The text that the person must agree to before `install`: what is copied, and where. If a copy is impossible, `remedy` describes what to do there.
   */
  offer(hello: Extract<StdioHello, { type: 'missing' }>): { text: string } | { remedy: string };
  install(how: {
    run(command: string, stdin: Readable | null): Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
    onProgress(percent: number): void;
    signal: AbortSignal;
  }): Promise<void>;
}

/** The reason why a core with that hello cannot be used by this installation, of version `own`. */
export function otherVersion({ version, protocol }: Extract<StdioHello, { type: 'ready' }>, own: string): string {
  const which = protocol < MACHINE_PROTOCOL ? 'older' : 'newer';
  const remedy =
    which === 'older'
      ? `Run \`hansard serve restart\` there after an update of Hansard, or \`${SERVER_FOLDER}/${own}/bin/hansard serve restart\` if this version was copied there. Shells keep running.`
      : 'Update Hansard here.';
  return `Hansard ${version} runs there, which is ${which} than this one and speaks another protocol. ${remedy}`;
}

/** The reason when the person did not agree to the copy. */
export function notCopied({ version }: Extract<StdioHello, { type: 'missing' }>): string {
  if (version === null) return 'Hansard is not installed there, and was not copied.';
  return `Hansard ${version} there cannot be used by this version, which was not copied there.`;
}

/** Why the copy of Hansard on that machine stays, and how to remove it there. */
export function leftServer(name: string): string {
  return (
    `${name} cannot be reached, so the copy of Hansard that a set-up may have made there was not removed. To remove it, run there: ` +
    `\`${SERVER_FOLDER}/*/bin/hansard serve stop\`, then \`rm -rf ${SERVER_FOLDER}\`.`
  );
}
