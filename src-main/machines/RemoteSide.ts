import type { Readable } from 'node:stream';
import { MACHINE_PROTOCOL, type StdioHello } from '../contract/machines.ts';

/** How to start Hansard on a machine and set it up there. */
export interface RemoteSide {
  /** For a shell of any kind. */
  readonly command: string;
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

/** The reason why a core with that hello cannot be used. */
export function otherVersion({ version, protocol }: Extract<StdioHello, { type: 'ready' }>): string {
  const which = protocol < MACHINE_PROTOCOL ? 'older' : 'newer';
  const remedy =
    which === 'older' ? 'Run `hansard serve restart` there after an update of Hansard.' : 'Update Hansard here.';
  return `Hansard ${version} runs there, which is ${which} than this one and speaks another protocol. ${remedy}`;
}

/** Why the copy of Hansard on that machine stays, and how to remove it there. */
export function leftServer(name: string): string {
  const folder = '~/.local/share/hansard/server';
  return (
    `${name} cannot be reached, so the copy of Hansard that a set-up may have made there was not removed. To remove it, run there: ` +
    `\`${folder}/*/bin/hansard serve stop\`, then \`rm -rf ${folder}\`.`
  );
}
