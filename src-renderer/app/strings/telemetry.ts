import { counts } from './counts.ts';

/** Telemetry in the settings page. */
export const telemetry = {
  enabled: 'Send conversations to a collector',
  enabledAbout:
    'Hansard sends each turn of an agent as an OpenTelemetry trace to your collector, such as Grafana, Jaeger, Langfuse or ClickHouse. A trace has names, ids and times. If off, nothing is sent.',
  content: 'Send texts too',
  contentAbout: 'Sends prompts, answers, and the input and output of tools, with known secrets redacted.',
  endpoint: 'Endpoint',
  endpointAbout: 'OTLP/HTTP address of the collector. Hansard adds `/v1/traces`.',
  endpointPlaceholder: 'https://collector.example:4318',
  allowPlain: 'Allow http to other computers',
  allowPlainAbout:
    'http is not encrypted, so others on the network can read what is sent. http to this computer is always allowed.',
  encoding: 'Encoding',
  encodings: { protobuf: 'Protobuf', json: 'JSON' },
  serviceName: 'Service name',
  serviceNameAbout: 'Backends group traces by this name (`service.name`).',
  hostName: 'Send name of this computer',
  hostNameAbout: 'Sent as `host.name`.',
  queueSize: 'Queue limit',
  queueSizeAbout:
    'In MiB, 1 to 1024. Turns wait on disk while the collector cannot be reached; beyond the limit the oldest are dropped.',

  state: 'Telemetry status',
  states: {
    off: 'Off',
    fault: 'Not sending',
    paused: 'Paused',
    retrying: 'Collector not reachable',
    waiting: 'Sending',
    on: 'On',
  },
  url: 'Sends to',
  queue: 'Queue',
  queued: (turns: number, bytes: string, limit: string) => `${counts.turns(turns)}, ${bytes} of ${limit}`,
  sent: 'Sent',
  sentCounts: (sent: number, rejected: number, dropped: number) =>
    [
      counts.spans(sent),
      rejected > 0 ? `${rejected} rejected by the collector` : '',
      dropped > 0 ? `${counts.turns(dropped)} dropped` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  lastSuccess: 'Last success',
  lastError: 'Last error',
  nextTry: 'Next try',
  at: (time: string, reason: string) => `${time}: ${reason}`,

  test: 'Send test span',
  testing: 'Sending…',
  accepted: (answer: string, ms: number) => `Accepted: ${answer} (${ms} ms)`,
  notAccepted: (answer: string) => `Not accepted: ${answer}`,
  notTested: 'Could not send a test span',

  left: (turns: number) => `${counts.turns(turns)} ${turns === 1 ? 'waits' : 'wait'} on disk. Delete?`,
  keep: 'Keep',
  delete: 'Delete',
  notDeleted: 'Could not delete the waiting turns',

  headers: 'Headers',
  headersAbout: 'Headers are sent with each request and can hold an API key. Hansard does not show a value again.',
  headerName: 'Header name',
  headerNamePlaceholder: 'Authorization',
  headerValue: 'Header value',
  headerValuePlaceholder: 'Bearer …',
  setHeader: 'Set header',
  remove: 'Remove',
  removeHeader: (name: string) => `Remove header ${name}`,
  headerNotSet: 'Could not set the header',
  headerNotRemoved: 'Could not remove the header',
} as const;
