import type { Terminal } from '@xterm/xterm';

/** Internals of xterm 6.0.0: the composed part of its text field. */
interface CompositionCore {
  _compositionHelper?: { _compositionPosition?: { start: number; end: number } };
}

/**
 * Sends accepted text of an input method whole. xterm 6.0.0 notes the end of the composed text in a timer, and a key sends the text up to the noted
 * end. On a busy page the next key comes before the timer, and the rest of the text is lost. Call after `open`.
 */
export function keepComposition(xterm: Terminal): void {
  const { element, textarea } = xterm;
  const noteEnd = () => {
    const position = (xterm as { _core?: CompositionCore })._core?._compositionHelper?._compositionPosition;
    if (position && textarea) position.end = textarea.value.length;
  };
  element?.addEventListener('keydown', noteEnd, { capture: true }); // before xterm's listener, which is on the field
}
