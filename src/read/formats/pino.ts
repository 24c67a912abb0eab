import { layoutBases } from '../../encode/json/layout-bases.ts'
import { traceFields, type JsonFormat } from './json-format.ts'

/** Members that pino and bunyan write for the process. */
const processFields = { pid: 'process.pid', hostname: 'host.name', 'service.name': 'service.name' }

/** The lines of pino, with its options `messageKey`, `errorKey` and `formatters`, and the layout `pino` of this package. */
export const pinoFormat: JsonFormat = {
  name: 'pino',
  fields: {
    time: ['time', 'timestamp', 'ts', '@timestamp'],
    level: ['level', 'severity'],
    message: ['msg', 'message'],
    eventName: ['otel.event.name'],
    scope: ['name'],
    scopeVersion: ['otel.scope.version'],
    exception: ['err', 'error'],
    attributes: ['attributes'],
    ...traceFields,
  },
  resource: processFields,
  ignored: ['levelVal'],
  levels: 'pino',
  nested: 'reserved',
  reservedNames: layoutBases.pino.reservedNames,
}

/** The lines of bunyan. */
export const bunyanFormat: JsonFormat = {
  name: 'bunyan',
  fields: {
    time: ['time'],
    level: ['level'],
    message: ['msg'],
    scope: ['name'],
    exception: ['err', 'error'],
    ...traceFields,
  },
  resource: processFields,
  ignored: ['v'],
  levels: 'pino',
}
