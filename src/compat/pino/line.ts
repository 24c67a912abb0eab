import { tracingChannel } from 'node:diagnostics_channel'
import { flat } from '../../encode/json/quote.ts'
import type { ShapeNode } from '../../encode/walk/shapes.ts'
import { redactParts, type RedactedParts } from '../../values/stacktrace.ts'
import { hostileKeys } from '../shared/own-members.ts'
import { redactedTextsOf, withRedactedStack } from '../shared/redacted-error.ts'
import { partsSym, type Instance, type Lead, type Parts } from './instance.ts'
import { boundText } from './bindings.ts'
import { addMember } from './record-members.ts'
import { logCallFor } from './log-call.ts'
import { serialized, type Serializers } from './serialized.ts'
import * as symbols from './symbols.ts'

const channel = tracingChannel('pino_asJson')
/** What is told of a call that returns or throws: asking the channel would ask for those of promises as well. */
const { start, end, error } = channel

/** A record as a line. Whoever subscribes to the diagnostics channel `tracing:pino_asJson` sees what it is made of. */
export function asJson(this: Instance, object: object, message: unknown, level: number, time: string): string {
  const isHeard = start.hasSubscribers || end.hasSubscribers || error.hasSubscribers
  return isHeard ? told(this, [object, message, level, time]) : line(this, object, message, level, time)
}

/** Apart, since a closure would cost each call that needs none. */
function told(logger: Instance, args: readonly [object, unknown, number, string]): string {
  return channel.traceSync(() => line(logger, ...args), { instance: logger, arguments: args })
}

/** What the members of a record's object came to. */
interface Members {
  text: string
  /** Members that would say a field of the record a second time. */
  strays: [string, unknown][] | undefined
  /** Keys that are bound as well, or have a name that is bound. */
  clashing: Set<string> | undefined
  /** The last member. */
  last: ShapeNode
  covered: readonly RedactedParts[] | undefined
}

const hasOwn = Object.prototype.hasOwnProperty

function line(logger: Instance, object: object, message: unknown, level: number, time: string): string {
  const parts = logger[partsSym]
  const key = logger[symbols.messageKeySym]
  const nestedKey = logger[symbols.nestedKeySym]
  // A function says nothing, unless a serializer makes something of it. That is asked for before the members, since
  // what comes of it decides whether a member of its name is said.
  const isFunction = typeof message === 'function'
  const made = isFunction ? madeOf(logger, parts, message) : message
  const isSaid = made !== undefined && typeof made !== 'function'
  const members = membersOf(logger, parts, object, isSaid && !nestedKey ? key : undefined)
  const msg = !isSaid ? '' : messageOf(logger, parts, isFunction ? made : madeOf(logger, parts, made), members.covered)
  let { clashing } = members
  if (msg !== '' && parts.bindings.has(key)) clashing = (clashing ?? new Set()).add(key)
  let text = members.text
  if (nestedKey && text !== '') {
    text = parts.values.object(nestedKey, text.slice(1))
    if (parts.bindings.has(nestedKey)) clashing = (clashing ?? new Set()).add(nestedKey)
  }
  if (members.strays !== undefined) text += parts.values.moved(strayName(parts, object), members.strays)
  const lead = leadOf(logger, parts, level, time)
  const begin =
    clashing === undefined
      ? lead.text
      : headOf(logger, level) + time + boundText(parts, clashing, nestedKey ? undefined : members.last)
  const line = begin + text + msg + logger[symbols.endSym]
  return lead.isBare ? line.replace('{,', '{') : line
}

function leadOf(logger: Instance, { lead }: Parts, level: number, time: string): Lead {
  if (lead.level !== level || lead.time !== time) {
    const head = headOf(logger, level)
    lead.level = level
    lead.time = time
    lead.text = flat(head + time + logger[symbols.chindingsSym])
    lead.isBare = head === '{'
  }
  return lead
}

function headOf(logger: Instance, level: number): string {
  return logger[symbols.lsCacheSym][level] ?? `{"level":${level}`
}

function membersOf(logger: Instance, parts: Parts, given: object, messageKey: string | undefined): Members {
  const { values, hookFailures, core } = parts
  const object = formatted(logger, parts, given)
  const serializers = logger[symbols.serializersSym]
  const errorKey = logger[symbols.errorKeySym]
  const call = logCallFor(logger)
  // Nested members can clash with nothing.
  const names = logger[symbols.nestedKeySym] ? nothing : parts.bindings.names(core)
  let node = values.members
  const members: Members = { text: '', strays: undefined, clashing: undefined, last: node, covered: undefined }
  let text = ''
  try {
    // Its list of names would be one object more for each call.
    for (const key in object) {
      if (!hasOwn.call(object, key)) continue
      const { follower } = node
      node = follower !== undefined && follower.key === key ? follower : node.follow(key)
      let value = serialized(object, key, serializers, errorKey, hookFailures)
      if (value === undefined) continue
      const covered = redactedTextsOf(object, key, node.state)
      if (covered !== undefined) {
        value = withRedactedStack(value, covered)
        if (key === errorKey) members.covered = covered
      }
      const part = values.member(value, node)
      if (part === undefined || key === messageKey) continue
      if (call !== undefined) addMember(call, key, value, object, { serializers, errorKey })
      if (node.boundSeen !== names) {
        node.boundSeen = names
        node.clashes = names !== nothing && (names.has(node.name) || parts.bindings.has(key))
      }
      if (!node.clashes && node.name !== messageKey) text += node.next + part
      else if (core.has(node.name) || node.name === messageKey) (members.strays ??= []).push([key, value])
      else {
        members.clashing = (members.clashing ?? new Set()).add(key)
        text += node.next + part
      }
    }
  } catch (error) {
    // A proxy that does not say what it has, has nothing to say.
    if (hostileKeys(object).length > 0) throw error
  }
  members.text = text
  members.last = node
  return members
}

const nothing: ReadonlySet<string> = new Set()

const noMembers = 'the members of the object are not in the line'

function formatted(logger: Instance, { hookFailures }: Parts, object: object): object {
  const { log } = logger[symbols.formattersSym]
  if (log === undefined) return object
  try {
    const formatted = log(object) ?? {}
    hookFailures.observe('formatters.log', formatted, noMembers)
    return formatted
  } catch (error) {
    // It may be what keeps a secret back: nothing of the object is said without it.
    return { formatterError: hookFailures.threw('formatters.log', error, noMembers) }
  }
}

/** The name of the object for members that have a name of the record's own fields: a line has each name once. */
function strayName({ bindings }: Parts, object: object): string {
  let name = 'attributes'
  while (hasOwn.call(object, name) || bindings.has(name)) name = `_${name}`
  return name
}

/** A message behind the serializer of its name. */
function madeOf(logger: Instance, { values, hookFailures }: Parts, message: unknown): unknown {
  const { key } = values.message
  const serializers: Serializers = logger[symbols.serializersSym]
  return serializers[key] === undefined
    ? message
    : serialized({ [key]: message }, key, serializers, undefined, hookFailures)
}

function messageOf(
  logger: Instance,
  { values }: Parts,
  made: unknown,
  covered: readonly RedactedParts[] | undefined,
): string {
  const node = values.message
  const safe = covered !== undefined && typeof made === 'string' ? redactParts(made, covered) : made
  const shown = typeof safe === 'symbol' ? String(safe) : safe
  const text = values.said(shown)
  const call = logCallFor(logger)
  if (call !== undefined && safe !== null) call.message = typeof shown === 'string' ? shown : text
  return text === undefined ? '' : node.next + text
}
