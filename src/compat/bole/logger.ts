import { member } from '../../options/own-members.ts'
import { severityMaps } from '../../record/severity-maps.ts'
import { lineOf, objectOf, type RecordHead } from './line.ts'
import { levels, registry, type Output } from './registry.ts'
import { parseCall, type ParsedCall } from './record.ts'
import { isStreamOfThisPackage } from '../shared/severity-stream.ts'
import { lineNotWritten } from '../shared/hook-failures.ts'
import type { BoleLogger, Level, LogMethod } from './types.ts'
import { addMembers } from '../../options/define-member.ts'

/** Creates a logger with the given name. */
export function makeLogger(name: string): BoleLogger {
  const logger = (subname: string): BoleLogger => makeLogger(`${name}:${subname}`)
  const methods = Object.fromEntries(levels.map((level) => [level, createLogMethod(level, name)])) as Record<
    Level,
    LogMethod
  >
  return addMembers(logger, methods)
}

/** Maximum number of arguments of a call, as in bole. Further ones are ignored. */
const maxArguments = 16

/** Creates the log method of a level. The method does not use `this`, and never throws. */
function createLogMethod(level: Level, name: string): LogMethod {
  const shared = registry()
  const outputs = shared.outputs[level]
  return (...args) => {
    if (outputs.length === 0) return
    const head: RecordHead = { time: shared.fastTime ? Date.now() : new Date().toISOString(), level, name }
    // All outputs without redaction share one record, and all outputs with only the default rules share another.
    let unredactedRecord: PreparedRecord | undefined
    let defaultRedactedRecord: PreparedRecord | undefined
    for (const output of outputs) {
      try {
        if (output.json.redaction === undefined) writeRecord(output, (unredactedRecord ??= prepare(output, head, args)))
        else if (output.json.hasNoCustomRules)
          writeRecord(output, (defaultRedactedRecord ??= prepare(output, head, args)))
        // With custom rules, the redacted record is specific to this output.
        else writeRecord(output, prepare(output, head, args))
      } catch (error) {
        output.hookFailures.reportThrow('stream.write', error, lineNotWritten)
      }
    }
  }
}

/** A parsed call. Its line is built when the first output needs it. */
interface PreparedRecord {
  readonly head: RecordHead
  readonly call: ParsedCall
  line: string | undefined
}

function prepare(
  { json: jsonWriter, hookFailures }: Output,
  head: RecordHead,
  args: readonly unknown[],
): PreparedRecord {
  return { head, call: parseCall(args.slice(0, maxArguments), jsonWriter, hookFailures), line: undefined }
}

/** Writes a record to the stream of an output, and passes it to its exporters. */
function writeRecord({ stream, recordEmitter, json: jsonWriter, hookFailures }: Output, record: PreparedRecord): void {
  const { head, call } = record
  if (stream !== undefined) {
    const state = member(stream, '_writableState')
    let result: unknown
    if (state && member(state, 'objectMode') === true) result = stream.write(objectOf(head, call, jsonWriter))
    else {
      record.line ??= lineOf(head, call, jsonWriter)
      if (isStreamOfThisPackage(stream)) result = stream.writeRecord(record.line, severityMaps.bunyan[head.level]!)
      else result = stream.write(Buffer.from(record.line))
    }
    if (typeof result === 'object') hookFailures.observeIfPromise('stream.write', result, lineNotWritten)
  }
  if (recordEmitter === undefined) return
  const { fields, error, message } = call
  const attributes = { 'logger.name': head.name, ...fields, ...(error === undefined ? {} : { err: error }) }
  const text = typeof message === 'string' ? message : jsonWriter.memberJson(message, 'message')
  recordEmitter.emit(head.level, attributes, text || undefined)
}
