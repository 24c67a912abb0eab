import { maskMember } from '../../rules/url-password.ts'
import { quote } from '../../encode/quote.ts'
import type { ShapeNode } from '../../encode/shapes.ts'
import type { Values } from './values.ts'
import type { Trouble } from '../trouble.ts'
import { coveredTextsOf, withCoveredStack } from '../covered-error.ts'
import { hostileKeys } from '../own-members.ts'
import { serialized, type Serializers } from './serialized.ts'

/** What a logger says with each record: members that were rendered when they were bound. */
export class Bindings {
  /** `,"key":value` of all of them. */
  readonly text: string
  private readonly members: ReadonlyMap<string, string>
  private taken: ReadonlySet<string> | undefined
  private takenBeside: ReadonlySet<string> | undefined

  constructor(members: ReadonlyMap<string, string>) {
    this.members = members
    let text = ''
    for (const [key, value] of members) text += `,${quote(key)}:${value}`
    this.text = text
  }

  /** These and others; of two that have one name the later one stays, in the place of the first. */
  with(others: Iterable<readonly [string, string]>): Bindings {
    const members = new Map(this.members)
    for (const [key, value] of others) members.set(key, value)
    return new Bindings(members)
  }

  has(key: string): boolean {
    return this.members.has(key)
  }

  /** Their names and those of the record's own fields. The same set each time, so that shapes can be compared with it once. */
  names(core: ReadonlySet<string>): ReadonlySet<string> {
    if (this.taken === undefined || this.takenBeside !== core) {
      this.takenBeside = core
      this.taken = new Set([...core, ...this.members.keys()])
    }
    return this.taken
  }

  /** Those that are not said otherwise. */
  without(said: ReadonlySet<string>): string {
    let text = ''
    for (const [key, value] of this.members) if (!said.has(key)) text += `,${quote(key)}:${value}`
    return text
  }
}

export const noBindings: Bindings = new Bindings(new Map())

/** What names a child's settings is no binding. */
const settings = new Set(['level', 'serializers', 'formatters', 'customLevels'])

/** Renders what is to be bound. `core` names fields of the record: what clashes with them goes under `attributes`. */
export function rendered(
  bindings: object,
  serializers: Serializers,
  values: Values,
  core: ReadonlySet<string>,
  trouble: Trouble,
): [string, string][] {
  const members: [string, string][] = []
  const strays: [string, unknown][] = []
  let node: ShapeNode = values.root
  const names = hostileKeys(bindings)
  for (const key of names) {
    if (settings.has(key)) continue
    node = node.follow(key)
    const value = serialized(bindings, key, serializers, undefined, trouble)
    const covered = coveredTextsOf(bindings, key, node.state)
    const safe = covered === undefined ? value : withCoveredStack(value, covered)
    const shown = values.coversHeaders && typeof safe === 'string' ? maskMember(key, safe, names) : safe
    const text = shown === undefined ? undefined : values.member(shown, node)
    if (text === undefined) continue
    if (core.has(node.name)) strays.push([key, shown])
    else members.push([node.name, text])
  }
  if (strays.length > 0) {
    const moved = values.moved('attributes', strays)
    if (moved !== '') members.push(['attributes', moved.slice(moved.indexOf(':') + 1)])
  }
  return members
}
