import { maskPasswordIfUrlMember } from '../../redact/url-password.ts'
import { quote } from '../../encode/json/quote.ts'
import type { ShapeNode } from '../../encode/walk/shapes.ts'
import { UniqueNames } from '../../record/unique-names.ts'
import type { ValueWriter } from './value-writer.ts'
import type { HookFailureReporter } from '../shared/hook-failures.ts'
import { errorMessageReplacementsOfMember, withRedactedStack } from '../shared/redacted-error.ts'
import { redactIfByteList } from '../shared/listed-bytes.ts'
import { safeKeys } from '../shared/copy-members.ts'
import { unusedName } from '../shared/unused-name.ts'
import { serializeMember, type Serializers } from './serializers.ts'

/** A member of bindings, rendered when it was bound. */
export interface BoundMember {
  /** Original key. */
  readonly key: string
  /** Redacted key. Redaction can make several keys equal. */
  readonly name: string
  /** Value as JSON. */
  readonly value: string
}

/** The bindings of one logger, rendered. */
export interface OwnBindings {
  readonly members: readonly BoundMember[]
  /** An object of the bindings with reserved names. Its key lists their keys. */
  readonly nested: BoundMember | undefined
}

const noMembers: ReadonlyMap<string, BoundMember> = new Map()

/** Members that a logger adds to each record, rendered when they were bound. */
export class RenderedBindings {
  /** All members, each as `,"name":value`. */
  readonly text: string
  /** Members by key. */
  private readonly members: ReadonlyMap<string, BoundMember>
  /** Objects of members with reserved names, by the keys of these. They are not in `members`, because no key of the user replaces them. */
  private readonly nested: ReadonlyMap<string, BoundMember>
  /** Whether each name is equal to the key of the member, so that only members with the same key can have the same name. */
  private readonly hasOriginalNames: boolean
  /** The names of the members as they are written: each is unique. */
  private readonly writtenNames: readonly string[]
  /** The last result of `takenNames`. */
  private cachedNames: ReadonlySet<string> | undefined
  /** The argument for which `cachedNames` was created. */
  private cachedNamesFor: ReadonlySet<string> | undefined

  constructor(
    members: ReadonlyMap<string, BoundMember> = noMembers,
    nested: ReadonlyMap<string, BoundMember> = noMembers,
  ) {
    this.members = members
    this.nested = nested
    this.hasOriginalNames = nested.size === 0 && Array.from(members.values()).every(({ key, name }) => key === name)
    const written = [...this.membersWithout(new Set())]
    this.writtenNames = written.map(({ name }) => name)
    this.text = textOf(written)
  }

  /** Returns these bindings with others added. A later member replaces an earlier one with the same key, in its position. */
  with({ members, nested }: OwnBindings): RenderedBindings {
    if (members.length === 0 && nested === undefined) return this
    const all = new Map(this.members)
    for (const member of members) all.set(member.key, member)
    return new RenderedBindings(all, nested === undefined ? this.nested : new Map(this.nested).set(nested.key, nested))
  }

  has(key: string): boolean {
    return this.members.has(key)
  }

  /**
   * Returns the names of the members and `namesBeforeBindings`. A call with the same set as the last one returns the same set, because shapes
   * compare its identity.
   */
  takenNames(namesBeforeBindings: ReadonlySet<string>): ReadonlySet<string> {
    if (this.cachedNames === undefined || this.cachedNamesFor !== namesBeforeBindings) {
      this.cachedNamesFor = namesBeforeBindings
      this.cachedNames = new Set([...namesBeforeBindings, ...this.writtenNames])
    }
    return this.cachedNames
  }

  /**
   * Returns the text of the members whose keys are not in `keys`, under the names under which they were bound: a parent may have patterns
   * that this logger does not have. A name that a member of the call also has is changed.
   *
   * @param last - the shape of the last member of the call
   * @param redactsNames - whether patterns redact the names of the call, so that different keys can have the same name
   */
  textWithout(keys: ReadonlySet<string>, last: ShapeNode | undefined, redactsNames: boolean): string {
    if (redactsNames || !this.hasOriginalNames) return textOf(this.membersWithout(keys, namesUpTo(last)))
    let text = ''
    for (const { key, value } of this.members.values()) if (!keys.has(key)) text += `,${quote(key)}:${value}`
    return text
  }

