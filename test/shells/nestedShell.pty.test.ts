import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nestedShell } from '../../src-main/shells/nestedShell.ts';
import { readHooks } from '../../src-main/shells/readHooks.ts';
import { HOOKS_DIR } from '../support/RealShell.ts';

const { hooks } = readHooks(HOOKS_DIR, { readdirSync: (path) => readdirSync(path), readFileSync });
const told = (line: string) => {
  const nested = nestedShell(line.split(' '), hooks);
  return nested && `${nested.program}${nested.hook ? ' +hook' : ''}`;
};

test.each([
  ['bash', 'bash +hook'],
  ['-bash', 'bash +hook'],
  ['/usr/bin/zsh -i', 'zsh +hook'],
  ['bash --norc --noprofile', 'bash +hook'],
  ['bash --rcfile /tmp/x -i', 'bash +hook'],
  ['fish --private', 'fish +hook'],
  ['dash', 'dash'],
  ['ssh host', 'ssh'],
  ['ssh -p 22 -i key -tt me@host', 'ssh'],
  ['ssh -4 host', 'ssh'],
  ['sudo -s', 'sudo'],
  ['sudo -i', 'sudo'],
  ['su', 'su'],
  ['su - root', 'su'],
  ['docker exec -it box sh', 'docker'],
  ['podman run --rm -i -t debian', 'podman'],
  ['kubectl exec --stdin --tty pod -- sh', 'kubectl'],
  ['machinectl shell box', 'machinectl'],
])('`%s` gives another prompt', (line, expected) => {
  expect(told(line)).toBe(expected);
});

test.each([
  'bash script.sh',
  'bash -c x',
  'bash -lc x',
  'bash -x script',
  'zsh -o extendedglob script',
  'fish --command x',
  'bash --version',
  'ssh host ls',
  'ssh -N host',
  'ssh -L 1:h:2 -N host',
  'ssh',
  'sudo apt update',
  'sudo -u me true',
  'su -c x',
  'docker ps',
  'docker exec box ls',
  'docker run -d nginx',
  'vim',
  'sleep 1',
  '',
])('`%s` does not', (line) => {
  expect(told(line)).toBeNull();
});

test('no program at all is no shell', () => {
  expect(nestedShell([], hooks)).toBeNull();
});
