/** Documented in every `--help`; numbers from sysexits(3) where it has one. */
export const EXIT = {
  ok: 0,
  /** The command ran, and its result is negative. */
  negative: 1,
  /** Hansard does not run on this record: the code of init scripts for a stopped service. */
  notRunning: 3,
  usage: 64,
  /** A part of the record is damaged or unreadable. The readable part was printed. */
  dataErr: 65,
  /** The given file or id does not exist or cannot be read. */
  noInput: 66,
  /** Something required is missing: a core, a build, a free port. */
  unavailable: 69,
  /** A bug of ours. */
  software: 70,
  /** The output could not be written. A closed pipe (`| head`) is not an error. */
  ioError: 74,
} as const;

/** A failure that the person can fix: `message` says what failed, where, and what to do. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
