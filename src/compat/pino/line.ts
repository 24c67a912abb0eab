import { tracingChannel } from 'node:diagnostics_channel'
import { flattenString } from '../../encode/json/quote.ts'
import type { ShapeNode } from '../../encode/walk/shapes.ts'
import { replaceRedactedTexts, type RedactedText } from '../../values/stacktrace.ts'
import { safeKeys } from '../shared/copy-members.ts'
import { errorMessageReplacementsOfMember, withRedactedStack } from '../shared/redacted-error.ts'
import { stateSym, type Instance, type CachedLineStart, type LoggerState } from './instance.ts'
import { boundText, namesUpTo } from './bindings.ts'
import { addRecordMember } from './record-members.ts'
import { contentToExport } from './record-content.ts'
import { serializeMember, type Serializers } from './serializers.ts'
import * as symbols from './symbols.ts'

const channel = tracingChannel('pino_asJson')
/** The channels of synchronous calls. `channel.hasSubscribers` would also check those for promises. */
const { start: startChannel, end: endChannel, error: errorChannel } = channel

/** Formats a record as a line, and publishes the call to the diagnostics channel `tracing:pino_asJson`. */
export function asJson(this: Instance, object: object, message: unknown, level: number, time: string): string {
  const isTraced = startChannel.hasSubscribers || endChannel.hasSubscribers || errorChannel.hasSubscribers
  return isTraced ? tracedLine(this, [object, message, level, time]) : buildLine(this, object, message, level, time)
}

/**
 * Builds a line, and publishes the call to the diagnostics channel. A separate function, so that calls without subscribers do not create
 * a closure.
 */
function tracedLine(logger: Instance, args: readonly [object, unknown, number, string]): string {
  return channel.traceSync(() => buildLine(logger, ...args), { instance: logger, arguments: args })
}

/** The rendered members of a logged object. */
interface RenderedMembers {
  text: string
  /** Keys and values of the members with the name of the level, the time or the message, which are nested in another member. */
  reservedMembers: [string, unknown][] | undefined
  /** Keys of the call that are also bound, or are written under the name of a binding. */
  clashingKeys: Set<string> | undefined
  /** Shape of the last member. */
  lastShape: ShapeNode
  /** The error messages that a rule for `errorKey` redacts, with their replacements; undefined without such a rule or member. */
  messageReplacements: readonly RedactedText[] | undefined
}

const hasOwn = Object.prototype.hasOwnProperty

function buildLine(logger: Instance, object: object, message: unknown, level: number, time: string): string {
  const state = logger[stateSym]
  const messageKey = logger[symbols.messageKeySym]
  const nestedKey = logger[symbols.nestedKeySym]
  // A function is not a message, unless the serializer of the message returns another value for it. That serializer is called before the
  // members are read, because its result determines whether a member with the message key is written.
  const isFunction = typeof message === 'function'
  const messageValue = isFunction ? serializeMessage(logger, state, message) : message
  const hasMessage = messageValue !== undefined && typeof messageValue !== 'function'
  const members = renderMembers(logger, state, object, hasMessage && !nestedKey ? messageKey : undefined)
  const messageText = !hasMessage
    ? ''
    : renderMessage(
        logger,
        state,
        isFunction ? messageValue : serializeMessage(logger, state, messageValue),
        members.messageReplacements,
      )
  let { clashingKeys } = members
  if (messageText !== '' && state.bindings.has(messageKey)) clashingKeys = (clashingKeys ?? new Set()).add(messageKey)
  let text = members.text
  if (nestedKey && text !== '') {
    text = state.valueWriter.objectMember(nestedKey, text.slice(1))
    if (state.bindings.has(nestedKey)) clashingKeys = (clashingKeys ?? new Set()).add(nestedKey)
  }
  if (members.reservedMembers !== undefined)
    text += state.valueWriter.nestedMembers(nestingName(state, members.lastShape), members.reservedMembers)
  const cached = lineStartFor(logger, state, level, time)
  const beginning =
    clashingKeys === undefined
      ? cached.text
      : lineStart(logger, level) + time + boundText(state, clashingKeys, nestedKey ? undefined : members.lastShape)
  const line = beginning + text + messageText + logger[symbols.endSym]
  return cached.omitsLevel ? line.replace('{,', '{') : line
}

/** Returns the cached beginning of lines with this level and time, after updating it if necessary. */
function lineStartFor(
  logger: Instance,
  { cachedLineStart }: LoggerState,
  level: number,
  time: string,
): CachedLineStart {
  if (cachedLineStart.level !== level || cachedLineStart.time !== time) {
    const start = lineStart(logger, level)
    cachedLineStart.level = level
    cachedLineStart.time = time
    cachedLineStart.text = flattenString(start + time + logger[symbols.chindingsSym])
    cachedLineStart.omitsLevel = start === '{'
  }
  return cachedLineStart
}

/** Returns the beginning of a line before the time, such as `{"level":30`. */
function lineStart(logger: Instance, level: number): string {
  return logger[symbols.lsCacheSym][level] ?? `{"level":${level}`
}

