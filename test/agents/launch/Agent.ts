import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NameTool, Protocol } from '../scriptedModel/Protocol.ts';

/** Folders and model of one run. All folders are new. */
export interface Place {
  readonly home: string;
  /** The agent's working directory. */
  readonly project: string;
  /** Base URL of the scripted model. */
  readonly url: string;
}

/** Input for an action of the person: a key sequence, or a line to send with Return. */
export type Order = { readonly keys: string } | { readonly line: string };

export interface Variant {
  readonly command: string;
  readonly env?: Record<string, string>;
  /** The status of a denied call, if the screen shows it like an interrupted one. */
  readonly denied?: 'interrupted';
}

/** All that the rig knows about one agent: how to start it, texts to wait for, and keys for its dialogs. */
export interface RigAgent {
  readonly name: string;
  /** npm package, whose version is in the names of recordings. */
  readonly package: string;
  /** Folder of the program in the package, if npm does not link it. */
  readonly bin?: string;
  /** node_modules with the agent. Absent: the rig's. */
  readonly modules?: string;
  /** Differences in versions older than `before`, oldest first. */
  readonly older?: readonly ({ readonly before: string } & Partial<RigAgent>)[];
  readonly protocol: Protocol;
  readonly nameTool: NameTool;
  /** Ways to start the agent, by name; the first is the default. */
  readonly variants: Readonly<Record<string, Variant>>;
  env(place: Place): Record<string, string>;
  /** Writes files into HOME so that the agent starts without questions. */
  seed(place: Place): void;
  /** Pattern of the screen while the agent waits for a prompt. */
  readonly ready: string;
  /** Pattern of a question before the agent is ready, and the keys for the answer. */
  readonly asksFirst?: { readonly shows: string; readonly keys: string };
  /** Time for which the agent still loads while its screen looks ready, and queues typed keys, ms. */
  readonly loadsMs?: number;
  /** Pattern of the screen only while the agent works. */
  readonly busy: string;
  /** Pattern of the screen during a permission prompt. */
  readonly dialog: string;
  readonly allow: string;
  readonly deny: string;
  /** After a denied call it asks the model once more, which has no script for that. */
  readonly goesOnDenied?: true;
  /** Presses of Esc for an interrupt. Absent: one. */
  readonly stops?: number;
  /** Pattern of the screen after an interrupted answer. */
  readonly interrupted: string;
  /** Whether the screen shows that a command failed. */
  readonly showsFailures: boolean;
  readonly exit: Order;
  /** Argument to resume the last conversation in this folder. */
  readonly resumes?: string;
  /** Matches the agent's hint at its end on how to resume, without line breaks; the group is the conversation's id. */
  readonly resumeId?: RegExp;
  /** Esc sends a queued prompt at once and interrupts the current answer. */
  readonly isCutByQueue?: true;
  readonly clear: Order;
  readonly compact?: Order;
  readonly help?: Order;
  /** Keys that close the help. */
  readonly closeHelp?: string;
  /** Pattern of the screen after `clear`, if that takes time. */
  readonly cleared?: string;
  /** Patterns of the screen after `help` and after `compact`. */
  readonly helped?: string;
  readonly compacted?: string;
  /** The agent takes a Return sooner than this after a text as a newline, ms. */
  readonly returnAfterMs?: number;
}

const RIG_MODULES = new URL('../node_modules', import.meta.url).pathname;

/** The installed version, or null if the agent is not installed. */
export function installedVersion({
  package: name,
  modules = RIG_MODULES,
}: Pick<RigAgent, 'package' | 'modules'>): string | null {
  try {
    const text = readFileSync(join(modules, name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return null; // not installed: the caller skips its tests
  }
}

/** Folders of the programs, for PATH. */
export function binFolders(agents: readonly RigAgent[]): string[] {
  return agents.flatMap(({ package: name, bin, modules = RIG_MODULES }) => [
    join(modules, '.bin'),
    ...(bin ? [join(modules, name, bin)] : []),
  ]);
}

export function writeSeed(home: string, path: string, content: string | object): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}
