import { tracingChannel } from 'node:diagnostics_channel'
import { flat } from '../../encode/json/quote.ts'
import type { ShapeNode } from '../../encode/walk/shapes.ts'
import { redactParts, type RedactedParts } from '../../values/stacktrace.ts'
import { hostileKeys } from '../shared/set-own.ts'
import { redactedTextsOf, withRedactedStack } from '../shared/redacted-error.ts'
import { partsSym, type Instance, type CachedPrefix, type Parts } from './instance.ts'
import { boundText } from './bindings.ts'
import { addMember } from './record-members.ts'
import { logCallFor } from './log-call.ts'
import { serialized, type Serializers } from './serialized.ts'
import * as symbols from './symbols.ts'

const channel = tracingChannel('pino_asJson')
/** The channels of synchronous calls. `channel.hasSubscribers` would also check those for promises. */
const { start, end, error } = channel

/** Formats a record as a line, and publishes the call to the diagnostics channel `tracing:pino_asJson`. */
export function asJson(this: Instance, object: object, message: unknown, level: number, time: string): string {
  const isTraced = start.hasSubscribers || end.hasSubscribers || error.hasSubscribers
  return isTraced ? tracedLine(this, [object, message, level, time]) : line(this, object, message, level, time)
}

/** Separate, so that calls without subscribers do not create a closure. */
function tracedLine(logger: Instance, args: readonly [object, unknown, number, string]): string {
  return channel.traceSync(() => line(logger, ...args), { instance: logger, arguments: args })
}

/** The rendered members of a record's object. */
interface Members {
  text: string
  /** Members whose names are reserved for fields of the record. */
  reserved: [string, unknown][] | undefined
  /** Keys that are also bound, or have the same name as a binding. */
  clashing: Set<string> | undefined
  /** Shape of the last member. */
  last: ShapeNode
  redactedParts: readonly RedactedParts[] | undefined
}

const hasOwn = Object.prototype.hasOwnProperty

function line(logger: Instance, object: object, message: unknown, level: number, time: string): string {
  const parts = logger[partsSym]
  const key = logger[symbols.messageKeySym]
  const nestedKey = logger[symbols.nestedKeySym]
  // A function is not a message, unless a serializer returns one for it. The serializer runs before the members are
  // read, because its result determines whether a member with the message key is written.
  const isFunction = typeof message === 'function'
  const value = isFunction ? serializeMessage(logger, parts, message) : message
  const hasMessage = value !== undefined && typeof value !== 'function'
  const members = membersOf(logger, parts, object, hasMessage && !nestedKey ? key : undefined)
  const msg = !hasMessage
    ? ''
    : messageOf(logger, parts, isFunction ? value : serializeMessage(logger, parts, value), members.redactedParts)
  let { clashing } = members
  if (msg !== '' && parts.bindings.has(key)) clashing = (clashing ?? new Set()).add(key)
  let text = members.text
  if (nestedKey && text !== '') {
    text = parts.values.object(nestedKey, text.slice(1))
    if (parts.bindings.has(nestedKey)) clashing = (clashing ?? new Set()).add(nestedKey)
  }
  if (members.reserved !== undefined) text += parts.values.moved(unusedName(parts, object), members.reserved)
  const lead = leadOf(logger, parts, level, time)
  const begin =
    clashing === undefined
      ? lead.text
      : headOf(logger, level) + time + boundText(parts, clashing, nestedKey ? undefined : members.last)
  const line = begin + text + msg + logger[symbols.endSym]
  return lead.isBare ? line.replace('{,', '{') : line
}

function leadOf(logger: Instance, { lead }: Parts, level: number, time: string): CachedPrefix {
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
  // Nested members cannot conflict with other names.
  const names = logger[symbols.nestedKeySym] ? nothing : parts.bindings.names(core)
  let node = values.members
  const members: Members = { text: '', reserved: undefined, clashing: undefined, last: node, redactedParts: undefined }
  let text = ''
  try {
    // Unlike Object.keys, for...in allocates no array on each call.
    for (const key in object) {
      if (!hasOwn.call(object, key)) continue
      const { nextShape } = node
      node = nextShape !== undefined && nextShape.key === key ? nextShape : node.follow(key)
      let value = serialized(object, key, serializers, errorKey, hookFailures)
      if (value === undefined) continue
      const redactedParts = redactedTextsOf(object, key, node.state)
      if (redactedParts !== undefined) {
        value = withRedactedStack(value, redactedParts)
        if (key === errorKey) members.redactedParts = redactedParts
      }
      const part = values.member(value, node)
      if (part === undefined || key === messageKey) continue
      if (call !== undefined) addMember(call, key, value, object, { serializers, errorKey })
      if (node.boundSeen !== names) {
        node.boundSeen = names
        node.clashes = names !== nothing && (names.has(node.name) || parts.bindings.has(key))
      }
      if (!node.clashes && node.name !== messageKey) text += node.next + part
      else if (core.has(node.name) || node.name === messageKey) (members.reserved ??= []).push([key, value])
      else {
        members.clashing = (members.clashing ?? new Set()).add(key)
        text += node.next + part
      }
    }
  } catch (error) {
    // A proxy whose keys cannot be read has no members.
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
    // The formatter may redact the object, so without it no members are logged.
    return { formatterError: hookFailures.threw('formatters.log', error, noMembers) }
  }
}

/** Returns a free name for the object that contains members with reserved names: each name appears once in a line. */
function unusedName({ bindings }: Parts, object: object): string {
  let name = 'attributes'
  while (hasOwn.call(object, name) || bindings.has(name)) name = `_${name}`
  return name
}

/** Applies the serializer of the message, if there is one. */
function serializeMessage(logger: Instance, { values, hookFailures }: Parts, message: unknown): unknown {
  const { key } = values.message
  const serializers: Serializers = logger[symbols.serializersSym]
  return serializers[key] === undefined
    ? message
    : serialized({ [key]: message }, key, serializers, undefined, hookFailures)
}

function messageOf(
  logger: Instance,
  { values }: Parts,
  value: unknown,
  redactedParts: readonly RedactedParts[] | undefined,
): string {
  const node = values.message
  const safe = redactedParts !== undefined && typeof value === 'string' ? redactParts(value, redactedParts) : value
  const shown = typeof safe === 'symbol' ? String(safe) : safe
  const text = values.messageText(shown)
  const call = logCallFor(logger)
  if (call !== undefined && safe !== null) call.message = typeof shown === 'string' ? shown : text
  return text === undefined ? '' : node.next + text
}
