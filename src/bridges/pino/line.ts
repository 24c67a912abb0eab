import { tracingChannel } from 'node:diagnostics_channel'
import { flat, quoteJson } from '../../encode/quote.ts'
import { coverText, type Covered } from '../../rules/stacktrace.ts'
import { coveredTexts, withCoveredStack } from '../covered-error.ts'
import { partsSym, type Instance, type Parts } from './instance.ts'
import { hostileKeys } from '../own-members.ts'
import { serialized, type Serializers } from './serialized.ts'
import * as symbols from './symbols.ts'

const channel = tracingChannel('pino_asJson')

/** A record as a line. Whoever subscribes to the diagnostics channel `tracing:pino_asJson` sees what it is made of. */
export function asJson(this: Instance, object: object, message: unknown, level: number, time: string): string {
  if (!channel.hasSubscribers) return line(this, object, message, level, time)
  const args = [object, message, level, time] as const
  return channel.traceSync(() => line(this, ...args), { instance: this, arguments: args })
}

/** The line of a call, and the object as `formatters.log` had it said: undefined where it was not asked. */
export function lineAndObject(makeLine: () => string): { readonly line: string; readonly object: object | undefined } {
  const outer = current
  const own: Shown = { object: undefined }
  current = own
  try {
    const line = makeLine()
    return { line, object: own.object }
  } finally {
    current = outer
  }
}

interface Shown {
  object: object | undefined
}

/** Of the call that is under way: a formatter may log. */
let current: Shown | undefined

/** What the members of a record's object came to. */
interface Members {
  text: string
  /** Members that would say a field of the record a second time. */
  strays: string
  /** Names that were bound and are said otherwise. */
  said: Set<string> | undefined
  covered: readonly Covered[] | undefined
}

const hasOwn = Object.prototype.hasOwnProperty

function line(logger: Instance, object: object, message: unknown, level: number, time: string): string {
  const parts = logger[partsSym]
  const key = logger[symbols.messageKeySym]
  const nestedKey = logger[symbols.nestedKeySym]
  // A function says nothing.
  const isSaid = message !== undefined && typeof message !== 'function'
  const members = membersOf(logger, parts, object, isSaid && !nestedKey ? key : undefined)
  const msg = !isSaid ? '' : messageOf(logger, parts, message, members.covered)
  let { said } = members
  if (msg !== '' && parts.bindings.has(key)) said = (said ?? new Set()).add(key)
  let text = members.text
  if (nestedKey && text !== '') {
    text = `,${quoteJson(nestedKey)}:{${text.slice(1)}}`
    if (parts.bindings.has(nestedKey)) said = (said ?? new Set()).add(nestedKey)
  }
  if (members.strays !== '') text += strays(members, parts, object)
  const lead =
    said === undefined
      ? leadOf(logger, parts, level, time)
      : headOf(logger, level) + time + parts.bindings.without(said)
  const line = lead + text + msg + logger[symbols.endSym]
  // A formatter may have nothing to say of a level.
  return headOf(logger, level) === '{' ? line.replace('{,', '{') : line
}

function leadOf(logger: Instance, { lead }: Parts, level: number, time: string): string {
  if (lead.level !== level || lead.time !== time) {
    lead.level = level
    lead.time = time
    lead.text = flat(headOf(logger, level) + time + logger[symbols.chindingsSym])
  }
  return lead.text
}

function headOf(logger: Instance, level: number): string {
  return logger[symbols.lsCacheSym][level] ?? `{"level":${level}`
}

function membersOf(logger: Instance, parts: Parts, given: object, messageKey: string | undefined): Members {
  const { values, trouble, core } = parts
  const object = formatted(logger, parts, given)
  if (current !== undefined) current.object = object
  const serializers = logger[symbols.serializersSym]
  const errorKey = logger[symbols.errorKeySym]
  // Nested members can clash with nothing.
  const names = logger[symbols.nestedKeySym] ? nothing : parts.bindings.names(core)
  const members: Members = { text: '', strays: '', said: undefined, covered: undefined }
  let node = values.root
  let text = ''
  for (const key of hostileKeys(object)) {
    const { follower } = node
    node = follower !== undefined && follower.key === key ? follower : node.follow(key)
    let value = serialized(object, key, serializers, errorKey, trouble)
    if (value === undefined) continue
    if (key === errorKey) {
      members.covered = coveredTexts((object as Serialized)[key], values.stateAt(key), key)
      if (members.covered !== undefined) value = withCoveredStack(value, members.covered)
    }
    const part = values.member(value, node)
    if (part === undefined || node.name === messageKey) continue
    if (node.boundSeen !== names) {
      node.boundSeen = names
      node.clashes = names.has(node.name)
    }
    if (!node.clashes) text += node.next + part
    else if (core.has(node.name)) members.strays += node.next + part
    else {
      members.said = (members.said ?? new Set()).add(node.name)
      text += node.next + part
    }
  }
  members.text = text
  return members
}

type Serialized = Record<string, unknown>

const nothing: ReadonlySet<string> = new Set()

function formatted(logger: Instance, { trouble }: Parts, object: object): object {
  const { log } = logger[symbols.formattersSym]
  if (log === undefined) return object
  try {
    return log(object) ?? {}
  } catch (error) {
    // It may be what keeps a secret back: nothing of the object is said without it.
    return { formatterError: trouble.threw('formatters.log', error) }
  }
}

/** What a call says under the names of the record's own fields: it cannot say them a second time. */
function strays({ strays: members }: Members, { bindings }: Parts, object: object): string {
  let name = 'attributes'
  while (hasOwn.call(object, name) || bindings.has(name)) name = `_${name}`
  return `,${quoteJson(name)}:{${members.slice(1)}}`
}

function messageOf(
  logger: Instance,
  { values, trouble }: Parts,
  message: unknown,
  covered: readonly Covered[] | undefined,
): string {
  const node = values.message
  const serializers: Serializers = logger[symbols.serializersSym]
  const said =
    serializers[node.key] === undefined
      ? message
      : serialized({ [node.key]: message }, node.key, serializers, undefined, trouble)
  const safe = covered !== undefined && typeof said === 'string' ? coverText(said, covered) : said
  const text = values.said(typeof safe === 'symbol' ? String(safe) : safe)
  return text === undefined ? '' : node.next + text
}
