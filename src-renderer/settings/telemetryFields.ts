import { strings } from '../app/strings.ts';
import type { SettingField } from './settingGroups.ts';

const words = strings.telemetry;
const MIB = 1024 * 1024;

/** The rows of the settings page, before the headers. */
export const telemetryFields: readonly SettingField[] = [
  { kind: 'check', key: 'telemetry.enabled', title: words.enabled, about: words.enabledAbout },
  {
    kind: 'text',
    key: 'telemetry.endpoint',
    title: words.endpoint,
    about: words.endpointAbout,
    maxLength: 2048,
    placeholder: words.endpointPlaceholder,
  },
  { kind: 'check', key: 'telemetry.content', title: words.content, about: words.contentAbout },
  {
    kind: 'choice',
    key: 'telemetry.encoding',
    title: words.encoding,
    options: (['protobuf', 'json'] as const).map((value) => ({ value, label: words.encodings[value] })),
  },
  {
    kind: 'text',
    key: 'telemetry.serviceName',
    title: words.serviceName,
    about: words.serviceNameAbout,
    maxLength: 200,
    isRequired: true,
  },
  { kind: 'check', key: 'telemetry.hostName', title: words.hostName, about: words.hostNameAbout },
  { kind: 'check', key: 'telemetry.allowPlain', title: words.allowPlain, about: words.allowPlainAbout },
  {
    kind: 'number',
    key: 'telemetry.queueBytes',
    title: words.queueSize,
    about: words.queueSizeAbout,
    min: 1,
    max: 1024,
    step: 1,
    factor: MIB,
  },
];
