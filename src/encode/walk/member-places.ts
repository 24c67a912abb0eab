import type { ExceptionParts } from './exception-parts.ts'
import { keyAt, memberEnd, valueOf } from '../json/json-members.ts'
import type { CoreField } from '../json/layout-bases.ts'
import type { ResolvedLayout } from '../json/layout.ts'
import { quote } from '../json/quote.ts'
import type { ShapeNode } from './shapes.ts'

/** The members of one record sorted by their place in the line, as JSON members without braces. */
export interface PlacedMembers {
  /** The fields of the exception, each after a comma. */
  readonly exception: string
  readonly attributes: string
  /** Attributes that must not be at the top level. */
  readonly clashing: string
}

/**
 * The places of members in a layout that does not write all of them in one object: attributes at the top level, or an exception in separate
 * fields. It sorts finished text, so redaction and reading are the same as in other layouts.
 */
export class MemberPlaces {
  /** The number of bytes by which a line can grow when the members of an exception are cut. */
  readonly slack: number
  /** Names that no attribute may have at the top level; undefined if attributes are not at the top level. */
  private readonly reserved: ReadonlySet<string> | undefined
  private readonly fields: ResolvedLayout['fields']
  private readonly omittedFields: readonly CoreField[]

  /** Returns the places of a layout; undefined if all members are in one object. */
  static of(layout: ResolvedLayout): MemberPlaces | undefined {
    const places = new MemberPlaces(layout)
    return places.reserved === undefined && places.fields.length + places.omittedFields.length === 0
      ? undefined
      : places
  }

  private constructor(layout: ResolvedLayout) {
    const { fields, omitted, attributes } = layout
    this.reserved = attributes === 'flat' ? reservedNames(layout) : undefined
    this.fields = fields.filter(({ field }) => field.startsWith('exception'))
    this.omittedFields = omitted
    this.slack = this.fields.some(({ field }) => field === 'exception') ? 32 : 0
  }

  /** Returns whether one of the names is reserved. */
  clashesWith(names: Iterable<string>): boolean {
    if (this.reserved === undefined) return false
    for (const name of names) if (this.reserved.has(name)) return true
    return false
  }

  /** Returns whether a name of the shape that ends at `leaf` is reserved. The result is cached on the shape. */
  clashes(leaf: ShapeNode): boolean {
    if (this.reserved === undefined) return false
    return (leaf.reserved ??= this.clashesWith(namesOf(leaf)))
  }

  /**
   * Sorts members by their place.
   *
   * @param parts - which members came from the exception
   */
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
      if (part !== undefined && this.isMoved(part)) found[part] = valueOf(member)
      else if (this.reserved?.has(key) === true) clashing = joined(clashing, member)
      else attributes = joined(attributes, member)
    }
    return { exception: parts === undefined ? '' : this.exceptionText(found), attributes, clashing }
  }

  private isMoved(part: Part): boolean {
    return this.isSeparate(part) || this.fields.some(({ field }) => field === 'exception')
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

  /** Returns an object with the parts that have no separate field. */
  private wholeException(found: Found): string | undefined {
    let text = ''
    for (const part of ['type', 'message', 'stacktrace'] as const) {
      const value = found[part]
      if (value !== undefined && !this.isSeparate(part)) text = joined(text, nameInWhole[part] + value)
    }
    const own = found.members
    // They are text if a limit has cut them.
    if (own !== undefined && own !== '{}')
      text = joined(text, own.startsWith('{') ? own.slice(1, -1) : '"properties":' + own)
    return text === '' ? undefined : '{' + text + '}'
  }

  /** Returns whether a part has a separate field or is omitted. */
  private isSeparate(part: Part): boolean {
    const own = fieldOf[part]
    return own !== 'exception' && (this.omittedFields.includes(own) || this.fields.some(({ field }) => field === own))
  }
}

type Part = 'type' | 'message' | 'stacktrace' | 'members'

/** The parts of an exception that the layout writes elsewhere, as JSON. */
type Found = Record<Part, string | undefined>

const parts: readonly Part[] = ['type', 'message', 'stacktrace', 'members']

const fieldOf = {
  type: 'exceptionType',
  message: 'exceptionMessage',
  stacktrace: 'exceptionStacktrace',
  members: 'exception',
} as const satisfies Readonly<Record<Part, CoreField>>

/** The names that pino's error serializer uses. No own member of an Error has one of these names. */
const nameInWhole = { type: '"type":', message: '"message":', stacktrace: '"stack":' } as const

function joined(members: string, member: string): string {
  return members === '' ? member : members + ',' + member
}

/**
 * Returns the names that attributes must not have: those of fields and constants, whether or not a line contains them; those that the
 * consumer reserves; and those that are a prefix of one of them if a dot means nesting, such as `error` of `error.type`.
 */
function reservedNames({ fields, constants, reserved }: ResolvedLayout): ReadonlySet<string> {
  const names = new Set([...fields.map(({ key }) => key), ...constants.map(([key]) => key), ...reserved])
  // Iterating a set also yields values that are added during the iteration.
  for (const name of names) {
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) names.add(name.slice(0, dot))
  }
  return names
}

function* namesOf(leaf: ShapeNode): Generator<string, void> {
  for (let node = leaf; node.parent !== undefined; node = node.parent) yield node.name
}
