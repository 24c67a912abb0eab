import { maskMember } from '../../redact/url-password.ts'
import { quote } from '../../encode/json/quote.ts'
import type { ShapeNode } from '../../encode/walk/shapes.ts'
import { UniqueNames } from '../../record/unique-names.ts'
import type { Values } from './values.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import { redactedTextsOf, withRedactedStack } from '../shared/redacted-error.ts'
import { redactByteLists } from '../shared/listed-bytes.ts'
import { hostileKeys } from '../shared/set-own.ts'
import { serialized, type Serializers } from './serialized.ts'

/** A member of bindings, rendered when it was bound. */
export interface BoundMember {
  /** Original key. */
  readonly key: string
  /** Redacted key. Redaction can make several keys equal. */
  readonly name: string
  /** Value as JSON. */
  readonly value: string
}

/** Members that a logger adds to each record, rendered when they were bound. */
export class Bindings {
  /** All members, each as `,"name":value`. */
  readonly text: string
  /** Members by key. */
  private readonly members: ReadonlyMap<string, BoundMember>
  private readonly writtenNames: readonly string[]
  private reservedNames: ReadonlySet<string> | undefined
  private reservedFor: ReadonlySet<string> | undefined

  constructor(members: ReadonlyMap<string, BoundMember>) {
    this.members = members
    const unique = new UniqueNames()
    this.writtenNames = Array.from(members.values(), ({ name }) => unique.add(name))
    let text = ''
    let index = 0
    for (const { value } of members.values()) text += `,${quote(this.writtenNames[index++]!)}:${value}`
    this.text = text
  }

  /** Returns these bindings with others added. A later member replaces an earlier one with the same key, in its position. */
  with(others: Iterable<BoundMember>): Bindings {
    const members = new Map(this.members)
    for (const member of others) members.set(member.key, member)
    return new Bindings(members)
  }

  has(key: string): boolean {
    return this.members.has(key)
  }

  /** Returns the names of the members and of the record's own fields. The set is cached, so that shapes can compare its identity. */
  names(core: ReadonlySet<string>): ReadonlySet<string> {
    if (this.reservedNames === undefined || this.reservedFor !== core) {
      this.reservedFor = core
      this.reservedNames = new Set([...core, ...this.writtenNames])
    }
    return this.reservedNames
  }

  /** Returns the text of all members whose keys are not set by a call. */
  without(keys: ReadonlySet<string>): string {
    let text = ''
    for (const { key, value } of this.members.values()) if (!keys.has(key)) text += `,${quote(key)}:${value}`
    return text
  }

  /**
   * Returns the same with redacted names: a name that the call also uses gets a number.
   *
   * @param last - the last member of the call
   */
  withFreeNames(keys: ReadonlySet<string>, last: ShapeNode | undefined): string {
    const unique = new UniqueNames(namesUpTo(last))
    let text = ''
    for (const { key, name, value } of this.members.values())
      if (!keys.has(key)) text += `,${quote(unique.add(name))}:${value}`
    return text
  }
}

function* namesUpTo(last: ShapeNode | undefined): Generator<string> {
  for (let node = last; node?.parent !== undefined; node = node.parent) yield node.name
}

/** Returns the text of bindings for a call that sets some of their keys or names. */
export function boundText(
  { bindings, values }: { readonly bindings: Bindings; readonly values: Values },
  clashing: ReadonlySet<string>,
  last: ShapeNode | undefined,
): string {
  return values.patterns === undefined ? bindings.without(clashing) : bindings.withFreeNames(clashing, last)
}

export const noBindings: Bindings = new Bindings(new Map())

/** Members that configure a child, and are not bindings. */
const settings = new Set(['level', 'serializers', 'formatters', 'customLevels'])

/**
 * Renders members to bind.
 *
 * @param core - names of the record's own fields; members with these names are nested below `attributes`
 */
export function rendered(
  given: object,
  serializers: Serializers,
  values: Values,
  core: ReadonlySet<string>,
  hookFailures: HookFailures,
): BoundMember[] {
  const members: BoundMember[] = []
  const reserved: [string, unknown][] = []
  let node: ShapeNode = values.root
  const bindings = redactByteLists(given, values.patterns)
  const names = hostileKeys(bindings)
  for (const key of names) {
    if (settings.has(key)) continue
    node = node.follow(key)
    const value = serialized(bindings, key, serializers, undefined, hookFailures)
    const redactedParts = redactedTextsOf(bindings, key, node.state)
    const safe = redactedParts === undefined ? value : withRedactedStack(value, redactedParts)
    const shown = values.coversHeaders && typeof safe === 'string' ? maskMember(key, safe, names) : safe
    const text = shown === undefined ? undefined : values.member(shown, node)
    if (text === undefined) continue
    const name = values.clean(key)
    if (core.has(name)) reserved.push([key, shown])
    else members.push({ key, name, value: text })
  }
  if (reserved.length > 0) {
    const nested = values.moved('attributes', reserved)
    if (nested !== '')
      members.push({ key: 'attributes', name: 'attributes', value: nested.slice(nested.indexOf(':') + 1) })
  }
  return members
}
