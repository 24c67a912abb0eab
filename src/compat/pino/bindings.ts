import { maskMember } from '../../redact/url-password.ts'
import { quote } from '../../encode/json/quote.ts'
import type { ShapeNode } from '../../encode/walk/shapes.ts'
import { UniqueNames } from '../../record/unique-names.ts'
import type { Values } from './values.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import { redactedTextsOf, withRedactedStack } from '../shared/redacted-error.ts'
import { withoutListedBytes } from '../shared/listed-bytes.ts'
import { hostileKeys } from '../shared/own-members.ts'
import { serialized, type Serializers } from './serialized.ts'

/** A member that was rendered when it was bound. */
export interface BoundMember {
  /** Its name as the program has set it. */
  readonly key: string
  /** The same redacted: redaction can make the names of several keys equal. */
  readonly name: string
  /** Its value as JSON. */
  readonly value: string
}

/** What a logger adds to each record: members that were rendered when they were bound. */
export class Bindings {
  /** `,"name":value` of all of them. */
  readonly text: string
  /** By key. */
  private readonly members: ReadonlyMap<string, BoundMember>
  private readonly written: readonly string[]
  private taken: ReadonlySet<string> | undefined
  private takenBeside: ReadonlySet<string> | undefined

  constructor(members: ReadonlyMap<string, BoundMember>) {
    this.members = members
    const unique = new UniqueNames()
    this.written = Array.from(members.values(), ({ name }) => unique.add(name))
    let text = ''
    let index = 0
    for (const { value } of members.values()) text += `,${quote(this.written[index++]!)}:${value}`
    this.text = text
  }

  /** These and others; of two with one key the later one stays, in the place of the first. */
  with(others: Iterable<BoundMember>): Bindings {
    const members = new Map(this.members)
    for (const member of others) members.set(member.key, member)
    return new Bindings(members)
  }

  has(key: string): boolean {
    return this.members.has(key)
  }

  /** Their names and those of the record's own fields. The same set each time, so that shapes can be compared with it once. */
  names(core: ReadonlySet<string>): ReadonlySet<string> {
    if (this.taken === undefined || this.takenBeside !== core) {
      this.takenBeside = core
      this.taken = new Set([...core, ...this.written])
    }
    return this.taken
  }

  /** The text of those whose keys are not set by a call. */
  without(keys: ReadonlySet<string>): string {
    let text = ''
    for (const { key, value } of this.members.values()) if (!keys.has(key)) text += `,${quote(key)}:${value}`
    return text
  }

  /** The same where names are redacted: one with a name of the call's gets a number. `last`: the last member of the call. */
  beside(keys: ReadonlySet<string>, last: ShapeNode | undefined): string {
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

/** The text of bindings beside the members of a call that has some of their keys or names. */
export function boundText(
  { bindings, values }: { readonly bindings: Bindings; readonly values: Values },
  clashing: ReadonlySet<string>,
  last: ShapeNode | undefined,
): string {
  return values.patterns === undefined ? bindings.without(clashing) : bindings.beside(clashing, last)
}

export const noBindings: Bindings = new Bindings(new Map())

/** What names a child's settings is no binding. */
const settings = new Set(['level', 'serializers', 'formatters', 'customLevels'])

/** Renders what is to be bound. `core` names fields of the record: what clashes with them goes under `attributes`. */
export function rendered(
  given: object,
  serializers: Serializers,
  values: Values,
  core: ReadonlySet<string>,
  hookFailures: HookFailures,
): BoundMember[] {
  const members: BoundMember[] = []
  const strays: [string, unknown][] = []
  let node: ShapeNode = values.root
  const bindings = withoutListedBytes(given, values.patterns)
  const names = hostileKeys(bindings)
  for (const key of names) {
    if (settings.has(key)) continue
    node = node.follow(key)
    const value = serialized(bindings, key, serializers, undefined, hookFailures)
    const covered = redactedTextsOf(bindings, key, node.state)
    const safe = covered === undefined ? value : withRedactedStack(value, covered)
    const shown = values.coversHeaders && typeof safe === 'string' ? maskMember(key, safe, names) : safe
    const text = shown === undefined ? undefined : values.member(shown, node)
    if (text === undefined) continue
    const name = values.clean(key)
    if (core.has(name)) strays.push([key, shown])
    else members.push({ key, name, value: text })
  }
  if (strays.length > 0) {
    const moved = values.moved('attributes', strays)
    if (moved !== '')
      members.push({ key: 'attributes', name: 'attributes', value: moved.slice(moved.indexOf(':') + 1) })
  }
  return members
}
