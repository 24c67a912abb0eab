import { EventEmitter } from 'node:events'
import { callBack } from '../../options/observe-promise.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { flushCallback } from '../shared/flush-callback.ts'
import { bindings, child, setBindings } from './child.ts'
import { partsSym, type AnyStream, type Instance } from './instance.ts'
import { lineStream } from '../shared/destination/standard-destination.ts'
import { asJson } from './line.ts'
import { getLevel, isLevelEnabled, setLevel } from './set-level.ts'
import * as symbols from './symbols.ts'
import { version } from './version.ts'
import { write } from './write.ts'

/** The constructor, whose name is displayed when a logger is inspected. */
function Pino(): void {}

const methods = {
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
    return this[partsSym].values.json(value)
  },
}

// Without a prototype, so that members of Object.prototype are not used as traps.
const traps: ProxyHandler<EventEmitter> = ownCopy({
  get(target, key, receiver): unknown {
    if (typeof key === 'symbol' && key.description?.startsWith('pino.') === true) {
      const own = Symbol.for(key.description)
      if (own !== key) return Reflect.get(receiver as object, own, receiver)
    }
    return Reflect.get(target, key, receiver)
  },
} satisfies ProxyHandler<EventEmitter>)

/**
 * Resolves members by the descriptions of symbols. Libraries built on pino use the symbols of the copy of pino that they have loaded.
 */
const fallbackPrototype = new Proxy(EventEmitter.prototype, traps)

Object.setPrototypeOf(methods, fallbackPrototype)

/** Creates a logger without members of its own. */
export function emptyInstance(): Instance {
  return Object.create(methods) as Instance
}

/** Flushes the stream. The callback is called when that is done or has failed. */
function flush(this: Instance, callback?: (error?: Error) => void): void {
  if (callback !== undefined && callback !== null && typeof callback !== 'function') {
    throw Error('callback must be a function')
  }
  const stream = lineStream<AnyStream>(this[symbols.streamSym])
  const { records } = this[partsSym]
  const { hookFailures } = this[partsSym]
  const done = flushCallback(callback, hookFailures.reportDiagnostic)
  const flushStream = (): void => {
    const flush = member(stream, 'flush')
    if (typeof flush !== 'function') return done()
    callBack(flush.bind(stream), [done], (thrown) => {
      hookFailures.threw('stream.flush', thrown, 'lines may not be written yet')
      done(new Error('the stream could not be flushed'))
    })
  }
  if (records === undefined) flushStream()
  else void records.flush().then(flushStream)
}
