import { withoutPrototype } from '../../options/own-members.ts'
import type { JsonFormat } from './json-format.ts'

const fields = {
  eventName: ['otel.event.name'],
  scope: ['otel.scope.name'],
  scopeVersion: ['otel.scope.version'],
  traceId: ['trace_id'],
  spanId: ['span_id'],
  traceFlags: ['trace_flags'],
  attributes: ['attributes'],
  resource: ['resource'],
} as const satisfies JsonFormat['fields']

/** The default layout of this package. */
export const sluiceFormat: JsonFormat = withoutPrototype({
  name: 'sluice',
  fields: {
    time: ['timestamp'],
    level: ['level'],
    severityNumber: ['severity_number'],
    message: ['message'],
    ...fields,
  },
  resource: { 'service.name': 'service.name', 'service.version': 'service.version' },
  levels: 'names',
  nested: 'always',
})

/** The layout `otel` of this package, with the names of OpenTelemetry's data model. */
export const otelFormat: JsonFormat = withoutPrototype({
  name: 'otel',
  fields: {
    time: ['timestamp', 'observed_timestamp'],
    level: ['severity_text'],
    severityNumber: ['severity_number'],
    message: ['body'],
    ...fields,
    eventName: ['otel.event.name', 'event_name'],
  },
  resource: { 'service.name': 'service.name' },
  levels: 'names',
  nested: 'always',
})
