import type { Stop } from '../rpc/Rpc.ts';
import type { Agents } from './Agents.svelte.ts';
import { sayEarly } from './agentActions.ts';

/** A pause of this length ends a text. Slow typists press the next key earlier. */
const PAUSE_MS = 1_000;

/**
 * Attachment for the page of all agents. Stops keys that continue a text whose field was removed while the person typed, for example because the
 * question was answered elsewhere. They are words, so they must not act on an agent.
 */
export function lostText(agents: Agents): (page: HTMLElement) => Stop {
  let field: EventTarget | null = null;
  let typedMs = 0;

  function onInput({ target }: Event): void {
    field = target;
    typedMs = performance.now();
  }

  function onKeydown(event: KeyboardEvent): void {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (target === field && (key === 'Enter' || key === 'Escape')) field = null; // it ends the text
    const isWritten = (key.length === 1 || key === 'Enter') && !(ctrlKey || altKey || metaKey);
    if (!isWritten || !(field instanceof Element) || field.isConnected) return;
    const nowMs = performance.now();
    if (nowMs - typedMs >= PAUSE_MS) return;
    typedMs = nowMs;
    event.preventDefault();
    event.stopPropagation();
    if (agents.chosen) sayEarly(agents, agents.chosen.conversationId);
  }

  return (page) => {
    page.addEventListener('input', onInput);
    page.addEventListener('keydown', onKeydown, { capture: true });
    return () => {
      page.removeEventListener('input', onInput);
      page.removeEventListener('keydown', onKeydown, { capture: true });
    };
  };
}
