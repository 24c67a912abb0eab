import { member } from '../../options/own-members.ts'
import { quote } from '../../encode/json/quote.ts'
import { redactIfByteList } from '../shared/listed-bytes.ts'
import { copyMembers } from '../shared/copy-members.ts'
import { standardDestinationOrSelf } from '../shared/destination/standard-destination.ts'
import { isStreamOfThisPackage } from '../shared/severity-stream.ts'
import { lineNotWritten } from '../shared/hook-failures.ts'
import { isErrorFast } from './std-error.ts'
import { stateSym, type AnyStream, type Instance, type RecordSink } from './instance.ts'
import { severityOf } from './levels.ts'
import { buildLineAndContent } from './record-content.ts'
import * as symbols from './symbols.ts'
import { checkTime, epochTime } from './time.ts'
import { addMembers } from '../../options/define-member.ts'

/** Logs a call: writes its line to the stream, and exports its record if the logger has exporters. */
export function write(this: Instance, loggedValue: unknown, givenMessage: unknown, level: number): void {
  const time = timeOf(this)
  const message = givenMessage === undefined ? impliedMessage(this, loggedValue) : givenMessage
  const object = applyMixin(this, objectOf(this, loggedValue), level)
  const { recordSink } = this[stateSym]
  if (recordSink === undefined) {
    writeToStream(this, lineOf(this, object, message, level, time), object, message, level, time)
    return
  }
  writeAndExport(this, recordSink, object, message, level, time)
}

/** Writes the line of a call and exports its record. A separate function, so that calls without exporters do not create a closure. */
function writeAndExport(
  logger: Instance,
  recordSink: RecordSink,
  object: object,
  message: unknown,
  level: number,
  time: string,
): void {
  const { line, content } = buildLineAndContent(logger, () => lineOf(logger, object, message, level, time))
  writeToStream(logger, line, object, message, level, time)
  try {
    recordSink.emit(level, logger.levels.labels[level], content)
  } catch (error) {
    logger[stateSym].hookFailures.reportThrow('a logged value', error, 'the record was not exported')
  }
}

/** Builds a line. If that fails, returns a line with the level, the time and a marker. */
function lineOf(logger: Instance, object: object, message: unknown, level: number, time: string): string {
  try {
    return logger[symbols.asJsonSym](object, message, level, time)
  } catch (error) {
    // The stack overflowed, or another library replaced `asJson` and its function threw.
    const marker = quote(logger[stateSym].hookFailures.reportThrow('building the line', error, onlyLevelAndTime))
    return `{"level":${level}${time},"msg":${marker}${logger[symbols.endSym]}`
  }
}

const onlyLevelAndTime = 'only the level and the time of the record were logged'

/** Writes a line to the logger's stream. Failures are reported. Never throws. */
function writeToStream(
  logger: Instance,
  line: string,
  object: object,
  message: unknown,
  level: number,
  time: string,
): void {
  try {
    const stream = logger[symbols.streamSym]
    if (stream[symbols.needsMetadataGsym] === true) setMetadata(logger, stream, object, message, level, time)
    const hook = logger[symbols.hooksSym].streamWrite
    const outputLine = hook === undefined ? line : applyStreamWrite(logger, hook, line, level, time)
    const target = standardDestinationOrSelf(stream)
    const result = isStreamOfThisPackage(target)
      ? target.writeRecord(outputLine, severityOf(level))
      : target.write(outputLine)
    if (typeof result === 'object')
      logger[stateSym].hookFailures.observeIfPromise('stream.write', result, lineNotWritten)
  } catch (error) {
    logger[stateSym].hookFailures.reportThrow('stream.write', error, lineNotWritten)
  }
}

/** Returns the object whose members are logged. An Error is logged as a member named by `errorKey`. */
function objectOf(logger: Instance, loggedValue: unknown): object {
  if (loggedValue === undefined || loggedValue === null) return {}
  if (isErrorFast(loggedValue)) return { [logger[symbols.errorKeySym]]: loggedValue }
  return redactIfByteList(loggedValue, logger[stateSym].valueWriter.patterns)
}

