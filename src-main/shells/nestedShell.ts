import { type Hook, shellName } from './launchPlan.ts';

/** A shell or remote that has the terminal while a command of ours runs: its commands all appear on that command's card. */
export interface NestedShell {
  /** Name such as `zsh` or `ssh`. */
  program: string;
  /** Hook with which it could report its own commands; null if it is out of reach (another machine, another user). */
  hook: Hook | null;
}

/** Interactive programs without a hook of ours. */
const PLAIN_SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'csh',
  'tcsh',
  'nu',
  'elvish',
  'xonsh',
]);
/** Flags of ssh(1) that take a value. */
const SSH_VALUE_FLAGS = 'BbcDEeFIiJLlmOoPpQRSWw';
const CONTAINER_VERBS: ReadonlySet<string> = new Set(['run', 'exec', 'attach', 'enter', 'shell', 'start']);

/**
 * Whether the program with this argument vector (of the terminal's foreground process group) shows another prompt.
 * A shell that runs a script or one command does not, and neither does `ssh host command`. Null if not, or if unknown.
 */
export function nestedShell(argv: readonly string[], hooks: readonly Hook[]): NestedShell | null {
  const [path, ...args] = argv;
  if (path === undefined) return null;
  const program = shellName(path);
  const hook = hooks.find(({ header }) => header.shells.includes(program)) ?? null;
  if (hook || PLAIN_SHELLS.has(program)) return isInteractive(args) ? { program, hook } : null;
  return isRemote(program, args) ? { program, hook: null } : null;
}

/** True without a script and `-c`, which may be among other short options; long options never contain it. */
function isInteractive(args: readonly string[]): boolean {
  const takesValue = /^(--rcfile|--init-file|-o|\+O|-O|--init-command|-C)$/;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (takesValue.test(arg)) at += 1;
    else if (/^--(command|version|help)/.test(arg) || /^-[^-]*c/.test(arg)) return false;
    else if (!/^[-+]/.test(arg)) return false;
  }
  return true;
}

function isRemote(program: string, args: readonly string[]): boolean {
  switch (program) {
    case 'ssh':
    case 'slogin':
      return sshWords(args) === 1;
    case 'mosh-client':
    case 'telnet':
      return true;
    case 'su':
      return !args.some((arg) => /^(--command|--session-command|-[a-z]*c)/.test(arg));
    case 'sudo':
    case 'doas':
      return (
        args.some((arg) => /^(--shell|--login|-[A-Za-z]*[si])$/.test(arg)) && args.every((arg) => arg.startsWith('-'))
      );
    case 'docker':
    case 'podman':
    case 'nerdctl':
    case 'kubectl':
      return isTerminalInContainer(args);
    default:
      return program === 'machinectl' || program === 'distrobox' ? CONTAINER_VERBS.has(args[0] ?? '') : false;
  }
}

/** Number of host and command words: one is only a host, so it starts a login shell there. */
function sshWords(args: readonly string[]): number {
  let words = 0;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const isFlag = words === 0 && arg.startsWith('-');
    if (isFlag && /^-[NTfGVO]/.test(arg)) return 0;
    if (isFlag && arg.length === 2 && SSH_VALUE_FLAGS.includes(arg.charAt(1))) at += 1;
    else if (!isFlag) words += 1;
  }
  return words;
}

/** True for `-it`, or `-i` and `-t`, on a verb that runs a program. */
function isTerminalInContainer(args: readonly string[]): boolean {
  const verb = args.findIndex((arg) => CONTAINER_VERBS.has(arg));
  if (verb < 0) return false;
  const flags = args.slice(verb + 1).filter((arg) => arg.startsWith('-'));
  const has = (letter: string, word: string) =>
    flags.some((flag) => flag === word || (/^-[a-z]+$/.test(flag) && flag.includes(letter)));
  return has('i', '--interactive') || has('i', '--stdin') ? has('t', '--tty') : false;
}