/**
 * Renders the members of a logged object, and adds them to the content of the record if it is exported.
 *
 * @param messageKey - the key of the message: a member with that key is not written; undefined without a message, or if the members are
 *   nested in another member
 */
function renderMembers(
  logger: Instance,
  state: LoggerState,
  loggedObject: object,
  messageKey: string | undefined,
): RenderedMembers {
  const { valueWriter, hookFailures, namesBeforeBindings } = state
  const object = formatObject(logger, state, loggedObject)
  const serializers = logger[symbols.serializersSym]
  const errorKey = logger[symbols.errorKeySym]
  const content = contentToExport(logger)
  // Nested members cannot conflict with other names.
  const takenNames = logger[symbols.nestedKeySym] ? noNames : state.bindings.takenNames(namesBeforeBindings)
  let node = valueWriter.callShapes
  const rendered: RenderedMembers = {
    text: '',
    reservedMembers: undefined,
    clashingKeys: undefined,
    lastShape: node,
    messageReplacements: undefined,
  }
  let text = ''
  try {
    // Unlike Object.keys, for...in allocates no array on each call.
    for (const key in object) {
      if (!hasOwn.call(object, key)) continue
      const { recentNextNode } = node
      node = recentNextNode !== undefined && recentNextNode.key === key ? recentNextNode : node.follow(key)
      let value = serializeMember(object, key, serializers, errorKey, hookFailures)
      if (value === undefined) continue
      const messageReplacements = errorMessageReplacementsOfMember(object, key, node.redactState)
      if (messageReplacements !== undefined) {
        value = withRedactedStack(value, messageReplacements)
        if (key === errorKey) rendered.messageReplacements = messageReplacements
      }
      const valueText = valueWriter.memberJson(value, node)
      if (valueText === undefined || key === messageKey) continue
      if (content !== undefined) addRecordMember(content, key, value, object, { serializers, errorKey })
      if (node.checkedBoundNames !== takenNames) {
        node.checkedBoundNames = takenNames
        node.clashesWithBound = takenNames !== noNames && (takenNames.has(node.name) || state.bindings.has(key))
      }
      if (!node.clashesWithBound && node.name !== messageKey) text += node.nextPrefix + valueText
      else if (namesBeforeBindings.has(node.name) || node.name === messageKey)
        (rendered.reservedMembers ??= []).push([key, value])
      else {
        rendered.clashingKeys = (rendered.clashingKeys ?? new Set()).add(key)
        text += node.nextPrefix + valueText
      }
    }
  } catch (error) {
    // An object whose keys cannot be read, such as a revoked proxy, is logged without members.
    if (safeKeys(object).length > 0) throw error
  }
  rendered.text = text
  rendered.lastShape = node
  return rendered
}

const noNames: ReadonlySet<string> = new Set()

const membersNotLogged = 'the members of the object are not in the line'

/** Applies `formatters.log`. */
function formatObject(logger: Instance, { hookFailures }: LoggerState, object: object): object {
  const { log } = logger[symbols.formattersSym]
  if (log === undefined) return object
  try {
    const formatted = log(object) ?? {}
    hookFailures.observeIfPromise('formatters.log', formatted, membersNotLogged)
    return formatted
  } catch (error) {
    // The formatter may redact the object, so without it no members are logged.
    return { formatterError: hookFailures.reportThrow('formatters.log', error, membersNotLogged) }
  }
}

/** Returns an unused name for the member that contains the reserved members, because each name appears once in a line. */
function nestingName({ valueWriter, bindings, namesBeforeBindings }: LoggerState, lastShape: ShapeNode): string {
  const callNames = new Set(namesUpTo(lastShape))
  const boundNames = bindings.takenNames(namesBeforeBindings)
  return valueWriter.nestingName((name) => callNames.has(name) || boundNames.has(name))
}

/** Applies the serializer of the message, if there is one. */
function serializeMessage(logger: Instance, { valueWriter, hookFailures }: LoggerState, message: unknown): unknown {
  const { key } = valueWriter.messageShape
  const serializers: Serializers = logger[symbols.serializersSym]
  return serializers[key] === undefined
    ? message
    : serializeMember({ [key]: message }, key, serializers, undefined, hookFailures)
}

/**
 * Returns the member of the message with its leading comma; an empty string if it has no JSON or a rule removes it. Adds the message to
 * the content of the record if it is exported.
 */
function renderMessage(
  logger: Instance,
  { valueWriter }: LoggerState,
  message: unknown,
  messageReplacements: readonly RedactedText[] | undefined,
): string {
  const node = valueWriter.messageShape
  const redactedMessage =
    messageReplacements !== undefined && typeof message === 'string'
      ? replaceRedactedTexts(message, messageReplacements)
      : message
  const writableMessage = typeof redactedMessage === 'symbol' ? String(redactedMessage) : redactedMessage
  const json = valueWriter.messageJson(writableMessage)
  const content = contentToExport(logger)
  if (content !== undefined && redactedMessage !== null)
    content.message = typeof writableMessage === 'string' ? writableMessage : json
  return json === undefined ? '' : node.nextPrefix + json
}