  /** Yields the members whose keys are not in `keys`, with unique names that are not in `taken`. */
  private *membersWithout(keys: ReadonlySet<string>, taken?: Iterable<string>): Generator<WrittenMember> {
    const unique = new UniqueNames(taken)
    for (const { key, name, value } of this.members.values())
      if (!keys.has(key)) yield { name: unique.add(name), value }
    for (const { name, value } of this.nested.values())
      yield { name: unique.add(unusedName(name, (other) => unique.has(other))), value }
  }
}

/** A member with its final name. */
type WrittenMember = Pick<BoundMember, 'name' | 'value'>

function textOf(members: Iterable<WrittenMember>): string {
  let text = ''
  for (const { name, value } of members) text += `,${quote(name)}:${value}`
  return text
}

/** Yields the names of the members from `last` back to the first one. */
export function* namesUpTo(last: ShapeNode | undefined): Generator<string> {
  for (let node = last; node?.parent !== undefined; node = node.parent) yield node.name
}

/**
 * Returns the text of bindings for a call that sets some of their keys or names.
 *
 * @param clashingKeys - the keys of the call that are also bound, or are written under the name of a binding
 * @param last - the shape of the last member of the call; undefined if its members are nested
 */
export function boundText(
  { bindings, valueWriter }: { readonly bindings: RenderedBindings; readonly valueWriter: ValueWriter },
  clashingKeys: ReadonlySet<string>,
  last: ShapeNode | undefined,
): string {
  return bindings.textWithout(clashingKeys, last, valueWriter.patterns !== undefined)
}

export const noBindings: RenderedBindings = new RenderedBindings()

/** Names that are not written as bindings, as in pino, whose earlier versions read the settings of a child from its bindings. */
const settingNames = new Set(['level', 'serializers', 'formatters', 'customLevels'])

/**
 * Renders members that a logger adds to each record.
 *
 * @param namesBeforeBindings - names of the level and time members; bindings with these names are nested in another member
 */
export function renderBindings(
  bindings: object,
  serializers: Serializers,
  valueWriter: ValueWriter,
  namesBeforeBindings: ReadonlySet<string>,
  hookFailures: HookFailureReporter,
): OwnBindings {
  const members: BoundMember[] = []
  const reservedMembers: [string, unknown][] = []
  let node: ShapeNode = valueWriter.lineShapes
  const source = redactIfByteList(bindings, valueWriter.patterns)
  const keys = safeKeys(source)
  for (const key of keys) {
    if (settingNames.has(key)) continue
    node = node.follow(key)
    const value = serializeMember(source, key, serializers, undefined, hookFailures)
    const messageReplacements = errorMessageReplacementsOfMember(source, key, node.redactState)
    const redactedValue = messageReplacements === undefined ? value : withRedactedStack(value, messageReplacements)
    const maskedValue =
      valueWriter.redactsCredentials && typeof redactedValue === 'string'
        ? maskPasswordIfUrlMember(key, redactedValue, keys)
        : redactedValue
    const text = maskedValue === undefined ? undefined : valueWriter.memberJson(maskedValue, node)
    if (text === undefined) continue
    const name = valueWriter.redactPatterns(key)
    if (namesBeforeBindings.has(name)) reservedMembers.push([key, maskedValue])
    else members.push({ key, name, value: text })
  }
  if (reservedMembers.length === 0) return { members, nested: undefined }
  const name = valueWriter.nestingName()
  // `,"attributes":{…}`
  const nested = valueWriter.nestedMembers(name, reservedMembers)
  if (nested === '') return { members, nested: undefined }
  const key = reservedMembers.map(([reservedKey]) => reservedKey).join()
  return { members, nested: { key, name, value: nested.slice(nested.indexOf(':') + 1) } }
}
