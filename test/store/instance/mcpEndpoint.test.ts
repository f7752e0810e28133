import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpEndpoint } from '../../../src-main/contract/mcp/mcp.ts';
import {
  type EndpointPlace,
  endpointPaths,
  parseEndpoint,
  readEndpoints,
  removeEndpoint,
  writeEndpoint,
} from '../../../src-main/store/instance/mcpEndpoint.ts';
import { suiteFolder } from '../suiteFolder.ts';

const root = suiteFolder('endpoint');
let round = 0;
const newPlace = (): EndpointPlace => {
  const home = join(root, `h${round++}`);
  mkdirSync(join(home, 'runtime'), { recursive: true, mode: 0o700 });
  return { home, platform: 'linux', env: { XDG_RUNTIME_DIR: join(home, 'runtime') }, uid: process.geteuid?.() ?? null };
};
const endpoint = (more: Partial<McpEndpoint> = {}): McpEndpoint => ({
  v: 1,
  pid: process.pid,
  startedAt: 1,
  appVersion: '1',
  socketPath: '/s',
  token: 't',
  protocolVersions: [],
  ...more,
});
const statuses = (place: EndpointPlace): string[] => readEndpoints(null, place).map(({ status }) => status);

describe('the places of the endpoint file', () => {
  const at = { platform: 'linux', home: '/h', uid: 7 } as const;

  test('of the usual data folder are found by a client that hands on nothing', () => {
    const [runtime, state] = ['/run/user/7/hansard/endpoint.json', '/h/.local/state/hansard/endpoint.json'];
    expect(endpointPaths(null, { ...at, env: {} })).toEqual([runtime, state]);
    expect(endpointPaths('/h/.local/share/hansard', { ...at, env: { XDG_RUNTIME_DIR: '/run/user/7' } })).toEqual([
      runtime,
      state,
    ]);
    expect(endpointPaths(null, { ...at, env: { HANSARD_HOME: '/elsewhere' } })).toEqual([runtime, state]);
    expect(endpointPaths(null, { ...at, platform: 'darwin', env: {} })).toEqual([
      '/h/Library/Application Support/Hansard/mcp/endpoint.json',
    ]);
  });

  test('of any other data folder is within it', () => {
    expect(endpointPaths('/data', { ...at, env: {} })).toEqual(['/data/run/endpoint.json']);
  });
});

describe('an endpoint file', () => {
  test('is written for its owner alone, read, and removed by the one that wrote it', async () => {
    const place = newPlace();
    const paths = endpointPaths(null, place);
    expect(await writeEndpoint(paths, endpoint())).toEqual(paths);
    expect(paths.map((path) => [lstatSync(path).mode & 0o777, lstatSync(dirname(path)).mode & 0o777])).toEqual([
      [0o600, 0o700],
      [0o600, 0o700],
    ]);
    expect(readEndpoints(null, place)).toEqual(paths.map((path) => ({ status: 'ok', path, endpoint: endpoint() })));
    removeEndpoint(paths, endpoint({ startedAt: 2 }));
    expect(statuses(place)).toEqual(['ok', 'ok']);
    removeEndpoint(paths, endpoint());
    expect(statuses(place)).toEqual(['missing', 'missing']);
  });

  test('of the newest start comes first', async () => {
    const place = newPlace();
    const [runtime = '', state = ''] = endpointPaths(null, place);
    await writeEndpoint([runtime], endpoint({ startedAt: 1 }));
    await writeEndpoint([state], endpoint({ startedAt: 2 }));
    expect(readEndpoints(null, place).map(({ path }) => path)).toEqual([state, runtime]);
  });

  test('is not trusted when others can read or write it, or a link leads to it', async () => {
    const place = newPlace();
    const [path = '', other = ''] = endpointPaths(null, place);
    const reason = (): unknown => readEndpoints(null, place).find((one) => one.path === path);
    await writeEndpoint([path, other], endpoint());
    for (const mode of [0o640, 0o602, 0o604]) {
      chmodSync(path, mode);
      expect(reason()).toMatchObject({
        status: 'refused',
        reason: expect.stringContaining('open to others'),
        fix: `chmod 600 ${path}`,
      });
    }
    chmodSync(path, 0o600);
    chmodSync(dirname(path), 0o770);
    expect(reason()).toMatchObject({ status: 'refused', reason: expect.stringContaining('can be written by others') });
    chmodSync(dirname(path), 0o700);
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
    expect(reason()).toMatchObject({ status: 'refused', reason: expect.stringContaining('symbolic link') });
    expect(statuses(place)).toContain('ok');
  });

  test('of another user is not trusted', async () => {
    const place = newPlace();
    await writeEndpoint(endpointPaths(null, place), endpoint());
    const [first] = readEndpoints(null, { ...place, uid: (place.uid ?? 0) + 1 });
    expect(first).toMatchObject({ status: 'refused', reason: expect.stringContaining('belongs to another user') });
  });

  test('is what the contract says it is, and nothing else is', () => {
    const field = fc.oneof(
      fc.constantFrom<unknown>(1, 'x', 1.5, -1, 0, null, [], ['a'], [1], Number.NaN),
      fc.jsonValue(),
    );
    const names = ['v', 'pid', 'startedAt', 'appVersion', 'socketPath', 'token', 'protocolVersions'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...names), field, fc.boolean(), (name, value, isKept) => {
        const text = JSON.stringify(isKept ? { ...endpoint(), [name]: value } : value);
        const parsed = McpEndpoint.safeParse(JSON.parse(text));
        expect(parseEndpoint(text)).toEqual(parsed.success ? parsed.data : null);
      }),
    );
    expect(parseEndpoint('{"v":1')).toBeNull();
  });

  test('that is a flood is not read', () => {
    const place = newPlace();
    const [path = ''] = endpointPaths(null, place);
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, ' '.repeat(100_000), { mode: 0o600 });
    expect(statuses(place)).toContain('refused');
    expect(existsSync(path) && readFileSync(path).length).toBe(100_000);
  });
});
