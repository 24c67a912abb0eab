import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { LogRecord } from '../../record/record.ts'
import { severityName, severityRange } from '../../record/severity.ts'
import type { Rules } from '../../values/record-rules.ts'
import { boundAttributesFor, clashes } from '../bound-attributes.ts'
import type { EncodedRecord, Encoding, RecordTarget } from '../encoding.ts'
import { jsonText, plainText } from '../plain.ts'
import { isPrintableAscii } from '../json/quote.ts'
import { ValueWalk } from '../walk/value-walk.ts'
import { walkFormat } from '../walk-encoder.ts'
import type { WalkedRecord } from '../walk/walked-record.ts'

/**
 * Creates an encoding that writes human-readable lines: `10:56:03.123 INFO  order 42 placed  orderId=42`. The format may change between
 * versions.
 */
export function pretty({ color }: { readonly color: boolean }): Encoding {
  return walkFormat({ key: `pretty:${color}` }, (rules) => new PrettyTarget(rules, color))
}

class PrettyTarget implements RecordTarget<AnyValue> {
  readonly walk: ValueWalk
  private readonly color: boolean
  private lastTime = NaN
  private lastClock = ''

  constructor(rules: Rules, color: boolean) {
    this.walk = new ValueWalk(rules)
    this.color = color
  }

  write(record: LogRecord, { attributes, message, structured }: WalkedRecord<AnyValue>): EncodedRecord {
    const { bound, span } = record
    const body = structured === undefined ? message : plainText(structured, false)
    const own = attributes.object as AnyValueMap
    const scope = bound.scope.name
    let line = this.clock(record.time) + ' ' + this.level(record)
    if (scope !== undefined) line += ' ' + this.paint(dim, `[${visible(scope)}]`)
    if (body !== undefined) line += ' ' + visible(body)
    const stacktrace = own.get('exception.stacktrace')
    const isInStack = (key: string) => stacktrace !== undefined && exceptionTexts.test(key)
    if (bound.names.size > 0) {
      const isAlone = attributes.omitted === undefined && !clashes(bound, attributes.leaf)
      for (const [name, value] of isAlone ? bound.attributes : boundAttributesFor(bound, attributes))
        if (!isInStack(name)) line += this.member(name, value)
    }
    for (const [key, value] of own) if (!isInStack(key)) line += this.member(key, value)
    if (span !== undefined) line += this.member('trace_id', span.traceId)
    if (typeof stacktrace === 'string') for (const frame of stacktrace.split('\n')) line += `\n    ${visible(frame)}`
    return (line + '\n') as EncodedRecord
  }

  release(): void {
    // keeps no state for a record
  }

  private member(key: string, value: AnyValue): string {
    return '  ' + this.paint(dim, visible(key) + '=') + attributeText(value)
  }

  private clock(time: number): string {
    if (time !== this.lastTime) {
      this.lastTime = time
      this.lastClock = this.paint(dim, clock(time))
    }
    return this.lastClock
  }

  private level({ level, severity }: LogRecord): string {
    const name = level === '' ? severityName(severity) : level
    return this.paint(levelColors[severityRange(severity)]!, visible(name.toUpperCase()).padEnd(5))
  }

  private paint(code: string, text: string): string {
    return this.color ? `\u001b[${code}m${text}\u001b[0m` : text
  }
}

const dim = '2'
/** The SGR codes of the standard levels, from trace to fatal. */
const levelColors = ['2', '36', '32', '33', '31', '41;97'] as const

/** Returns the time of day in the local time zone, which is normally that of the terminal's user. */
function clock(time: number): string {
  const date = new Date(time)
  const millis = String(date.getMilliseconds()).padStart(3, '0')
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}.${millis}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The attributes that the lines of a stack trace already contain. */
const exceptionTexts = /^exception\.(?:type|message|stacktrace)$/
/** A string that is written without quotes. */
const bareWord = /^[\w.:/@+-]+$/

function attributeText(value: AnyValue): string {
  return typeof value === 'string' && bareWord.test(value) ? value : visible(jsonText(value))
}

/**
 * Escapes characters that a terminal would interpret: C0 and C1 control characters, DEL, bidirectional controls, line and paragraph
 * separators, and lone surrogates. So a logged value cannot move the cursor or forge a line.
 */
function visible(text: string): string {
  if (isPrintableAscii(text)) return text
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
