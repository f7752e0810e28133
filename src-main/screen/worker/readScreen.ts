import type { ScreenQuery } from '../../contract/screen/screen.ts';
import type { ScreenModel } from '../emulator/ScreenModel.ts';
import type { ScreenWatch } from '../waits/ScreenWatch.ts';
import type { Answer, PlainQuestion } from './screenProtocol.ts';

/** Answers a query about what the emulator shows or accepts. */
export function readScreen(
  what: Exclude<PlainQuestion, 'serialize' | 'beginRows' | 'lastStep' | 'drawn'> | { read: ScreenQuery },
  { model, watch }: { model: ScreenModel; watch: ScreenWatch },
): Answer {
  if (typeof what === 'object') return watch.read(what.read);
  switch (what) {
    case 'frame':
      return model.frame();
    case 'commandText':
      return model.commandText();
    case 'bracketedPaste':
      return model.bracketedPaste;
    case 'input':
      return model.input();
    case 'markInput':
      model.markInput();
      return model.input();
    case 'snapshot':
      return watch.snapshot();
  }
}
