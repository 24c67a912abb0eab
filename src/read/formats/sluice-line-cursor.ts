import type { AnyValueMap } from '../../record/any-value.ts'
import { parseMembers, type JsonMembers } from './json-members.ts'
import { emptyMap } from './json-values.ts'
import { PlainJsonParser } from './plain-json-parser.ts'
import { isSimpleObject } from './simple-members.ts'
import { levelOf, noLevel, withSeverityNumber, type ReadLevel } from './levels.ts'
import { traceFlagsOf } from './trace-ids.ts'

/** The fields of a span. */
interface LineSpan {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

/** The fields of the scope, the event and the service. They are the same in most lines of a file. */
export interface LineSource {
  /** These members as they are in the line. */
  readonly members: string
  readonly scope: string | undefined
  readonly scopeVersion: string | undefined
  readonly eventName: string | undefined
  readonly resource: AnyValueMap
}

/**
 * Reads the members of a line in the order of the layout `sluice`. Each method returns the next member, or undefined if that has another key.
 * A member that is not in the usual form ends the reading: `attributes()` then returns undefined.
 */
export class SluiceLineCursor {
  /** Where the next member begins; -1 after a member that is not in the usual form. */
  position = 0
  private line = ''
  private lastLevel: ReadLevel = noLevel
  private lastSource: LineSource = noSource

  begin(line: string): void {
    this.line = line
    this.position = 0
  }

  /** Returns a text. Its key ends with the quote that opens it. */
  text(key: string): string | undefined {
    const { line, position } = this
    if (!line.startsWith(key, position)) return undefined
    const textStart = position + key.length
    const end = line.indexOf('"', textStart)
    // A text that has no end leaves nothing that could be the end of the line.
    this.position = end + 1
    return line.slice(textStart, end)
  }

  /** Returns a number of at most nine digits. */
  number(key: string): number | undefined {
    const { line, position } = this
    if (!line.startsWith(key, position)) return undefined
    let number = 0
    const digits = position + key.length
    let end = digits
    for (; end < digits + 9; end++) {
      const digit = line.charCodeAt(end) - 48
      if (!(digit >= 0 && digit <= 9)) break
      number = number * 10 + digit
    }
    // JSON has no numbers with leading zeros.
    const isValid = end > digits && (end === digits + 1 || line.charCodeAt(digits) !== 48)
    this.position = isValid ? end : -1
    return number
  }

  /** Returns the level; undefined if its severity is unknown. */
  level(): ReadLevel | undefined {
    const name = this.text(',"level":"')
    if (name === undefined || name === '') return undefined
    if (name !== this.lastLevel.text) {
      if (!isPlain(name)) return undefined
      this.lastLevel = levelOf(name, 'names')
    }
    const number = this.number(',"severity_number":')
    const level = number === undefined ? this.lastLevel : withSeverityNumber(this.lastLevel, number)
    return level.severityNumber > 0 && level.severityNumber <= 24 ? level : undefined
  }

  /** Returns the span if the next members are its three fields. */
  span(): LineSpan | undefined {
    const { line, position } = this
    if (!line.startsWith(traceIdKey, position)) return undefined
    const traceId = position + traceIdAt
    const spanId = position + spanIdAt
    const flags = position + flagsAt
    const isSpan =
      line.startsWith(spanIdKey, traceId + 32) &&
      line.startsWith(flagsKey, spanId + 16) &&
      line.charCodeAt(flags + 2) === quote &&
      isId(line, traceId, 32) &&
      isId(line, spanId, 16)
    const traceFlags = isSpan ? flagsOf(line.slice(flags, flags + 2)) : undefined
    this.position = traceFlags === undefined ? -1 : flags + 3
    if (traceFlags === undefined) return undefined
    return { traceId: line.slice(traceId, traceId + 32), spanId: line.slice(spanId, spanId + 16), traceFlags }
  }

