import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatOfRecording } from '../../agents/compare/chatOfRecording.ts';
import { compare } from '../../agents/compare/compare.ts';
import { findRecordings } from '../../agents/compare/findRecordings.ts';
import { countsOf } from '../../agents/versions/measure.ts';

/** Recordings of random scripts in the rig that were read wrongly before. */
const recordings = findRecordings(join(import.meta.dirname, '../../fixtures/agents/random'));

describe.each(recordings)('$name', (recording) => {
  const { expected } = recording;

  test('is read as it was said', async () => {
    const chat = await chatOfRecording(recording);
    const { said, found, textEqual, invented, duplicated, tools, toolsPaired, faults } = compare(expected, chat);
    const { silent } = countsOf(expected, chat);
    const wanted = { found: said, textEqual: said, invented: 0, duplicated: 0, toolsPaired: tools, silent: [] };
    expect({ found, textEqual, invented, duplicated, toolsPaired, silent }, faults.join('\n')).toEqual(wanted);
  });
});
