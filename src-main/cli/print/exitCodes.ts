/** Documented in every `--help`; numbers from sysexits(3) where it has one. */
export const EXIT = {
  ok: 0,
  /** It ran, and the answer is no: something is wrong. */
  negative: 1,
  /** No Hansard runs on this record: what init scripts answer for a service that is not there. */
  notRunning: 3,
  usage: 64,
  /** A part of the record is damaged or cannot be read. What could be read was given. */
  dataErr: 65,
  /** The file or id that was named is not there or cannot be read. */
  noInput: 66,
  /** Something that is needed is not there: no core, no build, a port in use. */
  unavailable: 69,
  /** A bug of ours. */
  software: 70,
  /** The output could not be written. A reader that has gone away (`| head`) is no error. */
  ioError: 74,
} as const;

/** A failure that the person can do something about: `message` says what was wrong, where, and what to do. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
