import type { AnyValueMap } from '../../record/any-value.ts'
import { severityName } from '../../record/severity.ts'
import type { FormatName, ReadRecord } from '../record.ts'
import { emptyMap } from './json-values.ts'
import { levelOf } from './levels.ts'
import type { LineContext } from './line-context.ts'

/** The parts of a line of text that is a record. All are own members, so that none is read from `Object.prototype`. */
export interface TextRecord {
  readonly format: FormatName
  readonly time: number | undefined
  readonly timeUnixNano: bigint | undefined
  readonly severityNumber: number
  readonly severityText: string | undefined
  /** The name of the level; undefined for that of the severity number. */
  readonly level: string | undefined
  readonly message: string | undefined
  readonly attributes: AnyValueMap
  readonly resource: AnyValueMap
  readonly scope: string | undefined
  readonly traceId: string | undefined
  readonly spanId: string | undefined
}

/** The parts of a line of text without values. */
export const noTextParts: TextRecord = {
  format: 'text',
  time: undefined,
  timeUnixNano: undefined,
  severityNumber: 0,
  severityText: undefined,
  level: undefined,
  message: undefined,
  attributes: emptyMap,
  resource: emptyMap,
  scope: undefined,
  traceId: undefined,
  spanId: undefined,
}

/** Returns the record of a line of text. */
export function textRecord(parts: TextRecord, { origin, raw }: Pick<LineContext, 'origin' | 'raw'>): ReadRecord {
  const { severityNumber, message } = parts
  return {
    format: parts.format,
    time: parts.time,
    timeUnixNano: parts.timeUnixNano,
    severityNumber,
    level: parts.level ?? (severityNumber === 0 ? '' : severityName(severityNumber)),
    severityText: parts.severityText,
    body: message,
    message,
    eventName: undefined,
    attributes: parts.attributes,
    resource: parts.resource,
    scope: parts.scope,
    scopeVersion: undefined,
    traceId: parts.traceId,
    spanId: parts.spanId,
    traceFlags: undefined,
    origin,
    raw,
  }
}

/** Returns the level of a name or a number in a text, such as `WARNING`, `crit` or `50`. */
export function levelFields(text: string): Pick<ReadRecord, 'severityNumber' | 'severityText' | 'level'> {
  const number = Number(text)
  const level = number > 0 ? levelOf(number, 'any') : levelOf(text, 'names')
  return { severityNumber: level.severityNumber, severityText: level.text, level: level.name }
}
