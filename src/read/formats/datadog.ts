import { withoutPrototype } from '../../options/own-members.ts'
import { layoutBases } from '../../encode/json/layout-bases.ts'
import { processResource, traceFields, type JsonFormat } from './json-format.ts'

/** Logs with the reserved attributes of Datadog, and the layout `datadog` of this package. Its decimal IDs are read as hexadecimal ones. */
export const datadogFormat: JsonFormat = withoutPrototype({
  name: 'datadog',
  fields: {
    ...traceFields,
    time: ['timestamp', 'date', '@timestamp', 'time'],
    level: ['status', 'level', 'severity'],
    severityNumber: ['otel.severity_number'],
    message: ['message', 'msg'],
    eventName: ['otel.event.name'],
    scope: ['logger.name'],
    scopeVersion: ['logger.version'],
    traceId: ['dd.trace_id', ...traceFields.traceId],
    spanId: ['dd.span_id', ...traceFields.spanId],
    exceptionType: ['error.kind'],
    exceptionMessage: ['error.message'],
    exceptionStacktrace: ['error.stack'],
    attributes: ['attributes'],
  },
  resource: {
    ...processResource,
    service: 'service.name',
    host: 'host.name',
  },
  levels: 'any',
  nested: 'reserved',
  reservedNames: reservedNames(),
})

/** Returns the reserved names of the layout, and the names of the objects that dotted ones mean. */
function reservedNames(): readonly string[] {
  return layoutBases.datadog.reservedNames.flatMap((name) => {
    const parts = name.split('.')
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
  })
}
