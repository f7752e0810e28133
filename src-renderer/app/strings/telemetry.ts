import { counts } from './counts.ts';

/** Telemetry in the settings page. */
export const telemetry = {
  enabled: 'Send conversations to a collector',
  enabledAbout:
    'Each turn of an agent becomes an OpenTelemetry trace at your own collector, for Grafana, Jaeger, Langfuse or ClickHouse. Names, ids and times only. Nothing is sent while this is off.',
  content: 'Send texts too',
  contentAbout: 'Prompts, answers and what tools got and gave, with known secrets redacted.',
  endpoint: 'Endpoint',
  endpointAbout: 'OTLP/HTTP address of the collector; `/v1/traces` is added.',
  endpointPlaceholder: 'https://collector.example:4318',
  allowPlain: 'Allow http to other machines',
  allowPlainAbout: 'Everybody on the way can read what is sent. http to this computer is always allowed.',
  encoding: 'Encoding',
  encodings: { protobuf: 'Protobuf', json: 'JSON' },
  serviceName: 'Service name',
  serviceNameAbout: 'By which backends group traces (`service.name`).',
  hostName: 'Send name of this computer',
  hostNameAbout: 'As `host.name`.',
  queueSize: 'Queue limit',
  queueSizeAbout:
    'In MiB, 1 to 1024. Turns wait on disk while the collector is away; beyond the limit the oldest are dropped.',

  state: 'State of telemetry',
  states: {
    off: 'Off',
    fault: 'Not sending',
    paused: 'Paused',
    retrying: 'Collector not reached',
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
  notTested: 'Test span not sent',

  left: (turns: number) => `${counts.turns(turns)} ${turns === 1 ? 'waits' : 'wait'} on disk. Delete?`,
  keep: 'Keep',
  delete: 'Delete',
  notDeleted: 'Waiting turns not deleted',

  headers: 'Headers',
  headersAbout: 'Sent with each request, such as an API key. Values are kept secret and are not shown again.',
  headerName: 'Header name',
  headerNamePlaceholder: 'Authorization',
  headerValue: 'Header value',
  headerValuePlaceholder: 'Bearer …',
  setHeader: 'Set header',
  remove: 'Remove',
  removeHeader: (name: string) => `Remove header ${name}`,
  headerNotSet: 'Header not set',
  headerNotRemoved: 'Header not removed',
} as const;
