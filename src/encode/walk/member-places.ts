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
 * fields. It sorts finished JSON text, so reading and redacting values does not depend on the layout.
 */
export class MemberPlaces {
  /**
   * The number of bytes by which a line can grow when a limit cuts the members of an exception, because they are then text in an
   * additional member `properties`.
   */
  readonly maxAddedBytes: number
  /** Names that no attribute may have at the top level; undefined if attributes are not at the top level. */
  private readonly reservedNames: ReadonlySet<string> | undefined
  private readonly exceptionFields: ResolvedLayout['fields']
  private readonly omittedExceptionFields: readonly CoreField[]

  /** Returns the places of a layout; undefined if all members are in one object. */
  static of(layout: ResolvedLayout): MemberPlaces | undefined {
    const places = new MemberPlaces(layout)
    return places.reservedNames === undefined &&
      places.exceptionFields.length + places.omittedExceptionFields.length === 0
      ? undefined
      : places
  }

  private constructor(layout: ResolvedLayout) {
    const { fields, omittedExceptionFields, attributes } = layout
    this.reservedNames = attributes === 'flat' ? reservedNamesOf(layout) : undefined
    this.exceptionFields = fields.filter(({ field }) => field.startsWith('exception'))
    this.omittedExceptionFields = omittedExceptionFields
    // `"properties":` has 13 bytes; 32 leaves a margin.
    this.maxAddedBytes = this.exceptionFields.some(({ field }) => field === 'exception') ? 32 : 0
  }

  /** Returns whether one of the names is reserved. */
  includesReservedName(names: Iterable<string>): boolean {
    if (this.reservedNames === undefined) return false
    for (const name of names) if (this.reservedNames.has(name)) return true
    return false
  }

  /** Returns whether a name of the shape that ends at `leaf` is reserved. The result is cached on the shape. */
  hasReservedName(leaf: ShapeNode): boolean {
    if (this.reservedNames === undefined) return false
    return (leaf.hasReservedName ??= this.includesReservedName(namesOf(leaf)))
  }

  /**
   * Sorts members by their place.
   *
   * @param members - JSON members, joined by commas
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
      else if (this.reservedNames?.has(key) === true) clashing = joinMembers(clashing, member)
      else attributes = joinMembers(attributes, member)
    }
    return { exception: parts === undefined ? '' : this.exceptionText(found), attributes, clashing }
  }

  /** Returns whether a part of the exception is not written among the attributes. */
  private isMoved(part: Part): boolean {
    return this.isSeparate(part) || this.exceptionFields.some(({ field }) => field === 'exception')
  }

  private exceptionText(found: Found): string {
    let text = ''
    for (const { field, key } of this.exceptionFields) {
      const part = partNames.find((each) => fieldOf[each] === field)!
      const value = part === 'members' ? this.restOfException(found) : found[part]
      if (value !== undefined) text += ',' + quote(key) + ':' + value
    }
    return text
  }

  /** Returns the JSON object of the parts without a separate field; undefined if every part has a field. */
  private restOfException(found: Found): string | undefined {
    let text = ''
    for (const part of ['type', 'message', 'stacktrace'] as const) {
      const value = found[part]
      if (value !== undefined && !this.isSeparate(part)) text = joinMembers(text, keyText[part] + value)
    }
    const { members } = found
    // If a limit has cut the members, they are a JSON string.
    if (members !== undefined && members !== '{}')
      text = joinMembers(text, members.startsWith('{') ? members.slice(1, -1) : '"properties":' + members)
    return text === '' ? undefined : '{' + text + '}'
  }

  /** Returns whether a part has a separate field or is omitted. */
  private isSeparate(part: Part): boolean {
    const separate = fieldOf[part]
    if (separate === 'exception') return false
    return (
      this.omittedExceptionFields.includes(separate) || this.exceptionFields.some(({ field }) => field === separate)
    )
  }
}

type Part = 'type' | 'message' | 'stacktrace' | 'members'

/** The parts of an exception that the layout writes elsewhere, as JSON. */
type Found = Record<Part, string | undefined>

const partNames: readonly Part[] = ['type', 'message', 'stacktrace', 'members']

/**
 * The separate field of each part. `members` has none: it is written in `exception`, together with every other part whose
 * separate field is not in the layout.
 */
const fieldOf = {
  type: 'exceptionType',
  message: 'exceptionMessage',
  stacktrace: 'exceptionStacktrace',
  members: 'exception',
} as const satisfies Readonly<Record<Part, CoreField>>

/**
 * The keys of parts in `exception`, as in pino's error serializer. They are unique, because `exceptionOf` omits the own members
 * `message` and `stack`, and renames `type`.
 */
const keyText = { type: '"type":', message: '"message":', stacktrace: '"stack":' } as const

function joinMembers(members: string, member: string): string {
  return members === '' ? member : members + ',' + member
}

/**
 * Returns the names that attributes must not have: those of fields and constants, whether or not a line contains them; those that the
 * consumer reserves; and those that are a prefix of one of them if a dot means nesting, such as `error` of `error.type`.
 */
function reservedNamesOf({ fields, constants, reservedNames }: ResolvedLayout): ReadonlySet<string> {
  const names = new Set([...fields.map(({ key }) => key), ...constants.map(([key]) => key), ...reservedNames])
  // Iterating a set also yields values that are added during the iteration.
  for (const name of names) {
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) names.add(name.slice(0, dot))
  }
  return names
}

function* namesOf(leaf: ShapeNode): Generator<string, void> {
  for (let node = leaf; node.parent !== undefined; node = node.parent) yield node.name
}
