import { z } from 'zod';

/**
 * A destination of `ssh`: a name of the person's config, or `user@host`. It never begins with a dash, which ssh would read as an option, and has
 * no character with a meaning in a shell or in ssh's `%` expansion.
 */
export const MachineName = z.string().regex(/^[A-Za-z0-9_[\]:.@+][A-Za-z0-9_[\]:.@+-]{0,254}$/);
export type MachineName = z.infer<typeof MachineName>;

/** Names a machine in ids: six digits and letters, made when it is first connected. */
export const MachineKey = z.string().regex(/^[a-z0-9]{6}$/);
export type MachineKey = z.infer<typeof MachineKey>;

/** In the input of a call: the target machine; absent for this one. */
export const OnMachine = z.object({ machine: MachineKey.optional() });

/**
 * `connecting`: ssh runs, or waits for an answer to `question`. `connected`: everything works. `lost`: it was connected; next try at `retryMs`.
 * `failed`: it could not be connected, and there is no retry before the person asks. `off`: the person disconnected it.
 */
export type MachineState = 'connecting' | 'connected' | 'lost' | 'failed' | 'off';

/**
 * A question to answer before a machine can be connected. `secret`: a password or passphrase, not echoed. `confirm`: yes or no, such as a host key.
 * `setup`: Hansard is missing there, or has an incompatible version; yes copies ours.
 */
export interface MachineQuestion {
  readonly id: string;
  readonly kind: 'secret' | 'confirm' | 'setup';
  /** Text from ssh, or ours: at most 2,000 characters without control characters but LF. */
  readonly text: string;
}

/** A machine that was connected once. */
export interface MachineView {
  readonly key: MachineKey;
  readonly name: MachineName;
  readonly state: MachineState;
  /** Reason why it is `lost` or `failed`, or takes so long to connect, and what to do, in whole sentences. Null otherwise. */
  readonly reason: string | null;
  /** Time of the next try, ms since 1970; null if none is planned. */
  readonly retryMs: number | null;
  readonly question: MachineQuestion | null;
  /** Current step while it is `connecting`, with a percentage while files are copied. */
  readonly step: { readonly words: 'ssh' | 'setup' | 'start'; readonly percent: number | null };
  /** Round trip to its core, median of the last five, ms; null if not known. */
  readonly latencyMs: number | null;
  /** It is connected, but its core has owed an answer for some seconds. Keys are sent. */
  readonly isSlow: boolean;
  /** It has more terminals, agents or approvals than are listed here: the oldest are left out. */
  readonly isCut: boolean;
  /** Facts about its Hansard; null before the first connection. */
  readonly info: {
    readonly version: string;
    readonly hostName: string;
    readonly home: string;
    readonly platform: string;
    /** Random at each start of its core; earlier versions have none. */
    readonly coreId?: string;
  } | null;
  /** Local ports that lead to a port there. */
  readonly forwards: readonly MachineForward[];
}

export interface MachineForward {
  /** The port on the machine, and the port of this machine that leads to it. */
  readonly port: number;
  readonly localPort: number;
}

/** Item of `machine.onChange`: always all machines, in the order in which they were added. */
export interface MachinesView {
  readonly machines: readonly MachineView[];
}

/** A destination of ~/.ssh/config. */
export interface MachineChoice {
  readonly name: MachineName;
  /** `HostName` if it differs from the name. */
  readonly hostName: string | null;
}

/** `machines.json` in the data folder. */
export const MachinesFile = z.object({
  version: z.literal(1),
  machines: z.array(
    z.object({
      key: MachineKey,
      name: MachineName,
      /** Connect to it when Hansard starts. */
      isOn: z.boolean(),
    }),
  ),
});
export type MachinesFile = z.infer<typeof MachinesFile>;

/** The only line of `hansard serve --stdio` before it connects to the core's socket: `HANSARD-STDIO ` and this as JSON. */
export const StdioHello = z.discriminatedUnion('type', [
  /** From here on, the bytes are the core socket's; `token` opens it. */
  z.object({
    type: z.literal('ready'),
    protocol: z.number().int(),
    version: z.string().max(64),
    token: z.string().min(16).max(256),
  }),
  /** Hansard is missing there, or speaks another protocol (then `version` is set). From `uname -s` and `uname -m`; `libc` is `glibc` or `musl`. */
  z.object({
    type: z.literal('missing'),
    system: z.string().max(64),
    machine: z.string().max(64),
    libc: z.string().max(64),
    version: z.string().max(64).nullable(),
  }),
  /** It was found but could not start: a whole sentence. */
  z.object({ type: z.literal('failed'), reason: z.string().max(2000) }),
]);
export type StdioHello = z.infer<typeof StdioHello>;

/** Increases when a core and the window of another machine could misunderstand each other. */
export const MACHINE_PROTOCOL = 1;
