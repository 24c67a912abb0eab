import { withoutPrototype } from '../../options/own-members.ts'
import { processResource, traceFields, type JsonFormat } from './json-format.ts'

/** The lines of winston's formats `json`, `timestamp`, `errors`, `metadata` and `logstash`. */
export const winstonFormat: JsonFormat = withoutPrototype({
  name: 'winston',
  fields: {
    time: [
      'timestamp',
      'time',
      '@timestamp',
      'metadata.timestamp',
      'metadata.time',
      '@fields.timestamp',
      'ts',
      'date',
      'eventTime',
    ],
    level: ['level', '@fields.level'],
    message: ['message', '@message'],
    scope: ['logger', 'label'],
    exception: ['err', 'error', 'exception'],
    exceptionStacktrace: ['stack', 'metadata.stack'],
    attributes: ['metadata', '@fields'],
    ...traceFields,
  },
  resource: { ...processResource, service: 'service.name' },
  levels: 'names',
  nested: 'always',
})
