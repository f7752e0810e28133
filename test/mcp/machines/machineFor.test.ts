import { expect, test } from 'vitest';
import { z } from 'zod';
import { ID_INPUTS, inputThere } from '../../../src-main/mcp/machines/machineFor.ts';
import { BlockRef, PtyId } from '../../../src-main/mcp/protocol/inputs.ts';
import { TOOLS } from '../../../src-main/mcp/tools/all.ts';

const patternOf = (schema: z.core.$ZodType): string | undefined => z.toJSONSchema(schema, { io: 'input' }).pattern;
const OF_IDS = new Set([patternOf(PtyId), patternOf(BlockRef)]);

test('each input of a tool that is an id of a terminal or of a thing of one chooses the machine, and is sent as it is there', () => {
  const names = TOOLS.flatMap(({ input }) =>
    Object.entries(input.shape).flatMap(([name, schema]) =>
      OF_IDS.has(patternOf(schema as z.core.$ZodType)) ? [name] : [],
    ),
  );
  expect(new Set(names)).toEqual(new Set(ID_INPUTS));
  const there = Object.fromEntries(ID_INPUTS.map((name) => [name, `on-abc123-${name}`]));
  expect(inputThere('abc123', there)).toEqual(Object.fromEntries(ID_INPUTS.map((name) => [name, name])));
});
