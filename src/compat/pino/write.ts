import { member } from '../../options/own-members.ts'
import { quote } from '../../encode/json/quote.ts'
import { redactByteLists } from '../shared/listed-bytes.ts'
import { copyMembers } from '../shared/set-own.ts'
import { lineStream } from '../shared/destination/standard-destination.ts'
import { acceptsSeverity } from '../shared/severity-stream.ts'
import { lineNotWritten } from '../shared/hook-failures.ts'
import { isAnyError } from './std-error.ts'
import { partsSym, type AnyStream, type Instance, type RecordSink } from './instance.ts'
import { severityOf } from './levels.ts'
import { lineAndCall } from './log-call.ts'
import * as symbols from './symbols.ts'
import { checkedTime, epochTime } from './time.ts'
import { addMembers } from '../../options/define-member.ts'

/** Logs a call: writes its line to the stream, and emits a record for exporters. Never throws. */
export function write(this: Instance, given: unknown, message: unknown, level: number): void {
  const time = timeOf(this)
  const text = message === undefined ? impliedMessage(this, given) : message
  const object = applyMixin(this, objectOf(this, given), level)
  const { records } = this[partsSym]
  if (records === undefined) {
    deliver(this, lineOf(this, object, text, level, time), object, text, level, time)
    return
  }
  writeBoth(this, records, object, text, level, time)
}

/** Separate, so that calls without exporters do not create a closure. */
function writeBoth(
  logger: Instance,
  records: RecordSink,
  object: object,
  text: unknown,
  level: number,
  time: string,
): void {
  const { line, call } = lineAndCall(logger, () => lineOf(logger, object, text, level, time))
  deliver(logger, line, object, text, level, time)
  try {
    records.emit(level, logger.levels.labels[level], call)
  } catch (error) {
    logger[partsSym].hookFailures.threw('a logged value', error, 'the record was not exported')
  }
}

function lineOf(logger: Instance, object: object, text: unknown, level: number, time: string): string {
  try {
    return logger[symbols.asJsonSym](object, text, level, time)
  } catch (error) {
    // A subscriber of the diagnostics channel threw, or the stack overflowed.
    const marker = quote(logger[partsSym].hookFailures.threw('building the line', error, onlyLevelAndTime))
    return `{"level":${level}${time},"msg":${marker}${logger[symbols.endSym]}`
  }
}

const onlyLevelAndTime = 'only the level and the time of the record were logged'

function deliver(logger: Instance, line: string, object: object, text: unknown, level: number, time: string): void {
  try {
    const stream = logger[symbols.streamSym]
    if (stream[symbols.needsMetadataGsym] === true) setMetadata(logger, stream, object, text, level, time)
    const hook = logger[symbols.hooksSym].streamWrite
    const out = hook === undefined ? line : applyStreamWrite(logger, hook, line, level, time)
    const target = lineStream(stream)
    const result = acceptsSeverity(target) ? target.writeRecord(out, severityOf(level)) : target.write(out)
    if (typeof result === 'object') logger[partsSym].hookFailures.observe('stream.write', result, lineNotWritten)
  } catch (error) {
    logger[partsSym].hookFailures.threw('stream.write', error, lineNotWritten)
  }
}

/** Returns the object whose members are logged. An Error is logged as a member named by `errorKey`. */
function objectOf(logger: Instance, given: unknown): object {
  if (given === undefined || given === null) return {}
  if (isAnyError(given)) return { [logger[symbols.errorKeySym]]: given }
  return redactByteLists(given, logger[partsSym].values.patterns)
}

/** Returns the message of a call without one: that of its Error, unless the object has a message itself. */
function impliedMessage(logger: Instance, given: unknown): unknown {
  if (given === undefined || given === null) return undefined
  try {
    if (isAnyError(given)) return (given as Error).message
    const object = given as Record<string, unknown>
    if (member(object, logger[symbols.messageKeySym]) !== undefined) return undefined
    const error = member(object, logger[symbols.errorKeySym])
    return error ? member(Object(error) as Error, 'message') : undefined
  } catch {
    return undefined // a getter threw; the thrown marker is written with the member
  }
}

function applyMixin(logger: Instance, object: object, level: number): object {
  const mixin = logger[symbols.mixinSym]
  if (mixin === undefined || mixin === null) return object
  const { hookFailures } = logger[partsSym]
  try {
    const more = mixin(object, level, logger)
    if (hookFailures.observe('mixin', more)) return object
    const merge = logger[symbols.mixinMergeStrategySym]
    // Merge into a copy, because a mixin may return the same object each time.
    if (!merge) return copyMembers(copyMembers({}, more, hookFailures), object, hookFailures)
    const merged = merge(object, more)
    return hookFailures.observe('mixinMergeStrategy', merged) ? object : merged
  } catch (error) {
    hookFailures.threw('mixin', error)
    return object
  }
}

function timeOf(logger: Instance): string {
  const time = logger[symbols.timeSym]
  const { onlyStandardTime, hookFailures, values } = logger[partsSym]
  if (onlyStandardTime) return time()
  try {
    const text: unknown = time()
    hookFailures.observe('timestamp', text)
    return checkedTime(text, values.patterns)
  } catch (error) {
    hookFailures.threw('timestamp', error)
    return epochTime()
  }
}

/** Sets the metadata of the next line on a stream that requests it. */
function setMetadata(
  logger: Instance,
  stream: AnyStream,
  object: object,
  text: unknown,
  level: number,
  time: string,
): void {
  const lastTime = time.slice(logger[symbols.timeSliceIndexSym])
  if (isMetadataPolluted()) {
    addMembers(stream, { lastLevel: level, lastObj: object, lastMsg: text, lastTime, lastLogger: logger })
    return
  }
  stream.lastLevel = level
  stream.lastObj = object
  stream.lastMsg = text
  stream.lastTime = lastTime
  stream.lastLogger = logger
}

const empty = {}

/** Returns whether assigning these members would call a setter of a polluted `Object.prototype`, or fail. */
function isMetadataPolluted(): boolean {
  const hasOne = 'lastLevel' in empty || 'lastObj' in empty || 'lastMsg' in empty
  return hasOne || 'lastTime' in empty || 'lastLogger' in empty
}

function applyStreamWrite(
  logger: Instance,
  hook: (line: string) => string,
  line: string,
  level: number,
  time: string,
): string {
  try {
    const out = hook(line)
    if (logger[partsSym].hookFailures.observe('hooks.streamWrite', out, onlyLevelAndTime))
      throw new TypeError('a promise is no line')
    return out
  } catch (error) {
    // The hook may redact the line, so the line is not written without it.
    const marker = logger[partsSym].hookFailures.threw('hooks.streamWrite', error, onlyLevelAndTime)
    return `{"level":${level}${time},"msg":${quote(marker)}${logger[symbols.endSym]}`
  }
}
