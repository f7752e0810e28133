import type { CommandSpec } from '../spec.ts';

const COMMAND = { name: 'command', isCommand: true } as const;
const wrapper = (name: string, valued: readonly string[] = [], before: readonly string[] = []): CommandSpec => ({
  names: [name],
  options: valued.map((option) => ({ names: [option], args: [{ name: 'value' }] })),
  args: [...before.map((argument) => ({ name: argument })), COMMAND],
});

/** Programs and builtins that run the command in their arguments, with the options that take a value. Their specifications are missing or poor. */
export const WRAPPERS: Readonly<Record<string, CommandSpec>> = Object.assign(Object.create(null), {
  builtin: wrapper('builtin'),
  chronic: wrapper('chronic'),
  command: wrapper('command'),
  doas: wrapper('doas', ['-u', '-C']),
  env: wrapper('env', ['-u', '--unset', '-C', '--chdir', '-S']),
  exec: wrapper('exec', ['-a']),
  ionice: wrapper('ionice', ['-c', '-n', '--class', '--classdata']),
  nice: wrapper('nice', ['-n', '--adjustment']),
  nocorrect: wrapper('nocorrect'),
  noglob: wrapper('noglob'),
  nohup: wrapper('nohup'),
  setsid: wrapper('setsid'),
  stdbuf: wrapper('stdbuf', ['-i', '-o', '-e']),
  strace: wrapper('strace', ['-e', '-o', '-p', '-s', '-u']),
  time: wrapper('time', ['-f', '-o']),
  timeout: wrapper('timeout', ['-k', '-s', '--signal', '--kill-after'], ['duration']),
  watch: wrapper('watch', ['-n', '--interval']),
  xargs: wrapper('xargs', ['-I', '-n', '-P', '-L', '-d', '-a', '-E', '-s']),
});
