import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NameTool, Protocol } from '../scriptedModel/Protocol.ts';

/** Where one run of an agent lives. All folders are new. */
export interface Place {
  readonly home: string;
  /** The folder it works in. */
  readonly project: string;
  /** Base URL of the scripted model. */
  readonly url: string;
}

/** What is typed for something the person wants. A key sequence, or a line that is sent with Return. */
export type Order = { readonly keys: string } | { readonly line: string };

export interface Variant {
  readonly command: string;
  readonly env?: Record<string, string>;
  /** What its screen calls a call that was denied, where it makes no difference. */
  readonly denied?: 'interrupted';
}

/** All that the rig knows of one agent: how to start it, what to wait for, which keys answer it. */
export interface RigAgent {
  readonly name: string;
  /** npm package whose version the recordings bear. */
  readonly package: string;
  /** Folder of its program in the package, where npm makes no link to it. */
  readonly bin?: string;
  /** The node_modules that it is installed in. Absent: those of the rig. */
  readonly modules?: string;
  /** What differs in versions before one, the oldest first. */
  readonly older?: readonly ({ readonly before: string } & Partial<RigAgent>)[];
  readonly protocol: Protocol;
  readonly nameTool: NameTool;
  /** Ways to start it, by name; the first is its default. */
  readonly variants: Readonly<Record<string, Variant>>;
  env(place: Place): Record<string, string>;
  /** Writes what it must find in its HOME, so that it asks nothing. */
  seed(place: Place): void;
  /** On the screen when it waits for a prompt. */
  readonly ready: string;
  /** What it asks before it is ready, and the keys that answer. */
  readonly asksFirst?: { readonly shows: string; readonly keys: string };
  /** It goes on loading for so long behind a screen that looks ready, and queues what is typed, ms. */
  readonly loadsMs?: number;
  /** On the screen while it works, and only then. */
  readonly busy: string;
  /** On the screen while it asks whether a tool may run. */
  readonly dialog: string;
  readonly allow: string;
  readonly deny: string;
  /** How often Esc is pressed to stop it. Absent: once. */
  readonly stops?: number;
  /** On the screen after Esc in the middle of an answer. */
  readonly interrupted: string;
  /** Its screen tells a command that failed from one that did not. */
  readonly showsFailures: boolean;
  readonly exit: Order;
  /** Behind its command: it goes on with its last conversation in this folder. */
  readonly resumes?: string;
  /** What it says at its end of how to go on; the group is the conversation's id. Line breaks of the screen are left out. */
  readonly resumeId?: RegExp;
  /** Esc sends a queued prompt at once, and cuts off the answer that comes. */
  readonly isCutByQueue?: true;
  readonly clear: Order;
  readonly compact?: Order;
  readonly help?: Order;
  /** Closes what `help` opened. */
  readonly closeHelp?: string;
  /** On the screen after `clear`, where it takes its time. */
  readonly cleared?: string;
  /** On the screen after `help` and after `compact`. */
  readonly helped?: string;
  readonly compacted?: string;
  /** Return sooner than this after the text is a newline of it, ms. */
  readonly returnAfterMs?: number;
}

const RIG_MODULES = new URL('../node_modules', import.meta.url).pathname;

/** The installed version, or null where the agents were not installed. */
export function installedVersion({
  package: name,
  modules = RIG_MODULES,
}: Pick<RigAgent, 'package' | 'modules'>): string | null {
  try {
    const text = readFileSync(join(modules, name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return null; // not installed: the caller says skipped
  }
}

/** Folders of the programs, as PATH has them. */
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
