import { withoutPrototype } from '../../options/own-members.ts'
import { traceFields, type JsonFormat } from './json-format.ts'

/** Elastic Common Schema, with dotted or nested names, and the layout `ecs` of this package. */
export const ecsFormat: JsonFormat = withoutPrototype({
  name: 'ecs',
  fields: {
    ...traceFields,
    time: ['@timestamp'],
    level: ['log.level'],
    message: ['message'],
    eventName: ['otel.event.name'],
    scope: ['log.logger'],
    scopeVersion: ['otel.scope.version'],
    traceId: ['trace.id', ...traceFields.traceId],
    spanId: ['span.id', ...traceFields.spanId],
    exceptionType: ['error.type'],
    exceptionMessage: ['error.message'],
    exceptionStacktrace: ['error.stack_trace'],
    attributes: ['attributes'],
  },
  resource: {
    'process.pid': 'process.pid',
    'host.hostname': 'host.name',
    'host.name': 'host.name',
    'service.name': 'service.name',
    'service.version': 'service.version',
    'service.environment': 'deployment.environment.name',
    'service.node.name': 'service.instance.id',
  },
  ignored: ['ecs.version'],
  levels: 'names',
  nested: 'always',
})