  /** Returns the source that the next members describe. */
  source(): LineSource {
    const { line, position, lastSource } = this
    const next = position + lastSource.members.length
    // Slices are compared faster than `startsWith` compares long texts. The members of another source can begin with those of the last one.
    const isSame =
      line.slice(position, next) === lastSource.members &&
      !line.startsWith(',"otel.', next) &&
      !line.startsWith(',"service.', next)
    if (isSame) {
      this.position = next
      return lastSource
    }
    const scope = this.text(',"otel.scope.name":"')
    const scopeVersion = this.text(',"otel.scope.version":"')
    const eventName = this.text(',"otel.event.name":"')
    const serviceName = this.text(',"service.name":"')
    const members = line.slice(position, this.position)
    // An empty name is not a field, and an escape or a control character needs a parser.
    if (scope === '' || scopeVersion === '' || eventName === '' || members.includes('\\') || !isPlain(members)) {
      this.position = -1
      return noSource
    }
    const resource = serviceName === undefined ? emptyMap : new Map([['service.name', serviceName]])
    return (this.lastSource = { members, scope, scopeVersion, eventName, resource })
  }

  /**
   * Returns the position after the brace that opens simple attributes, which end the line; that of the end of a line without attributes; -1
   * for other attributes.
   */
  simpleAttributes(): number {
    const { line, position } = this
    const end = line.length - 1
    if (position <= 0 || line.charCodeAt(end) !== closingBrace) return -1
    if (position === end) return end
    const start = position + attributesKey.length + 1
    return line.startsWith(attributesStart, position) && isSimpleObject(line, start) ? start : -1
  }

  /** Returns the attributes, which end the line; undefined if they, or the end of the line, are missing. */
  attributes(isPlainLine: boolean): AnyValueMap | JsonMembers | undefined {
    const { line, position } = this
    if (position <= 0 || line.charCodeAt(line.length - 1) !== closingBrace) return undefined
    return line.startsWith(attributesKey, position)
      ? parseAttributes(line, position + attributesKey.length, isPlainLine)
      : undefined
  }
}

/**
 * Parses the attributes from a position to the end of a line.
 *
 * @param isPlain - whether the line has only plain characters
 * @returns a map if they are in the form that loggers write; the members of another object; undefined for anything else
 */
export function parseAttributes(line: string, start: number, isPlain: boolean): AnyValueMap | JsonMembers | undefined {
  const end = line.length - 1
  return (isPlain ? parser.parse(line, start, end) : undefined) ?? parseMembers(line.slice(start, end))
}

const parser = new PlainJsonParser()
/** The source of lines without these members. */
export const noSource: LineSource = {
  members: '',
  scope: undefined,
  scopeVersion: undefined,
  eventName: undefined,
  resource: emptyMap,
}
const attributesKey = ',"attributes":'
const attributesStart = `${attributesKey}{`
const closingBrace = 125
const quote = 34

const traceIdKey = ',"trace_id":"'
const spanIdKey = '","span_id":"'
const flagsKey = '","trace_flags":"'
// Where the values are, from the beginning of the first member.
const traceIdAt = traceIdKey.length
const spanIdAt = traceIdAt + 32 + spanIdKey.length
const flagsAt = spanIdAt + 16 + flagsKey.length

function flagsOf(text: string): number | undefined {
  return text === '01' ? 1 : text === '00' ? 0 : traceFlagsOf(text)
}

/** Returns whether the text at a place is lowercase hexadecimal digits, and not only zeros. */
function isId(line: string, from: number, digits: number): boolean {
  let kinds = 0
  for (let i = from; i < from + digits; i++) kinds |= kindOf[line.charCodeAt(i) & 127]! | (line.charCodeAt(i) & 0xff80)
  return kinds === otherDigit || kinds === (otherDigit | zero)
}

const zero = 1
const otherDigit = 2
const noDigit = 4
/** The kind of each ASCII character. */
const kindOf = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 48 ? zero : /[1-9a-f]/.test(String.fromCharCode(code)) ? otherDigit : noDigit,
)

/** Returns whether a text has no control characters, which JSON does not allow. */
export function isPlain(text: string | undefined): boolean {
  return text === undefined || !controlPattern.test(text)
}

// oxlint-disable-next-line no-control-regex -- JSON does not allow these characters.
const controlPattern = /[\u0000-\u001f]/
