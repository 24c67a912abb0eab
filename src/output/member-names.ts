import { sgr, type Paint } from '../encode/pretty/colors.ts'
import { nameText } from '../encode/pretty/inline.ts'
import { hasBytesAt } from '../read/formats/same-bytes.ts'

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

/** The fields of a request that the terminal format shows before the attributes. */
export const requestFields = ['http.request.method', 'url.path', 'http.route', 'http.response.status_code'] as const

/** A name of a member in simple JSON, and its texts. */
export interface MemberName {
  /** The name as in JSON, with its quotes and the colon. */
  readonly json: Uint8Array
  /** `name=`, with its colors. */
  readonly attribute: Uint8Array
  /** `name: `, with its colors. */
  readonly member: Uint8Array
  /** The number of columns of the name. */
  readonly width: number
  /** The index of the name in `requestFields`; -1 for other names. */
  readonly requestField: number
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
  read(bytes: Buffer, at: number): MemberName | undefined {
    const { last } = this
    const expected = last === undefined ? this.first : last.next
    if (expected !== undefined && hasBytesAt(bytes, at, expected.json)) return (this.last = expected)
    const name = this.of(bytes.toString('latin1', at + 1, bytes.indexOf(quote, at + 1)))
    if (last === undefined) this.first = name
    else last.next = name
    return (this.last = name)
  }

  private of(name: string): MemberName | undefined {
    const cached = this.names.get(name)
    if (cached !== undefined || this.names.size >= maxCached || name.length > maxLength) return cached
    const text = nameText(name)
    const created: MemberName = {
      json: Buffer.from(`"${name}":`),
      attribute: Buffer.from(this.paint(sgr.dim, `${text}=`)),
      member: Buffer.from(this.paint(sgr.dim, `${text}: `)),
      width: text.length,
      requestField: requestFields.indexOf(name as (typeof requestFields)[number]),
      isSpecial: specialNames.has(name) || indexPattern.test(name),
      lastObject: 0,
      next: undefined,
    }
    this.names.set(name, created)
    return created
  }
}

const quote = 34
