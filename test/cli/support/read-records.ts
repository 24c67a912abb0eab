import type { AnyValue } from '../../../src/record/any-value.ts'
import { standardSeverities, isStandardLevel } from '../../../src/record/severity.ts'
import type { ReadRecord } from '../../../src/read/record.ts'

/** Returns a record as a reader would return it. */
export function readRecord(
  members: Partial<Omit<ReadRecord, 'attributes' | 'resource'>> & {
    readonly attributes?: Readonly<Record<string, AnyValue>>
    readonly resource?: Readonly<Record<string, AnyValue>>
  } = {},
): ReadRecord {
  const { message, level = 'info' } = members
  return {
    format: 'sluice',
    time: undefined,
    timeUnixNano: undefined,
    severityNumber: isStandardLevel(level) ? standardSeverities[level] : 0,
    level,
    severityText: level,
    body: message,
    message,
    eventName: undefined,
    scope: undefined,
    scopeVersion: undefined,
    traceId: undefined,
    spanId: undefined,
    traceFlags: undefined,
    origin: { file: 'app.log', line: 1, container: undefined, stream: undefined },
    raw: new Uint8Array(),
    ...members,
    attributes: new Map(Object.entries(members.attributes ?? {})),
    resource: new Map(Object.entries(members.resource ?? {})),
  }
}
