import { member } from '../../options/own-members.ts'
import { format } from './format.ts'
import { standardDestinationOrSelf } from '../shared/destination/standard-destination.ts'
import { stateSym, type AnyStream, type Instance, type LogMethod } from './instance.ts'
import { mapHttpRequest, mapHttpResponse } from './std-http.ts'
import { hooksSym, msgPrefixSym, streamSym, writeSym } from './symbols.ts'

export function noop(): void {}

/** Creates the log method of a level, which calls `hooks.logMethod`, if set. If the method is called without `this`, `owner` logs. */
export function createLogMethod(owner: Instance, level: number): LogMethod {
  const { logMethod: hook } = owner[hooksSym]
  const method: LogMethod = function LOG(first, ...rest) {
    const logger = this ?? owner
    // The most common calls: an object and a message without arguments, or only a message.
    if (rest.length === 1 && typeof first === 'object' && first !== null) logObject(logger, level, first, rest[0])
    else if (rest.length === 0 && typeof first === 'string') logger[writeSym](null, withPrefix(logger, first), level)
    else logArguments(logger, level, first, rest)
  }
  if (hook === undefined) return method
  return function (...args) {
    const logger = this ?? owner
    let isLogged = false
    const methodForHook: LogMethod = function LOG(...hookArgs) {
      isLogged = true
      method.apply(this ?? logger, hookArgs)
    }
    try {
      const result: unknown = hook.call(logger, args, methodForHook, level)
      logger[stateSym].hookFailures.observeIfPromise('hooks.logMethod', result)
    } catch (error) {
      logger[stateSym].hookFailures.reportThrow('hooks.logMethod', error)
      if (!isLogged) method.apply(logger, args)
    }
  }
}

/** Creates the method `fatal`, which also flushes synchronously before it returns. */
export function createFatalMethod(owner: Instance, level: number): LogMethod {
  const method = createLogMethod(owner, level)
  return function (...args) {
    const logger = this ?? owner
    method.apply(logger, args)
    try {
      const stream = standardDestinationOrSelf<AnyStream>(logger[streamSym])
      const result: unknown = member(stream, 'flushSync')?.call(stream)
      if (result !== undefined)
        logger[stateSym].hookFailures.observeIfPromise('stream.flushSync', result, linesNotFlushed)
    } catch {
      // As in pino, errors are ignored: a stream may throw because it is not open yet, or is closed.
    }
    try {
      logger[stateSym].recordSink?.flushSync()
    } catch {
      // The stack overflowed; the records remain in the queue.
    }
  }
}

const linesNotFlushed = 'lines may not be written yet'

/** Logs an object and a message without arguments. */
function logObject(logger: Instance, level: number, loggedObject: object, message: unknown): void {
  logger[writeSym](
    wrapHttpMessage(loggedObject),
    format(withPrefix(logger, message), noArguments, logger[stateSym].valueWriter),
    level,
  )
}

const noArguments: readonly unknown[] = []

/**
 * Logs any arguments. If the first one is an object or null, the message is the second; null alone is the message itself. Otherwise the
 * message is the first one, or the second if the first is undefined.
 */
function logArguments(logger: Instance, level: number, first: unknown, rest: unknown[]): void {
  const { valueWriter } = logger[stateSym]
  if (typeof first !== 'object') {
    const message = first === undefined ? rest.shift() : first
    logger[writeSym](null, format(withPrefix(logger, message), rest, valueWriter), level)
    return
  }
  if (first === null && rest.length === 0) {
    logger[writeSym](null, null, level)
    return
  }
  const message = withPrefix(logger, rest.shift())
  logger[writeSym](wrapHttpMessage(first), format(message, rest, valueWriter), level)
}

/** Returns a message with the logger's `msgPrefix`, if it has one. A message that is undefined or null is returned unchanged. */
function withPrefix(logger: Instance, message: unknown): unknown {
  const prefix = logger[msgPrefixSym]
  if (typeof prefix !== 'string' || message === undefined || message === null) return message
  try {
    const { valueWriter } = logger[stateSym]
    if (Array.isArray(message))
      return valueWriter.redactObjectText(prefix + (valueWriter.redactedListText(message) ?? String(message)))
    if (typeof message === 'object') return valueWriter.redactObjectText(prefix + (message as unknown as string))
    return prefix + (typeof message === 'symbol' ? String(message) : (message as string))
  } catch {
    return prefix // the object cannot be converted to text
  }
}

/** The members by which requests and responses are recognized. */
interface HttpMessage {
  readonly method?: unknown
  readonly headers?: unknown
  readonly socket?: unknown
  readonly setHeader?: unknown
}

/** Returns `{ req }` for a logged HTTP request, `{ res }` for a response, and any other object unchanged. */
function wrapHttpMessage(loggedObject: object | null): object | null {
  if (loggedObject === null) return null
  try {
    const object = loggedObject as HttpMessage
    if (member(object, 'method') && member(object, 'headers') && member(object, 'socket'))
      return mapHttpRequest(loggedObject)
    return typeof member(object, 'setHeader') === 'function' ? mapHttpResponse(loggedObject) : loggedObject
  } catch {
    return loggedObject // a getter or a proxy threw; a marker of the error is written instead of the member
  }
}
