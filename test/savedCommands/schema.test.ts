import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SavedCommandsFile } from '../../src-main/contract/savedCommand.ts';

test('the schema for editors is the one that commands.json is judged by (vitest -u writes it)', async () => {
  const schema = { title: 'Saved commands of Hansard', ...z.toJSONSchema(SavedCommandsFile, { io: 'input' }) };
  const path = fileURLToPath(new URL('../../resources/schema/commands.json', import.meta.url));
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(path);
});
