import { isAnyError } from './std-error.ts'
import { partsSym, type AnyStream, type Instance } from './instance.ts'
import { severityOf } from './severity.ts'
import * as symbols from './symbols.ts'
import { epochTime } from './time.ts'

/** Makes a record of what a call said, and hands its line to the stream. Never throws. */
export function write(this: Instance, given: unknown, message: unknown, level: number): void {
  const time = timeOf(this)
  const [said, text] = fields(this, given, message)
  const object = mixed(this, said, level)
  const { trouble, records } = this[partsSym]
  let line: string
  try {
    line = this[symbols.asJsonSym](object, text, level, time)
  } catch (error) {
    // A subscriber of the diagnostics channel, or a stack that was too short.
    const marker = JSON.stringify(trouble.threw('what makes the line', error))
    line = `{"level":${level}${time},"msg":${marker}${this[symbols.endSym]}`
  }
  try {
    hand(this, this[symbols.streamSym], { object, text, level, time, line })
  } catch (error) {
    trouble.threw('stream.write', error)
  }
  try {
    records?.emit(level, this.levels.labels[level], object, text)
  } catch (error) {
    trouble.threw('what is logged', error)
  }
}

/** The object and the message of a call: an Error is the member of that name, and says the message where nobody else does. */
function fields(logger: Instance, given: unknown, message: unknown): [object, unknown] {
  if (given === undefined || given === null) return [{}, message]
  const errorKey = logger[symbols.errorKeySym]
  try {
    if (isAnyError(given)) return [{ [errorKey]: given }, message === undefined ? (given as Error).message : message]
    const object = given as Record<string, unknown>
    if (message !== undefined || object[logger[symbols.messageKeySym]] !== undefined) return [object, message]
    const error = object[errorKey]
    return [object, error ? (error as Error).message : message]
  } catch {
    return [given, message] // a getter: it is marked where it is written
  }
}

function mixed(logger: Instance, object: object, level: number): object {
  const mixin = logger[symbols.mixinSym]
  if (mixin === undefined || mixin === null) return object
  try {
    const more = mixin(object, level, logger)
    const merge = logger[symbols.mixinMergeStrategySym]
    // Not into what the mixin returned: it may be one object each time.
    return merge ? merge(object, more) : Object.assign({}, more, object)
  } catch (error) {
    logger[partsSym].trouble.threw('mixin', error)
    return object
  }
}

function timeOf(logger: Instance): string {
  const time = logger[symbols.timeSym]
  const { onlyStandardTime, trouble } = logger[partsSym]
  if (onlyStandardTime) return time()
  try {
    const text: string = time()
    JSON.parse(`{"a":0${text}}`)
    return text
  } catch (error) {
    trouble.threw('timestamp', error)
    return epochTime()
  }
}

interface Said {
  readonly object: object
  readonly text: unknown
  readonly level: number
  readonly time: string
  readonly line: string
}

function hand(logger: Instance, stream: AnyStream, { object, text, level, time, line }: Said): void {
  if (stream[symbols.needsMetadataGsym] === true) {
    stream.lastLevel = level
    stream.lastObj = object
    stream.lastMsg = text
    stream.lastTime = time.slice(logger[symbols.timeSliceIndexSym])
    stream.lastLogger = logger
  }
  const hook = logger[symbols.hooksSym].streamWrite
  const out = hook === undefined ? line : hooked(logger, hook, line, level, time)
  if (stream.writeRecord === undefined) stream.write(out)
  else stream.writeRecord(out, severityOf(level))
}

function hooked(logger: Instance, hook: (line: string) => string, line: string, level: number, time: string): string {
  try {
    return hook(line)
  } catch (error) {
    // It may be what keeps a secret back: the line is not written without it.
    const marker = logger[partsSym].trouble.threw('hooks.streamWrite', error)
    return `{"level":${level}${time},"msg":${JSON.stringify(marker)}${logger[symbols.endSym]}`
  }
}
