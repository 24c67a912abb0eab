import { EventEmitter } from 'node:events'
import { callUserCallback } from '../../options/observe-promise.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { wrapFlushCallback } from '../shared/flush-callback.ts'
import { bindings, child, setBindings } from './child.ts'
import { stateSym, type AnyStream, type Instance } from './instance.ts'
import { standardDestinationOrSelf } from '../shared/destination/standard-destination.ts'
import { asJson } from './line.ts'
import { getLevel, isLevelEnabled, setLevel } from './set-level.ts'
import * as symbols from './symbols.ts'
import { version } from './version.ts'
import { write } from './write.ts'

/** The constructor, whose name is displayed when a logger is inspected. */
function Pino(): void {}

/** The members that all loggers inherit. */
const loggerPrototype = {
  constructor: Pino,
  child,
  bindings,
  setBindings,
  flush,
  isLevelEnabled,
  version,
  get level(): string {
    return (this as unknown as Instance)[symbols.getLevelSym]()
  },
  set level(level: string) {
    ;(this as unknown as Instance)[symbols.setLevelSym](level)
  },
  get levelVal(): number {
    return (this as unknown as Instance)[symbols.levelValSym]
  },
  set levelVal(_: number) {
    throw Error('levelVal is read-only')
  },
  get msgPrefix(): string | undefined {
    return (this as unknown as Instance)[symbols.msgPrefixSym]
  },
  get [Symbol.toStringTag](): string {
    return 'Pino'
  },
  [symbols.writeSym]: write,
  [symbols.asJsonSym]: asJson,
  [symbols.getLevelSym]: getLevel,
  [symbols.setLevelSym]: setLevel,
  [symbols.stringifySym](this: Instance, value: unknown): string | undefined {
    return this[stateSym].valueWriter.unredactedJson(value)
  },
}

// Without a prototype, so that members of Object.prototype are not used as traps.
const traps: ProxyHandler<EventEmitter> = withoutPrototype({
  get(target, key, receiver): unknown {
    if (typeof key === 'symbol' && key.description?.startsWith('pino.') === true) {
      const registered = Symbol.for(key.description)
      if (registered !== key) return Reflect.get(receiver as object, registered, receiver)
    }
    return Reflect.get(target, key, receiver)
  },
} satisfies ProxyHandler<EventEmitter>)

/**
 * The prototype of `loggerPrototype`. Libraries built on pino use the symbols of the copy of pino that they have loaded, which registers
 * only some of them. A read with an unregistered symbol therefore returns the member under the registered symbol of the same description.
 */
const fallbackPrototype = new Proxy(EventEmitter.prototype, traps)

Object.setPrototypeOf(loggerPrototype, fallbackPrototype)

/** Creates a logger that has no own members yet. */
export function emptyInstance(): Instance {
  return Object.create(loggerPrototype) as Instance
}

/**
 * Flushes the exporters, then the stream. The callback is called when that is done or has failed.
 *
 * @throws Error for a callback that is not a function.
 */
function flush(this: Instance, callback?: (error?: Error) => void): void {
  if (callback !== undefined && callback !== null && typeof callback !== 'function') {
    throw Error('callback must be a function')
  }
  const stream = standardDestinationOrSelf<AnyStream>(this[symbols.streamSym])
  const { recordSink, hookFailures } = this[stateSym]
  const done = wrapFlushCallback(callback, hookFailures.reportDiagnostic)
  const flushStream = (): void => {
    const method = member(stream, 'flush')
    if (typeof method !== 'function') return done()
    callUserCallback(method.bind(stream), [done], (thrown) => {
      hookFailures.reportThrow('stream.flush', thrown, 'lines may not be written yet')
      done(new Error('the stream could not be flushed'))
    })
  }
  if (recordSink === undefined) flushStream()
  else void recordSink.flush().then(flushStream)
}
