import { datadogFormat } from './datadog.ts'
import { ecsFormat } from './ecs.ts'
import { gcpFormat } from './gcp.ts'
import type { JsonFormat } from './json-format.ts'
import { isMembers, memberOf, type JsonMembers } from './json-members.ts'
import { levelOf } from './levels.ts'
import { logTapeFormat } from './logtape.ts'
import { otelFormat, sluiceFormat } from './own-formats.ts'
import { bunyanFormat, pinoFormat } from './pino.ts'
import { tslogFormat, tslogMetaOf } from './tslog.ts'
import { winstonFormat } from './winston.ts'

// The names of members that identify formats, one bit for each name or group of names.
const hasLevel = 1 << 0
const hasTime = 1 << 1
const hasMsg = 1 << 2
const hasMessage = 1 << 3
const hasPid = 1 << 4
const hasHostname = 1 << 5
const hasVersion = 1 << 6
const hasName = 1 << 7
const hasTslogMeta = 1 << 8
const hasAtTimestamp = 1 << 9
const hasEcs = 1 << 10
const hasLog = 1 << 11
const hasLogLevel = 1 << 12
const hasLogger = 1 << 13
const hasCategory = 1 << 14
const hasSeverityText = 1 << 15
const hasSeverityNumber = 1 << 16
const hasSeverity = 1 << 17
const hasGoogleName = 1 << 18
const hasGooglePayload = 1 << 19
const hasStatus = 1 << 20
const hasDatadogName = 1 << 21
const hasLogstash = 1 << 22
const hasTimestamp = 1 << 23
const hasEcsVersion = 1 << 24
/** The name of a message that the formats of this table do not use. */
const hasOtherMessage = 1 << 25

const signs: ReadonlyMap<string, number> = new Map([
  ['level', hasLevel],
  ['time', hasTime],
  ['timestamp', hasTimestamp],
  ['msg', hasMsg],
  ['message', hasMessage],
  ['text', hasOtherMessage],
  ['body', hasOtherMessage],
  ['pid', hasPid],
  ['hostname', hasHostname],
  ['v', hasVersion],
  ['name', hasName],
  ['_meta', hasTslogMeta],
  ['_logMeta', hasTslogMeta],
  ['@timestamp', hasAtTimestamp],
  ['ecs', hasEcs],
  ['ecs.version', hasEcsVersion],
  ['log', hasLog],
  ['log.level', hasLogLevel],
  ['logger', hasLogger],
  ['category', hasCategory],
  ['severity_text', hasSeverityText],
  ['severity_number', hasSeverityNumber],
  ['severity', hasSeverity],
  ['logging.googleapis.com/trace', hasGoogleName],
  ['logging.googleapis.com/spanId', hasGoogleName],
  ['logging.googleapis.com/labels', hasGoogleName],
  ['logging.googleapis.com/operation', hasGoogleName],
  ['logging.googleapis.com/insertId', hasGoogleName],
  ['logging.googleapis.com/sourceLocation', hasGoogleName],
  ['jsonPayload', hasGooglePayload],
  ['textPayload', hasGooglePayload],
  ['protoPayload', hasGooglePayload],
  ['status', hasStatus],
  ['dd', hasDatadogName],
  ['dd.trace_id', hasDatadogName],
  ['ddsource', hasDatadogName],
  ['ddtags', hasDatadogName],
  ['@fields', hasLogstash],
])

const sluiceNames: ReadonlySet<string> = new Set([
  ...Object.values(sluiceFormat.fields).flat(),
  ...Object.keys(sluiceFormat.resource ?? {}),
  'otel.dropped_attributes_count',
])

/**
 * Returns the format of a line by the names, the order and the types of its members; undefined if the line is in none of the formats that
 * are detected here.
 */
