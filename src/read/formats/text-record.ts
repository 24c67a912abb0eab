import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { levelSynonym } from '../../record/level-names.ts'
import { isStandardLevel, severityName, standardSeverities } from '../../record/severity.ts'
import { severityIn, severityMaps } from '../../record/severity-maps.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'

/** The parts of a line of text that is a record. Parts without a value are omitted. */
export interface TextRecord {
  readonly format: FormatName
  readonly time?: number | undefined
  readonly timeUnixNano?: bigint | undefined
  readonly severityNumber?: number
  readonly severityText?: string | undefined
  /** The name of the level; by default, that of the severity number. */
  readonly level?: string
  readonly message?: string | undefined
  readonly attributes?: AnyValueMap
  readonly resource?: AnyValueMap
  readonly scope?: string | undefined
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
}

const noAttributes: AnyValueMap = new Map<string, AnyValue>()

/** Returns the record of a line of text. */
export function textRecord(parts: TextRecord, origin: RecordOrigin, raw: Uint8Array): ReadRecord {
  const { severityNumber = 0, message } = parts
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
    attributes: parts.attributes ?? noAttributes,
    resource: parts.resource ?? noAttributes,
    scope: parts.scope,
    scopeVersion: undefined,
    traceId: parts.traceId,
    spanId: parts.spanId,
    traceFlags: undefined,
    origin,
    raw,
  }
}

/** A level that a text names. */
export interface TextLevel {
  readonly severityNumber: number
  readonly severityText: string
  readonly level: string
}

/** Returns the level of a name of any known system, such as `WARNING`, `crit` or `info`; undefined for another word. */
export function levelFields(name: string): TextLevel | undefined {
  if (name.length > maxLevelLength) return undefined
  const level = name.toLowerCase()
  if (isStandardLevel(level)) return { severityNumber: standardSeverities[level], severityText: name, level }
  const number = severityIn(severityMaps.syslog, level) || severityIn(severityMaps.winston, level)
  // A level between two standard ones, such as `notice`, keeps its name.
  if (number > 0)
    return { severityNumber: number, severityText: name, level: number % 4 === 1 ? severityName(number) : level }
  const synonym = abbreviations.get(level) ?? levelSynonym(level)
  if (synonym === undefined || !isStandardLevel(synonym)) return undefined
  return { severityNumber: standardSeverities[synonym], severityText: name, level: synonym }
}

const maxLevelLength = 13
/** Abbreviations that Go's zerolog and others write. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ['trc', 'trace'],
  ['dbg', 'debug'],
  ['debg', 'debug'],
  ['inf', 'info'],
  ['wrn', 'warn'],
  ['eror', 'error'],
  ['ftl', 'fatal'],
  ['dpanic', 'fatal'],
])
