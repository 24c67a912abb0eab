import { withoutPrototype } from '../../options/own-members.ts'
import { isMembers, memberOf, type JsonMembers } from './json-members.ts'
import { processResource, traceFields, type JsonFormat } from './json-format.ts'

/**
 * The structured logs of Google Cloud (https://cloud.google.com/logging/docs/structured-logging), entries that `gcloud logging read` returns
 * (https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry), and the layout `gcp` of this package.
 */
export const gcpFormat: JsonFormat = withoutPrototype({
  name: 'gcp',
  fields: {
    ...traceFields,
    time: ['time', 'timestamp', 'receiveTimestamp', '@timestamp', 'ts', 'date', 'eventTime'],
    level: ['severity', 'logging.googleapis.com/severity'],
    severityNumber: ['severity_number'],
    message: ['message', 'textPayload', 'msg', 'text', 'body'],
    eventName: ['otel.event.name'],
    scope: ['otel.scope.name', 'logger'],
    scopeVersion: ['otel.scope.version'],
    traceId: ['logging.googleapis.com/trace', 'trace', ...traceFields.traceId],
    exception: ['err', 'error', 'exception'],
    exceptionStacktrace: ['stack_trace', 'exception'],
    attributes: ['attributes'],
  },
  resource: {
    ...processResource,
    'serviceContext.service': 'service.name',
    'serviceContext.version': 'service.version',
  },
  levels: 'gcp',
  nested: 'always',
  prepare: prepared,
})

/** Returns an entry with the members of its payload, and with the time of separate members as one timestamp. */
function prepared(members: JsonMembers): JsonMembers | undefined {
  const payload = memberOf(members, 'jsonPayload')
  const seconds = memberOf(members, 'timestampSeconds')
  if (!isMembers(payload) && seconds === undefined) return undefined
  const entries = new Map(Object.entries(members))
  if (isMembers(payload)) {
    entries.delete('jsonPayload')
    for (const key of Object.keys(payload)) entries.set(entries.has(key) ? `jsonPayload.${key}` : key, payload[key])
  }
  if (seconds !== undefined && !entries.has('time')) {
    entries.set('time', { seconds, nanos: memberOf(members, 'timestampNanos') ?? 0 })
    entries.delete('timestampSeconds')
    entries.delete('timestampNanos')
  }
  // `fromEntries` defines members, so `__proto__` becomes an ordinary one.
  return Object.fromEntries(entries)
}
