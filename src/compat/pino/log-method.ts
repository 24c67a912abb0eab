import { member } from '../../options/own-members.ts'
import { format } from './format.ts'
import { lineStream } from '../shared/destination/standard-destination.ts'
import { partsSym, type AnyStream, type Instance, type LogMethod } from './instance.ts'
import { mapHttpRequest, mapHttpResponse } from './std-http.ts'
import { hooksSym, msgPrefixSym, streamSym, writeSym } from './symbols.ts'

export function noop(): void {}

/** Creates the log method of a level. Called without `this`, it logs with `owner`. */
export function logMethod(owner: Instance, level: number): LogMethod {
  const { logMethod: hook } = owner[hooksSym]
  const method: LogMethod = function LOG(first, ...rest) {
    const logger = this ?? owner
    // The most common calls: an object and a message without arguments, or only a message.
    if (rest.length === 1 && typeof first === 'object' && first !== null) object(logger, level, first, rest[0])
    else if (rest.length === 0 && typeof first === 'string') logger[writeSym](null, prefixed(logger, first), level)
    else log(logger, level, first, rest)
  }
  if (hook === undefined) return method
  return function (...args) {
    const logger = this ?? owner
    let called = false
    const counted: LogMethod = function LOG(...given) {
      called = true
      method.apply(this ?? logger, given)
    }
    try {
      const result: unknown = hook.call(logger, args, counted, level)
      logger[partsSym].hookFailures.observe('hooks.logMethod', result)
    } catch (error) {
      logger[partsSym].hookFailures.threw('hooks.logMethod', error)
      if (!called) method.apply(logger, args)
    }
  }
}

/** Creates the method `fatal`, which also flushes synchronously before it returns. */
export function fatalMethod(owner: Instance, level: number): LogMethod {
  const method = logMethod(owner, level)
  return function (...args) {
    const logger = this ?? owner
    method.apply(logger, args)
    try {
      const stream = lineStream<AnyStream>(logger[streamSym])
      const result: unknown = member(stream, 'flushSync')?.call(stream)
      if (result !== undefined) logger[partsSym].hookFailures.observe('stream.flushSync', result, unflushed)
      logger[partsSym].records?.flushSync()
    } catch {
      // The stream is not open yet. It is flushed when the process exits.
    }
  }
}

const unflushed = 'lines may not be written yet'

function object(logger: Instance, level: number, given: object, message: unknown): void {
  logger[writeSym](httpObject(given), format(prefixed(logger, message), none, logger[partsSym].values), level)
}

const none: readonly unknown[] = []

function log(logger: Instance, level: number, first: unknown, rest: unknown[]): void {
  const { values } = logger[partsSym]
  if (typeof first !== 'object') {
    const message = first === undefined ? rest.shift() : first
    logger[writeSym](null, format(prefixed(logger, message), rest, values), level)
    return
  }
  if (first === null && rest.length === 0) {
    logger[writeSym](null, null, level)
    return
  }
  const message = prefixed(logger, rest.shift())
  logger[writeSym](httpObject(first), format(message, rest, values), level)
}

function prefixed(logger: Instance, message: unknown): unknown {
  const prefix = logger[msgPrefixSym]
  if (typeof prefix !== 'string' || message === undefined || message === null) return message
  try {
    const { values } = logger[partsSym]
    if (Array.isArray(message)) return values.masked(prefix + (values.listed(message) ?? String(message)))
    if (typeof message === 'object') return values.masked(prefix + (message as unknown as string))
    return prefix + (typeof message === 'symbol' ? String(message) : (message as string))
  } catch {
    return prefix // the object cannot be converted to text
  }
}

interface HttpMessage {
  readonly method?: unknown
  readonly headers?: unknown
  readonly socket?: unknown
  readonly setHeader?: unknown
}

/** Wraps a request or a response that was passed alone as the member `req` or `res`. */
function httpObject(given: object | null): object | null {
  if (given === null) return null
  try {
    const object = given as HttpMessage
    if (member(object, 'method') && member(object, 'headers') && member(object, 'socket')) return mapHttpRequest(given)
    return typeof member(object, 'setHeader') === 'function' ? mapHttpResponse(given) : given
  } catch {
    return given // a getter or a proxy threw; the thrown marker is written with the member
  }
}
