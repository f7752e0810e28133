import { plainText } from './AskPass.ts';

/** Why ssh ended. `isFinal`: an automatic retry would only fail again, or lock the person out. */
export interface SshEnd {
  readonly reason: string;
  readonly isFinal: boolean;
}

interface Known {
  readonly pattern: RegExp;
  readonly reason: string;
  readonly isFinal: boolean;
}

/** Messages of OpenSSH 8 to 10. */
const KNOWN: readonly Known[] = [
  {
    pattern: /Host key verification failed/i,
    reason: 'The host key was not accepted. Compare it with the machine, then run `ssh HOST` once in a terminal.',
    isFinal: true,
  },
  {
    pattern: /Permission denied \(/i, // a wrong password followed by the right one prints `Permission denied, please try again`
    reason: 'The machine refused the login. Check the user name and key with `ssh HOST` in a terminal.',
    isFinal: true,
  },
  {
    pattern: /Too many authentication failures/i,
    reason: 'The machine refused too many keys. Name the right one with IdentityFile in ~/.ssh/config.',
    isFinal: true,
  },
  {
    pattern: /Could not resolve hostname/i,
    reason: 'The name cannot be resolved. Check the name and the network.',
    isFinal: false,
  },
  { pattern: /Connection refused/i, reason: 'No SSH server answers there.', isFinal: false },
  {
    pattern: /timed out|No route to host|Network is unreachable|Host is down/i,
    reason: 'The machine cannot be reached. Check that it is on and the network works.',
    isFinal: false,
  },
  { pattern: /Timeout, server .* not responding/i, reason: 'The line went silent.', isFinal: false },
  {
    pattern: /Bad configuration option|terminating, \d+ bad configuration/i,
    reason: 'ssh refuses its configuration.',
    isFinal: true,
  },
];

const MAX_WORDS_CHARS = 300;

/** `stderr`: the end of ssh's messages. */
export function explainEnd(stderr: string, exitCode: number | null): SshEnd {
  const known = KNOWN.find(({ pattern }) => pattern.test(stderr));
  const words = plainText(stderr.slice(-MAX_WORDS_CHARS))
    .split('\n')
    .filter((line) => line !== '')
    .at(-1);
  const said = words === undefined ? '' : ` ssh: ${words}`;
  if (known) return { reason: `${known.reason}${said}`, isFinal: known.isFinal };
  return { reason: `ssh ended${exitCode === null ? '' : ` with exit code ${exitCode}`}.${said}`, isFinal: false };
}
