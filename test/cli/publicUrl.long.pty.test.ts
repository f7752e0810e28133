import { encode } from 'uqr';
import { afterAll, afterEach, expect, test } from 'vitest';
import { readLock } from '../../src-main/store/instance/lockFile.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { eventually, Installation } from './Installation.ts';

const PUBLIC = 'https://box.example.net';

const built = new Installation({ isBuilt: true });
const home = suiteFolder('public-url');
afterEach(async () => {
  await hansard('serve', 'stop', '--force');
  await eventually('its end', () => (readLock(home) ? undefined : true));
});
afterAll(() => built.dispose());

async function hansard(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const cli = built.start(args, { home });
  const [code] = await cli.gone;
  return { code, stdout: cli.stdout, stderr: cli.stderr };
}

/** The dark modules of a printed QR code. A block character is light, as a scanner needs it on a dark background. */
function modulesOf(printed: string): boolean[][] {
  const halves = { '█': [false, false], '▀': [false, true], '▄': [true, false], ' ': [true, true] } as const;
  return printed.split('\n').flatMap((line) => {
    const cells = Array.from(line).map((cell) => halves[cell as keyof typeof halves]);
    return [cells.map(([upper]) => upper), cells.map(([, lower]) => lower)];
  });
}

const printedQr = (stdout: string): string => stdout.split('\n').slice(1, -1).join('\n');

test('--public-url and --qr print the address of the tunnel, which a restart keeps', async () => {
  const started = await hansard('serve', 'start', '--public-url', `${PUBLIC}/`, '--qr');
  const [url = ''] = started.stdout.split('\n');
  expect(url).toMatch(/^https:\/\/box\.example\.net\/#[\w-]{22}$/);
  const { data } = encode(url, { border: 2 });
  expect(modulesOf(printedQr(started.stdout)).slice(0, data.length)).toEqual(data);
  expect(started.stderr).not.toContain('tunnel');
  const core = async () => JSON.parse((await hansard('serve', 'status', '--json')).stdout).core;
  expect(await core()).toMatchObject({ publicOrigin: PUBLIC });

  const here = await hansard('serve', 'start');
  expect(here.stdout, 'a browser of this machine goes to loopback').toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#/);
  const other = await hansard('serve', 'start', '--public-url', 'https://other.example');
  expect(other.stdout.startsWith(`${PUBLIC}/#`)).toBe(true);
  expect(other.stderr).toContain('--public-url has no effect');

  await hansard('serve', 'restart', '--force');
  expect(await core()).toMatchObject({ publicOrigin: PUBLIC });
});

test('--qr without a tunnel prints the code all the same, and says what a phone needs', async () => {
  const { code, stdout, stderr } = await hansard('serve', 'start', '--qr');
  const [url = ''] = stdout.split('\n');
  expect([code, url]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{22}$/)]);
  const { data } = encode(url, { border: 2 });
  expect(modulesOf(printedQr(stdout)).slice(0, data.length)).toEqual(data);
  expect(stderr).toContain(`\`tailscale serve --bg ${new URL(url).port}\``);
});

test('refuses an address that is not an https origin, before anything starts', async () => {
  const { code, stderr } = await hansard('serve', 'start', '--public-url', 'http://box.example.net');
  expect(code).toBe(64);
  expect(stderr).toContain('https://host');
  expect(readLock(home)).toBeNull();
});
