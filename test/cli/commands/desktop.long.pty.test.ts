import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startFailure } from '../../../src-main/cli/commands/desktop.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { ROOT } from '../../support/sourceFiles.ts';
import { eventually, Installation } from '../Installation.ts';

const installation = new Installation({ isBuilt: true });
afterAll(() => installation.dispose());
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Replaces Electron's binary in the installation by a script. */
function installElectron(script: string): void {
  const modules = join(installation.root, 'node_modules');
  rmSync(modules, { recursive: true });
  mkdirSync(join(modules, 'electron/dist'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== 'electron') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  writeFileSync(join(modules, 'electron/install.js'), '');
  writeFileSync(join(modules, 'electron/path.txt'), 'electron');
  const binary = join(modules, 'electron/dist/electron');
  writeFileSync(binary, `#!/bin/sh\n${script}\n`);
  chmodSync(binary, 0o700);
}

const open = (home: string) => installation.start(['open'], { home, env: { DISPLAY: ':none' } });

describe('hansard open where the desktop app is installed', () => {
  test("opens the web front where Chromium's sandbox cannot start, and says why", async () => {
    installElectron(
      `echo '[7:1123/101010.1:FATAL:setuid_sandbox_host.cc(163)] The SUID sandbox helper binary was found, but is not configured correctly.' >&2; kill -TRAP $$`,
    );
    const cli = open(suiteFolder('desktop-sandbox'));
    expect(await cli.url()).toMatch(/^http:/);
    expect(cli.stderr).toContain("the desktop app cannot run: Chromium's sandbox is not available here");
    expect(await cli.end()).toBe(0);
  });

  test('opens the web front where the binary itself cannot be started', async () => {
    installElectron('exit 0');
    chmodSync(join(installation.root, 'node_modules/electron/dist/electron'), 0o600);
    const cli = open(suiteFolder('desktop-binary'));
    expect(await cli.url()).toMatch(/^http:/);
    expect(cli.stderr).toContain('the desktop app cannot run: spawn');
    await cli.end();
  });

  test('fails where the app ends for a reason of its own, and names the log', async () => {
    installElectron('echo "Segmentation fault in a driver" >&2; exit 139');
    const home = suiteFolder('desktop-crash');
    const cli = open(home);
    expect((await cli.gone)[0]).toBe(69);
    expect(cli.stderr).toContain(
      `the desktop app ended with exit code 139; see ${join(home, 'core.log')} for the reason`,
    );
    expect(readFileSync(join(home, 'core.log'), 'utf8')).toContain('Segmentation fault in a driver');
  });

  test('ends with the app, and passes Ctrl+C on to it', async () => {
    const home = suiteFolder('desktop-ctrl-c');
    installElectron(
      `trap 'echo saved >"$HANSARD_HOME/saved"; exit 0' INT; : >"$HANSARD_HOME/up"; while :; do sleep 0.05; done`,
    );
    const cli = open(home);
    await eventually('the app', () => readdirSync(home).includes('up') || undefined);
    expect(await cli.end('SIGINT')).toBe(0);
    expect(readFileSync(join(home, 'saved'), 'utf8')).toBe('saved\n');
  });

  test('leaves the app running when the terminal goes', async () => {
    const home = suiteFolder('desktop-hangup');
    installElectron(
      `echo $$ >"$HANSARD_HOME/pid.new"; mv "$HANSARD_HOME/pid.new" "$HANSARD_HOME/pid"; while :; do sleep 0.05; done`,
    );
    const cli = open(home);
    await eventually('the app', () => readdirSync(home).includes('pid') || undefined);
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'));
    try {
      await cli.end('SIGHUP');
      expect(isThere(pid)).toBe(true);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });
});

/** Printed by Chromium 120 to 146, glibc and musl. */
test.each([
  [
    '[1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! If you are running on Ubuntu 23.10+',
    /sandbox is not available/,
  ],
  ['[9:ERROR:zygote_host_impl_linux.cc(101)] Running as root without --no-sandbox is not supported.', /as root/],
  ['[1:ERROR:ozone_platform_x11.cc(245)] Missing X server or $DISPLAY', /no display/],
  ['electron: error while loading shared libraries: libnss3.so: cannot open shared object file', /libnss3\.so/],
])('%s is a reason', (printed, reason) => {
  expect(startFailure(printed)).toMatch(reason);
});

test.each(['', 'GPU process was unable to boot', 'Segmentation fault'])('%j is no reason that is known', (printed) => {
  expect(startFailure(printed)).toBe(null);
});
