import { severityName, standardSeverities } from '../../record/severity.ts'
import { severityMaps, severityOfPinoLevel } from '../../record/severity-maps.ts'
import { withoutColors } from './without-colors.ts'

/** The level of a record. */
export interface ReadLevel {
  /** The name in lowercase, `warn` for `WARNING`; '' without a level. */
  readonly name: string
  /** The OpenTelemetry severity number, 0 to 24. */
  readonly severityNumber: number
  /** The name as in the line; undefined if the line has a number. */
  readonly text: string | undefined
}

/** How a format writes levels. */
export type LevelScale = 'names' | 'pino' | 'syslog' | 'tslog' | 'gcp' | 'any'

/** The level of a record without one. */
export const noLevel: ReadLevel = { name: '', severityNumber: 0, text: undefined }

const { syslog, winston } = severityMaps

/** The severity numbers of levels by their names: those of all loggers, in lowercase. */
const severities: ReadonlyMap<string, number> = new Map<string, number>([
  ...Object.entries(winston),
  ...Object.entries(syslog),
  ...Object.entries(standardSeverities),
  // java.util.logging, as the OpenTelemetry appender maps it.
  ['finest', 1],
  ['finer', 5],
  ['fine', 6],
  ['config', 7],
  ['severe', 17],
  ['success', 9],
  ['critical', 18],
  ['emergency', 21],
  ['dpanic', 21],
  ['panic', 21],
])

/** Other spellings of a name. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    trace: ['trc', 't', 'all'],
    debug: ['dbg', 'd', 'dbug'],
    verbose: ['v', 'vrb'],
    info: ['information', 'informational', 'inf', 'i', 'log', 'default'],
    notice: ['n'],
    warn: ['warning', 'wrn', 'w'],
    error: ['err', 'eror', 'e'],
    critical: ['crit', 'c'],
    emergency: ['emerg'],
    fatal: ['ftl', 'f'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** The levels of Cloud Logging, as Google's exporter in the OpenTelemetry Collector maps severity numbers to them. */
const googleSeverities: ReadonlyMap<string, number> = new Map([
  ['default', 0],
  ['debug', 5],
  ['info', 9],
  ['notice', 11],
  ['warn', 13],
  ['error', 17],
  ['critical', 21],
  ['alert', 23],
  ['emergency', 24],
])

/** The severity numbers of syslog's levels 0 to 7 (RFC 5424). */
const syslogNumbers: readonly number[] = [
  syslog['emerg']!,
  syslog['alert']!,
  syslog['crit']!,
  syslog['err']!,
  syslog['warning']!,
  syslog['notice']!,
  syslog['info']!,
  syslog['debug']!,
]
const syslogNames: readonly string[] = ['emergency', 'alert', 'critical', 'error', 'warn', 'notice', 'info', 'debug']

/** The names of tslog's levels 0 to 6. */
const tslogNames: readonly string[] = ['silly', 'trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** Lines can have any names, so the cache has a limit. */
const maxCachedLevels = 1_000
const maxCachedLength = 64
const cachedLevels = new Map<LevelScale, Map<string | number, ReadLevel>>()

/** Returns the level that a line has as a name or a number. */
export function levelOf(value: string | number, scale: LevelScale): ReadLevel {
  let cache = cachedLevels.get(scale)
  if (cache === undefined) cachedLevels.set(scale, (cache = new Map()))
  let level = cache.get(value)
  if (level === undefined) {
    level = typeof value === 'number' ? levelOfNumber(value, scale) : levelOfText(value, scale)
    if (cache.size < maxCachedLevels && String(value).length <= maxCachedLength) cache.set(value, level)
  }
  return level
}

/** Returns a level with the severity number that the line has in addition to a name. */
export function withSeverityNumber(level: ReadLevel, severityNumber: number): ReadLevel {
  if (level.severityNumber === severityNumber && level.name !== '') return level
  // The number is written for custom levels, so the name has no other meaning.
  const { text } = level
  const name = text === undefined ? nameOfNumber(severityNumber) : text.trim().toLowerCase()
  return { name, severityNumber, text }
}

function levelOfText(given: string, scale: LevelScale): ReadLevel {
  // The format `colorize` of winston adds colors.
  const text = withoutColors(given)
  const lowercase = text.trim().toLowerCase()
  if (scale !== 'gcp' && /^\d{1,3}$/.test(lowercase)) return levelOfNumber(Number(lowercase), scale)
  const name = scale === 'gcp' && lowercase === 'default' ? lowercase : (spellings.get(lowercase) ?? lowercase)
  const severityNumber =
    (scale === 'gcp' ? googleSeverities.get(name) : undefined) ?? severities.get(name) ?? numberedSeverity(name)
  return { name, severityNumber, text }
}

/** Returns the severity of OpenTelemetry's short names with a number, such as `warn2`; 0 for other names. */
function numberedSeverity(name: string): number {
  const [, base = '', number = ''] = /^(trace|debug|info|warn|error|fatal)([2-4])$/.exec(name) ?? []
  return base === '' ? 0 : severities.get(base)! + Number(number) - 1
}

function levelOfNumber(number: number, scale: LevelScale): ReadLevel {
  if (scale === 'tslog') {
    const name = tslogNames[number] ?? ''
    return { name, severityNumber: severities.get(name) ?? 0, text: undefined }
  }
  if (scale === 'syslog' || (scale === 'any' && number < 8 && !firstSeverities.has(number)))
    return { name: syslogNames[number] ?? '', severityNumber: syslogNumbers[number] ?? 0, text: undefined }
  const severityNumber = scale === 'any' && firstSeverities.has(number) ? number : severityOfPinoLevel(number)
  return { name: nameOfNumber(severityNumber), severityNumber, text: undefined }
}

/** The severity numbers of the standard levels. A layout of this package can write them in place of names. */
const firstSeverities: ReadonlySet<number> = new Set(Object.values(standardSeverities))

function nameOfNumber(severityNumber: number): string {
  return severityNumber === 0 ? '' : severityName(severityNumber)
}
