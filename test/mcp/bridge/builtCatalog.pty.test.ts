import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogs } from '../../../src-main/mcp/server/catalog.ts';
import { ROOT } from '../../support/sourceFiles.ts';

test('what the build wrote down for the bridge is what the app itself would say', () => {
  const built = JSON.parse(readFileSync(join(ROOT, 'out/main/mcpCatalog.json'), 'utf8'));
  expect(built).toEqual(JSON.parse(JSON.stringify(catalogs(''))));
});
