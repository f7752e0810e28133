import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/ScreenModel.ts';
import { screenState } from '../support/screenState.ts';
import { vtStream } from '../support/vtStreams.ts';

const SIZE = { cols: 20, rows: 6, scrollbackLines: 10 };

function shown(...chunks: readonly (Uint8Array | string)[]): ScreenModel {
  const model = new ScreenModel(SIZE);
  for (const chunk of chunks) model.write(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  return model;
}

test('a fresh emulator that reads the state shows the same screen, cursor, modes and looks', () => {
  fc.assert(
    fc.property(vtStream, (stream) => {
      const model = shown(stream);
      expect(screenState(shown(model.serialize()))).toEqual(screenState(model));
    }),
    { numRuns: 3000 },
  );
});

test('a viewer that attaches anywhere in a stream shows what one sees that was there from the start', () => {
  fc.assert(
    fc.property(vtStream, fc.nat(), (stream, cut) => {
      const at = cut % (stream.length + 1);
      const core = shown(stream.subarray(0, at));
      const viewer = shown(core.serialize(), stream.subarray(at - core.heldBytes));
      expect(screenState(viewer)).toEqual(screenState(shown(stream)));
    }),
    { numRuns: 3000 },
  );
});
