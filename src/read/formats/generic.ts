import { withoutPrototype } from '../../options/own-members.ts'
import { processResource, traceFields, type JsonFormat } from './json-format.ts'

/** JSON lines of other loggers: the names that they commonly use. */
export const genericFormat: JsonFormat = withoutPrototype({
  name: 'json',
  fields: {
    time: ['timestamp', '@timestamp', 'time', 'ts', 'date', 'datetime', 'eventTime', 'asctime', '@t', 't'],
    level: [
      'level',
      'severity',
      'severity_text',
      'severityText',
      'lvl',
      'loglevel',
      'log_level',
      'logLevel',
      'log.level',
      'levelname',
      '@l',
    ],
    severityNumber: ['severity_number', 'severityNumber'],
    message: ['message', 'msg', 'body', 'text', 'event', 'log', 'short_message', '@message', '@m', '@mt'],
    eventName: ['otel.event.name', 'event.name', 'event_name', 'eventName'],
    scope: ['otel.scope.name', 'logger', 'logger_name', 'logger.name', 'loggerName', 'log.logger', 'context'],
    scopeVersion: ['otel.scope.version'],
    exception: ['err', 'error', 'exception', 'exc'],
    exceptionType: ['error.type', 'exception.type', 'error.kind'],
    exceptionMessage: ['error.message', 'exception.message'],
    exceptionStacktrace: [
      'error.stack_trace',
      'error.stack',
      'exception.stacktrace',
      'stack_trace',
      'stacktrace',
      'stackTrace',
      'stack',
      'exc_info',
      'exception',
      '@x',
    ],
    attributes: ['attributes', 'properties'],
    resource: ['resource'],
    ...traceFields,
  },
  resource: {
    ...processResource,
    'service.version': 'service.version',
    service: 'service.name',
  },
  levels: 'any',
  nested: 'always',
})
