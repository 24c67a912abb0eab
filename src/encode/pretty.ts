import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { LogRecord } from '../record/record.ts'
import { severityName, severityRange } from '../record/severity.ts'
import type { Rules } from '../rules/rules.ts'
import type { EncodedRecord, Encoding, RecordTarget } from './encoding.ts'
import { plainText } from './plain.ts'
import { ValueWalk } from './value-walk.ts'
import { walkFormat } from './walk-encoder.ts'
import type { WalkedRecord } from './walked-record.ts'

/** Lines for people: `10:56:03.123 INFO  order 42 placed  orderId=42`. The form may change between versions. */
export function pretty({ color }: { readonly color: boolean }): Encoding {
  return walkFormat({ key: `pretty:${color}` }, (rules) => new PrettyTarget(rules, color))
}

class PrettyTarget implements RecordTarget<AnyValue> {
  readonly walk: ValueWalk
  private readonly color: boolean

  constructor(rules: Rules, color: boolean) {
    this.walk = new ValueWalk(rules)
    this.color = color
  }

  write(record: LogRecord, { attributes, message, structured }: WalkedRecord<AnyValue>): EncodedRecord {
    const { bound, span } = record
    const body = structured ?? message
    const own = attributes.object as AnyValueMap
    const members: [string, AnyValue][] = [...bound.attributes].filter(
      ([key]) => !own.has(key) && !attributes.says(key),
    )
    members.push(...own)
    if (span !== undefined) members.push(['trace_id', span.traceId])
    const stacktrace = own.get('exception.stacktrace')
    const scope = bound.scope.name
    const level = record.level === '' ? severityName(record.severity) : record.level
    const head = [
      this.paint(dim, clock(record.time)),
      this.paint(levelColors[severityRange(record.severity)]!, visible(level.toUpperCase()).padEnd(5)),
      ...(scope === undefined ? [] : [this.paint(dim, `[${visible(scope)}]`)]),
      ...(body === undefined ? [] : [visible(plainText(body, false))]),
    ]
    const tail = members
      .filter(([key]) => stacktrace === undefined || !/^exception\.(?:type|message|stacktrace)$/.test(key))
      .map(([key, value]) => `${this.paint(dim, `${visible(key)}=`)}${attributeText(value)}`)
    const line = [head.join(' '), ...tail].join('  ')
    const stack =
      typeof stacktrace === 'string'
        ? stacktrace
            .split('\n')
            .map((frame) => `\n    ${visible(frame)}`)
            .join('')
        : ''
    return `${line}${stack}\n` as EncodedRecord
  }

  private paint(code: string, text: string): string {
    return this.color ? `\u001b[${code}m${text}\u001b[0m` : text
  }
}

const dim = '2'
/** From trace to fatal. */
const levelColors = ['2', '36', '32', '33', '31', '41;97'] as const

/** The time of day in the machine's zone: a terminal stands where its reader does. */
function clock(time: number): string {
  const date = new Date(time)
  const millis = String(date.getMilliseconds()).padStart(3, '0')
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}.${millis}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function attributeText(value: AnyValue): string {
  if (typeof value === 'string') return /^[\w.:/@+-]+$/.test(value) ? value : visible(plainText(value, true))
  return visible(plainText(value, true))
}

/**
 * Text that a terminal shows and does not obey: C0 and C1 control characters, DEL, the marks that change the direction of
 * writing, and halves of surrogate pairs are escaped, so that no logged value can move the cursor or fake a line.
 */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
