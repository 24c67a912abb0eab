import { sgr, type Paint } from '../../encode/pretty/colors.ts'
import { nameText } from '../../encode/pretty/inline.ts'
import { requestFieldNames } from '../../encode/pretty/request.ts'

/** Names that change how a record is shown, or the order of its attributes. */
const specialNames: ReadonlySet<string> = new Set([
  'request.id',
  'http.server.request.duration',
  'exception.stacktrace',
  '__proto__',
])
/** JavaScript puts members with such names before all others. */
const indexPattern = /^\d+$/
/** The names of members can be data, so the cache has a limit. */
const maxCached = 512
const maxLength = 64

/** A name of a member in simple JSON, and its texts. */
export interface MemberName {
  readonly name: string
  /** The name as in JSON, with its quotes and the colon. */
  readonly json: string
  /** `name=`, with its colors. */
  readonly attribute: string
  /** `name: `, with its colors. */
  readonly member: string
  /** The number of columns of `name`. */
  readonly width: number
  readonly isRequestField: boolean
  /** Whether it changes how a record is shown. */
  readonly isSpecial: boolean
  /** The number of the object that had this name last. */
  lastObject: number
  /** The name that followed it last, which most often follows it again. */
  next: MemberName | undefined
}

/** Recognizes the names of members in simple JSON, without a copy of them. */
export class MemberNames {
  private readonly paint: Paint
  private readonly names = new Map<string, MemberName>()
  private first: MemberName | undefined
  private last: MemberName | undefined

  constructor(paint: Paint) {
    this.paint = paint
  }

  /** Begins to read a line. */
  begin(): void {
    this.last = undefined
  }

  /** Returns the name at a position, where its opening quote is; undefined if it is long, or too many names have occurred. */
  read(text: string, at: number): MemberName | undefined {
    const { last } = this
    const expected = last === undefined ? this.first : last.next
    if (expected !== undefined && text.startsWith(expected.json, at)) return (this.last = expected)
    const name = this.of(text.slice(at + 1, text.indexOf('"', at + 1)))
    if (last === undefined) this.first = name
    else last.next = name
    return (this.last = name)
  }

  private of(slice: string): MemberName | undefined {
    const cached = this.names.get(slice)
    if (cached !== undefined || this.names.size >= maxCached || slice.length > maxLength) return cached
    // A slice would keep the whole line in memory.
    const name = JSON.parse(`"${slice}"`) as string
    const text = nameText(name)
    const created: MemberName = {
      name,
      json: `"${name}":`,
      attribute: this.paint(sgr.dim, `${text}=`),
      member: this.paint(sgr.dim, `${text}: `),
      width: text.length,
      isRequestField: requestFieldNames.has(name),
      isSpecial: specialNames.has(name) || indexPattern.test(name),
      lastObject: 0,
      next: undefined,
    }
    this.names.set(name, created)
    return created
  }
}
