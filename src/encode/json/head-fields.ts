import type { LogRecord } from '../../record/record.ts'
import {
  isStandardLevel,
  severityName,
  standardSeverities,
  severityRange,
  standardLevels,
} from '../../record/severity.ts'
import { TimeRenderer } from '../../record/time.ts'
import type { LevelForm, TimeForm } from './layout-bases.ts'
import type { ResolvedLayout } from './layout.ts'
import { quote } from './quote.ts'

/** Renders a record's time, level and severity number as JSON, in the forms that the layout chooses. */
export class HeadFields {
  private readonly layout: ResolvedLayout
  private readonly timeText = new TimeRenderer()

  constructor(layout: ResolvedLayout) {
    this.layout = layout
  }

  time(record: LogRecord): string {
    return timeValue(this.layout.time, record, this.timeText)
  }

  level({ level, severity }: LogRecord): string {
    return levelValue(this.layout.level, level === '' ? severityName(severity) : level, severity)
  }

  /** Returns the severity number; undefined if the layout omits it because the level has the name and the number of a standard level. */
  severityNumber({ level, severity }: LogRecord): string | undefined {
    if (this.layout.severityNumber === 'always') return '' + severity
    const name = level === '' ? severityName(severity) : level
    return isStandardLevel(name) && standardSeverities[name] === severity ? undefined : '' + severity
  }
}

function timeValue(form: TimeForm, { time, exactTimes }: LogRecord, timeText: TimeRenderer): string {
  if (form === 'isoMillis') return '"' + timeText.render(time) + '"'
  const wholeMillis = Math.floor(time)
  if (form === 'epochMillis') return '' + wholeMillis
  // A double represents a present-day time in milliseconds with a resolution of about a quarter of a microsecond, so only whole
  // microseconds are used.
  const nanos = exactTimes?.nanos ?? Math.floor((time - wholeMillis) * 1_000) * 1_000
  if (form === 'epochNanos') return '"' + (BigInt(wholeMillis) * 1_000_000n + BigInt(nanos)) + '"'
  const micros = ('' + Math.floor(nanos / 1_000)).padStart(3, '0')
  return '"' + timeText.render(wholeMillis).slice(0, -1) + micros + 'Z"'
}

function levelValue(form: LevelForm, name: string, severity: number): string {
  switch (form) {
    case 'name':
      return quote(name)
    case 'NAME':
      return quote(name.toUpperCase())
    case 'standard':
      return '"' + standardLevels[severityRange(severity)]! + '"'
    case 'severityNumber':
      return '' + severity
    case 'pino':
      return '' + pinoLevel(severity)
    default:
      return '"' + googleSeverity(severity) + '"'
  }
}

/** Returns the level of pino: 10 for trace to 60 for fatal, in proportion between them, at most 67, and 30 (info) if unspecified. */
function pinoLevel(severity: number): number {
  return severity < 1 ? 30 : Math.floor(10 + (Math.min(severity, 24) - 1) * 2.5)
}

/** Returns the LogSeverity for a severity number, as Google's exporter in the OpenTelemetry Collector maps it. */
function googleSeverity(severity: number): string {
  if (severity < 1) return 'DEFAULT'
  if (severity < 9) return 'DEBUG'
  if (severity < 11) return 'INFO'
  if (severity < 13) return 'NOTICE'
  if (severity < 17) return 'WARNING'
  if (severity < 21) return 'ERROR'
  return severity < 23 ? 'CRITICAL' : severity < 24 ? 'ALERT' : 'EMERGENCY'
}
