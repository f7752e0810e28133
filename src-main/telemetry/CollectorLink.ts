import type { Settings } from '../contract/settings.ts';
import type { SpanRecord } from '../contract/telemetry.ts';
import { parseEndpoint } from './endpoint.ts';
import { CONTENT } from './genAi.ts';
import type { HeaderFile } from './HeaderFile.ts';
import type { Answer } from './judgeAnswer.ts';
import { postSpans } from './postSpans.ts';

export interface CollectorLinkSpec {
  settings(): Settings;
  readonly headers: HeaderFile;
  /** `service.instance.id`. */
  readonly instanceId: string;
  readonly version: string;
  readonly hostName: string;
}

/** Sends spans to the collector that the settings describe now. */
export class CollectorLink {
  readonly #spec: CollectorLinkSpec;

  constructor(spec: CollectorLinkSpec) {
    this.#spec = spec;
  }

  get endpoint(): { url: string } | { fault: string } {
    const settings = this.#spec.settings();
    return parseEndpoint(settings['telemetry.endpoint'], settings['telemetry.allowPlain']);
  }

  /** Posts spans. Faults of the collector are part of the result; it does not reject for them. */
  async post(spans: readonly SpanRecord[], signal: AbortSignal): Promise<Answer> {
    const { endpoint } = this;
    if ('fault' in endpoint) return { kind: 'failed', reason: endpoint.fault };
    const { headers, version } = this.#spec;
    const { CONTENT_TYPE, decodeAnswer, encodeSpans } = await import('./otlp.ts');
    // The settings are read again: content that was queued must not leave after the person turned it off, and sending may be off by now.
    if (signal.aborted) return { kind: 'stopped' };
    const settings = this.#spec.settings();
    const encoding = settings['telemetry.encoding'];
    const wanted = settings['telemetry.content'] ? spans : spans.map(withoutContent);
    return postSpans({
      url: endpoint.url,
      headers: headers.all,
      body: encodeSpans(wanted, this.#resource(settings), encoding),
      contentType: CONTENT_TYPE[encoding],
      userAgent: `Hansard/${version}`,
      signal,
      partial: (body) => decodeAnswer(body, encoding),
    });
  }

  #resource(settings: Settings): Record<string, string> {
    const { instanceId, version, hostName } = this.#spec;
    return {
      'service.name': settings['telemetry.serviceName'],
      'service.version': version,
      'service.instance.id': instanceId,
      ...(settings['telemetry.hostName'] && { 'host.name': hostName }),
    };
  }
}

function withoutContent(span: SpanRecord): SpanRecord {
  const kept = Object.entries(span.attributes).filter(([name]) => !CONTENT.has(name));
  return { ...span, attributes: Object.fromEntries(kept) };
}
