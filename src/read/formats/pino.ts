import { withoutPrototype } from '../../options/own-members.ts'
import { layoutBases } from '../../encode/json/layout-bases.ts'
import { processResource, traceFields, type JsonFormat } from './json-format.ts'

/** The lines of pino, with its options `messageKey`, `errorKey` and `formatters`, and the layout `pino` of this package. */
export const pinoFormat: JsonFormat = withoutPrototype({
  name: 'pino',
  fields: {
    time: ['time', 'timestamp', 'ts', '@timestamp', 'date', 'eventTime'],
    level: ['level', 'severity'],
    message: ['msg', 'message'],
    eventName: ['otel.event.name'],
    scope: ['name'],
    scopeVersion: ['otel.scope.version'],
    exception: ['err', 'error'],
    attributes: ['attributes'],
    ...traceFields,
  },
  resource: processResource,
  ignored: ['levelVal'],
  levels: 'pino',
  nested: 'reserved',
  reservedNames: layoutBases.pino.reservedNames,
})

/** The lines of bunyan. */
export const bunyanFormat: JsonFormat = withoutPrototype({
  name: 'bunyan',
  fields: {
    time: ['time'],
    level: ['level'],
    message: ['msg'],
    scope: ['name'],
    exception: ['err', 'error'],
    ...traceFields,
  },
  resource: processResource,
  ignored: ['v'],
  levels: 'pino',
})