export function detectFormat(members: JsonMembers): JsonFormat | undefined {
  const names = Object.keys(members)
  let found = 0
  for (const name of names) found |= signs.get(name) ?? 0
  const has = (all: number): boolean => (found & all) === all
  // JavaScript puts names that are array indexes before all others.
  const firstIndex = names.findIndex((name) => !indexPattern.test(name))
  const first = names[firstIndex]
  const second = names[firstIndex + 1]

  if (first === 'timestamp' && second === 'level' && names.every((name) => sluiceNames.has(name))) return sluiceFormat
  if (has(hasTslogMeta) && tslogMetaOf(members) !== undefined) return tslogFormat
  if (has(hasSeverityText | hasSeverityNumber)) return otelFormat
  if (isEcs(members, found)) return ecsFormat
  if (has(hasLevel)) {
    const level = members['level']
    if (typeof level === 'number') {
      if (has(hasVersion | hasName | hasPid | hasHostname)) return bunyanFormat
      if (first === 'level' && isPino(found)) return pinoFormat
    } else if (typeof level === 'string') {
      // pino with levels as text, which the formatter `level` writes.
      if (first === 'level' && second === 'time' && (has(hasMsg) || has(hasPid | hasHostname))) return pinoFormat
      if (has(hasMessage | hasAtTimestamp | hasLogger) || has(hasMessage | hasCategory | hasTimestamp))
        if (isLogTape(members)) return logTapeFormat
    }
  }
  if ((found & (hasGoogleName | hasGooglePayload)) !== 0 && (found & (hasSeverity | hasLevel | hasGooglePayload)) !== 0)
    return gcpFormat
  if (has(hasSeverity) && !has(hasLevel) && isGoogleSeverity(members['severity'])) return gcpFormat
  if (has(hasDatadogName) || (has(hasStatus | hasMessage) && !has(hasLevel) && isLevelName(members['status'])))
    return datadogFormat
  if (
    has(hasLogstash) ||
    (has(hasLevel | hasMessage) && typeof members['level'] === 'string' && isSorted(names, firstIndex))
  )
    return winstonFormat
  return undefined
}

/** Returns whether a line with a number as its level has the members of pino. */
function isPino(found: number): boolean {
  if ((found & hasMsg) !== 0 || (found & (hasPid | hasHostname)) === (hasPid | hasHostname)) return true
  return (found & (hasTime | hasPid)) !== 0 && (found & hasOtherMessage) === 0
}

function isEcs(members: JsonMembers, found: number): boolean {
  if ((found & hasEcsVersion) !== 0) return (found & hasAtTimestamp) !== 0
  if ((found & hasMessage) === 0 && (found & (hasMsg | hasOtherMessage)) !== 0) return false
  if ((found & hasLogLevel) !== 0) return (found & hasAtTimestamp) !== 0
  const log = (found & hasLog) === 0 ? undefined : members['log']
  const ecs = (found & hasEcs) === 0 ? undefined : members['ecs']
  return (
    (found & hasAtTimestamp) !== 0 &&
    ((isMembers(log) && typeof memberOf(log, 'level') === 'string') ||
      (isMembers(ecs) && Object.hasOwn(ecs, 'version')))
  )
}

function isLogTape(members: JsonMembers): boolean {
  const category = memberOf(members, 'category')
  const logger = memberOf(members, 'logger')
  if (Array.isArray(category)) return typeof memberOf(members, 'timestamp') === 'number'
  return typeof logger === 'string' ? !Object.hasOwn(members, '@version') : Array.isArray(logger)
}

/** The values of Google's LogSeverity, which are always written in capitals. */
const googleSeverities: readonly unknown[] = [
  'DEFAULT',
  'DEBUG',
  'INFO',
  'NOTICE',
  'WARNING',
  'ERROR',
  'CRITICAL',
  'ALERT',
  'EMERGENCY',
]

function isGoogleSeverity(value: unknown): boolean {
  return googleSeverities.includes(value)
}

function isLevelName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && levelOf(value, 'names').severityNumber > 0
}

/** Returns whether names are in the order in which winston's format `json` writes them. */
function isSorted(names: readonly string[], from: number): boolean {
  for (let i = from + 1; i < names.length; i++) if (names[i - 1]! > names[i]!) return false
  return true
}

const indexPattern = /^\d+$/
