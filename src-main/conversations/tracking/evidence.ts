import type { Extraction, IExtractor } from '../../contract/chat/extractor.ts';
import type { TerminalEvent } from '../../contract/event.ts';
import type { Evidence } from '../extraction/status/Evidence.ts';
import { progressEvidence, statusEvidence } from '../extraction/status/statusOsc.ts';
import { agentQuestion } from './agentQuestion.ts';

/** What a screen proves about the agent's state. */
export function screenEvidence(extraction: Extraction): Evidence {
  const { state, evidence } = extraction;
  const asks = agentQuestion(extraction);
  return {
    channel: 'screen',
    state: state === 'unknown' ? null : state,
    rule: evidence?.rule ?? '',
    line: evidence?.line ?? '',
    ...(asks !== null && { asks }),
  };
}

/** What a sequence that the agent sent proves about its state; null if it is about something else. */
export function eventEvidence(event: TerminalEvent, extractor: IExtractor | null): Evidence | null {
  switch (event.type) {
    case 'title': {
      const told = extractor?.stateOfTitle?.(event.title) ?? null;
      return { channel: 'title', state: told?.state ?? null, rule: told?.rule ?? '', line: event.title };
    }
    case 'notification': {
      const line = [event.title, event.body].filter(Boolean).join(': ');
      const told = extractor?.stateOfNotification?.(event.body) ?? null;
      return told && { channel: 'notification', state: told.state, rule: told.rule, line };
    }
    case 'progress':
      return progressEvidence(event.state);
    case 'agentStatus':
      return statusEvidence(event.body);
    default:
      return null;
  }
}
