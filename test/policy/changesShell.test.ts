import { describe, expect, test } from 'vitest';
import { changesShell } from '../../src-main/policy/changesShell.ts';

describe('what an agent ran', () => {
  test.each([
    "alias ls='rm -rf ~'",
    'unalias ls',
    'git status && alias git=evil',
    'source ./env.sh',
    '. ./env.sh',
    'export PATH=/tmp/x:$PATH',
    'PATH=/tmp/x',
    'PATH=/tmp/x; git status',
    'A=1 B=2',
    'ls() { rm -rf ~; }',
    'function ls { rm -rf ~; }',
    'eval "$(direnv hook bash)"',
    'eval x',
    '\\eval x',
    "'al''ias' ls=x",
    'builtin alias ls=x',
    'command eval x',
    '$x ls=y',
    '`echo alias` ls=y',
    'printf -v PATH %s /tmp/x',
    'read PATH < f',
    'trap "rm x" EXIT',
    'hash -p /tmp/x ls',
    'enable -f ./x.so ls',
    'set -o posix',
    'setopt aliases',
    'a[1]=x',
    'X="a b"',
    'if true; then alias ls=x; fi',
    'while true; do date; done; eval x',
    'while true; do date; done;  PATH=/tmp/x',
    'printf -vPATH %s /tmp/x',
  ])('may have changed the shell: %s', (cmd) => {
    expect(changesShell(cmd)).toBe(true);
  });

  test.each([
    'ls -l',
    'cd /tmp && ls',
    'npm test -- --run berths 2>&1 | tail -40',
    'CI=1 npm test',
    'CI=1 npm test | tail -5; A=2 make',
    'printf "%s" x',
    'test -f x && echo yes',
    'ls *.ts',
    'echo $HOME',
    'grep -rn "a b" . | wc -l',
    'while true; do date; done',
    '(cd /tmp && ls)',
  ])('has not: %s', (cmd) => {
    expect(changesShell(cmd)).toBe(false);
  });
});
