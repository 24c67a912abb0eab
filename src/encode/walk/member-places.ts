import type { ExceptionParts } from './exception-parts.ts'
import { keyAt, memberEnd, valueOf } from '../json/json-members.ts'
import type { CoreField } from '../json/layout-bases.ts'
import type { ResolvedLayout } from '../json/layout.ts'
import { quote } from '../json/quote.ts'
import type { ShapeNode } from './shapes.ts'

/** Where the members of one record stand, as JSON members without braces. */
export interface PlacedMembers {
  /** The fields of the exception, each with a comma in front. */
  readonly exception: string
  readonly attributes: string
  /** Attributes that must not stand at the top level. */
  readonly clashing: string
}

/**
 * The places of members in a layout in which they do not all stand in one object: attributes at the top level, an exception
 * with fields of its own. It sorts finished text, so that nothing is redacted, or read, in another way than elsewhere.
 */
export class MemberPlaces {
  /** Longer by this many bytes can a line become when members of an exception are cut. */
  readonly slack: number
  /** Names that no attribute may have at the top level; undefined where none stands there. */
  private readonly reserved: ReadonlySet<string> | undefined
  private readonly fields: ResolvedLayout['fields']
  private readonly leftOut: readonly CoreField[]

  /** undefined for a layout whose members all stand in one object. */
  static of(layout: ResolvedLayout): MemberPlaces | undefined {
    const places = new MemberPlaces(layout)
    return places.reserved === undefined && places.fields.length + places.leftOut.length === 0 ? undefined : places
  }

  private constructor(layout: ResolvedLayout) {
    const { fields, leftOut, attributes } = layout
    this.reserved = attributes === 'flat' ? reservedNames(layout) : undefined
    this.fields = fields.filter(({ field }) => field.startsWith('exception'))
    this.leftOut = leftOut
    this.slack = this.fields.some(({ field }) => field === 'exception') ? 32 : 0
  }

  /** Whether one of these names is reserved. */
  clashesWith(names: Iterable<string>): boolean {
    if (this.reserved === undefined) return false
    for (const name of names) if (this.reserved.has(name)) return true
    return false
  }

  /** Whether a name of the shape that ends at `leaf` is reserved. Decided once for each shape. */
  clashes(leaf: ShapeNode): boolean {
    if (this.reserved === undefined) return false
    return (leaf.reserved ??= this.clashesWith(namesOf(leaf)))
  }

  /** `parts`: which members came from the exception. */
  place(members: string, parts: ExceptionParts | undefined): PlacedMembers {
    const found: Found = { type: undefined, message: undefined, stacktrace: undefined, members: undefined }
    let attributes = ''
    let clashing = ''
    for (let start = 0; start < members.length;) {
      const end = memberEnd(members, start)
      const key = keyAt(members, start)
      const member = members.slice(start, end)
      start = end + 1
      const part = parts?.partAt(key)
      if (part !== undefined && this.takes(part)) found[part] = valueOf(member)
      else if (this.reserved?.has(key) === true) clashing = joined(clashing, member)
      else attributes = joined(attributes, member)
    }
    return { exception: parts === undefined ? '' : this.exceptionText(found), attributes, clashing }
  }

  private takes(part: Part): boolean {
    return this.isElsewhere(part) || this.fields.some(({ field }) => field === 'exception')
  }

  private exceptionText(found: Found): string {
    let text = ''
    for (const { field, key } of this.fields) {
      const part = parts.find((each) => fieldOf[each] === field)!
      const value = part === 'members' ? this.wholeException(found) : found[part]
      if (value !== undefined) text += ',' + quote(key) + ':' + value
    }
    return text
  }

  /** What has no field of its own, in one object. */
  private wholeException(found: Found): string | undefined {
    let text = ''
    for (const part of ['type', 'message', 'stacktrace'] as const) {
      const value = found[part]
      if (value !== undefined && !this.isElsewhere(part)) text = joined(text, nameInWhole[part] + value)
    }
    const own = found.members
    // Where a limit cut them, they are text.
    if (own !== undefined && own !== '{}')
      text = joined(text, own.startsWith('{') ? own.slice(1, -1) : '"properties":' + own)
    return text === '' ? undefined : '{' + text + '}'
  }

  /** Whether a part has a field of its own, or is left out. */
  private isElsewhere(part: Part): boolean {
    const own = fieldOf[part]
    return own !== 'exception' && (this.leftOut.includes(own) || this.fields.some(({ field }) => field === own))
  }
}

type Part = 'type' | 'message' | 'stacktrace' | 'members'

/** The parts of an exception that a layout has places for, as JSON. */
type Found = Record<Part, string | undefined>

const parts: readonly Part[] = ['type', 'message', 'stacktrace', 'members']

const fieldOf = {
  type: 'exceptionType',
  message: 'exceptionMessage',
  stacktrace: 'exceptionStacktrace',
  members: 'exception',
} as const satisfies Readonly<Record<Part, CoreField>>

/** As pino's serializer of errors calls them. None of an Error's own members has such a name. */
const nameInWhole = { type: '"type":', message: '"message":', stacktrace: '"stack":' } as const

function joined(members: string, member: string): string {
  return members === '' ? member : members + ',' + member
}

/**
 * The names that attributes must not have: those of the fields and constants, whether a line has them or not, those that the
 * reader takes for its own, and those that lead to one of them where a dot means a member: `error` beside `error.type`.
 */
function reservedNames({ fields, constants, reserved }: ResolvedLayout): ReadonlySet<string> {
  const names = new Set([...fields.map(({ key }) => key), ...constants.map(([key]) => key), ...reserved])
  // A set yields what is added to it while it is read, too.
  for (const name of names) {
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) names.add(name.slice(0, dot))
  }
  return names
}

function* namesOf(leaf: ShapeNode): Generator<string, void> {
  for (let node = leaf; node.parent !== undefined; node = node.parent) yield node.name
}
