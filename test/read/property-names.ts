import type { ReadRecord } from '../../src/read/record.ts'

/** The names of all properties of a record. */
export const propertyNames = [
  'format',
  'time',
  'timeUnixNano',
  'severityNumber',
  'level',
  'severityText',
  'body',
  'message',
  'eventName',
  'attributes',
  'resource',
  'scope',
  'scopeVersion',
  'traceId',
  'spanId',
  'traceFlags',
  'origin',
  'raw',
] as const satisfies readonly (keyof ReadRecord)[]
