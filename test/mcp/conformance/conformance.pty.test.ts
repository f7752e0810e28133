import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IDisposable } from '../../../src-main/util/Disposables.ts';
import { ROOT } from '../../support/sourceFiles.ts';
import { HttpBed, TOKEN } from '../http/HttpBed.ts';
import { bearerProxy } from './bearerProxy.ts';
import { fixtureMaker } from './FixtureServer.ts';

const PACKAGE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance');

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const bed = new HttpBed();
const results = mkdtempSync(join(tmpdir(), 'hansard-conformance-'));
let proxy: IDisposable & { url: string };

beforeAll(async () => {
  await bed.start({ makeServer: fixtureMaker((kind) => bed.http.announce({ kind })) });
  proxy = await bearerProxy(bed.url, TOKEN);
});

afterAll(async () => {
  proxy.dispose();
  await bed.dispose();
  rmSync(results, { recursive: true, force: true });
});

/** The scenarios that a server must pass, from the suite's requirements file of the revision. */
function required(revision: string): string[] {
  const yaml = readFileSync(join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8');
  const [, server = ''] = /^server:\n((?: +- .*\n)+)/m.exec(yaml) ?? [];
  return [...server.matchAll(/- (\S+)/g)].map(([, name = '']) => name);
}

function run(revision: string, output: string): Promise<{ code: number; printed: string }> {
  const args = [join(PACKAGE, 'dist/index.js'), 'server', '--url', proxy.url, '--requirements', revision, '-o', output];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), printed: stdout + stderr }),
    );
  });
}

/** Scenario → its checks. */
function checksIn(output: string): Map<string, Check[]> {
  return new Map(
    readdirSync(output).map((folder) => [
      folder.replace(/^server-(.*)-\d{4}-\d\d-\d\dT.*$/, '$1'),
      JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8')) as Check[],
    ]),
  );
}

describe('the conformance suite of the protocol, over our HTTP', () => {
  test.each([
    ['2025-11-25', 30],
    ['2026-07-28', 37],
  ])(
    'every scenario that %s requires passes',
    async (revision, count) => {
      const output = join(results, revision);
      const { code, printed } = await run(revision, output);
      const scenarios = required(revision);
      expect(scenarios).toHaveLength(count);
      const checks = checksIn(output);
      const ofScenarios = scenarios.map((name) => checks.get(name) ?? []);
      const wrong = scenarios.flatMap((name) =>
        (checks.get(name) ?? [{ id: 'did not run', status: 'FAILURE' }])
          .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
          .map((check) => ({ scenario: name, ...check })),
      );
      expect(wrong).toEqual([]);
      expect(code, printed.slice(-2000)).toBe(0);
      expect(ofScenarios.filter((own) => own.every(({ status }) => status !== 'SUCCESS'))).toEqual([]);
      const passed = ofScenarios.flat().filter(({ status }) => status === 'SUCCESS').length;
      console.log(`${revision}: ${scenarios.length} scenarios, ${passed} checks passed, 0 failed, 0 warnings`);
    },
    120_000,
  );
});