/**
 * Returns the message of a call without one: that of the logged Error, or of the error under `errorKey` of the logged object, unless the
 * object has a message itself.
 */
function impliedMessage(logger: Instance, loggedValue: unknown): unknown {
  if (loggedValue === undefined || loggedValue === null) return undefined
  try {
    if (isErrorFast(loggedValue)) return (loggedValue as Error).message
    const object = loggedValue as Record<string, unknown>
    if (member(object, logger[symbols.messageKeySym]) !== undefined) return undefined
    const error = member(object, logger[symbols.errorKeySym])
    return error ? member(Object(error) as Error, 'message') : undefined
  } catch {
    return undefined // a getter threw; a marker of the error is written instead of the member
  }
}

/** Returns the logged object merged with the result of the mixin; unchanged without a mixin, or if it throws or returns a promise. */
function applyMixin(logger: Instance, object: object, level: number): object {
  const mixin = logger[symbols.mixinSym]
  if (mixin === undefined || mixin === null) return object
  const { hookFailures } = logger[stateSym]
  try {
    const mixinObject = mixin(object, level, logger)
    if (hookFailures.observeIfPromise('mixin', mixinObject)) return object
    const merge = logger[symbols.mixinMergeStrategySym]
    // Merge into a copy, because a mixin may return the same object each time.
    if (!merge) return copyMembers(copyMembers({}, mixinObject, hookFailures), object, hookFailures)
    const merged = merge(object, mixinObject)
    return hookFailures.observeIfPromise('mixinMergeStrategy', merged) ? object : merged
  } catch (error) {
    hookFailures.reportThrow('mixin', error)
    return object
  }
}

/** Returns the text of the time member. A result of a user's function is checked. */
function timeOf(logger: Instance): string {
  const time = logger[symbols.timeSym]
  const { hasStandardTime, hookFailures, valueWriter } = logger[stateSym]
  if (hasStandardTime) return time()
  try {
    const text: unknown = time()
    hookFailures.observeIfPromise('timestamp', text)
    return checkTime(text, valueWriter.patterns)
  } catch (error) {
    hookFailures.reportThrow('timestamp', error)
    return epochTime()
  }
}

/** Sets the metadata of the next line on a stream that requests it. */
function setMetadata(
  logger: Instance,
  stream: AnyStream,
  object: object,
  message: unknown,
  level: number,
  time: string,
): void {
  const lastTime = time.slice(logger[symbols.timeSliceIndexSym])
  if (isPrototypePolluted()) {
    addMembers(stream, { lastLevel: level, lastObj: object, lastMsg: message, lastTime, lastLogger: logger })
    return
  }
  stream.lastLevel = level
  stream.lastObj = object
  stream.lastMsg = message
  stream.lastTime = lastTime
  stream.lastLogger = logger
}

const plainObject = {}

/** Returns whether `Object.prototype` has a member with the name of a metadata member: assigning it could fail, or call a setter. */
function isPrototypePolluted(): boolean {
  const hasOne = 'lastLevel' in plainObject || 'lastObj' in plainObject || 'lastMsg' in plainObject
  return hasOne || 'lastTime' in plainObject || 'lastLogger' in plainObject
}

/** Returns the text that `hooks.streamWrite` returns for a line. If it fails, returns a line with the level, the time and a marker. */
function applyStreamWrite(
  logger: Instance,
  hook: (line: string) => string,
  line: string,
  level: number,
  time: string,
): string {
  try {
    const outputLine = hook(line)
    if (logger[stateSym].hookFailures.observeIfPromise('hooks.streamWrite', outputLine, onlyLevelAndTime))
      throw new TypeError('a promise is no line')
    return outputLine
  } catch (error) {
    // The hook may redact the line, so the line is not written without it.
    const marker = logger[stateSym].hookFailures.reportThrow('hooks.streamWrite', error, onlyLevelAndTime)
    return `{"level":${level}${time},"msg":${quote(marker)}${logger[symbols.endSym]}`
  }
}
