import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Policy } from '../../src-main/contract/mcp/policy.ts';

test('the schema for editors is the one that the file is judged by (vitest -u writes it)', async () => {
  const schema = { title: 'policy.json of Hansard', ...z.toJSONSchema(Policy, { io: 'input' }) };
  const path = fileURLToPath(new URL('../../resources/schema/policy.json', import.meta.url));
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(path);
});
