import { member } from '../../options/own-members.ts'
import { severityMaps } from '../../record/severity-maps.ts'
import { lineOf, objectOf, type Head } from './line.ts'
import { levels, registry, type Output } from './registry.ts'
import { readCall, type ParsedCall } from './record.ts'
import { acceptsSeverity } from '../shared/severity-stream.ts'
import { lineNotWritten } from '../shared/hook-failures.ts'
import type { BoleLogger, Level, LogMethod } from './types.ts'
import { addMembers } from '../../options/define-member.ts'

/** Creates a logger with the given name. */
export function makeLogger(name: string): BoleLogger {
  const logger = (subname: string): BoleLogger => makeLogger(`${name}:${subname}`)
  const methods = Object.fromEntries(levels.map((level) => [level, methodOf(level, name)])) as Record<Level, LogMethod>
  return addMembers(logger, methods)
}

/** Maximum number of arguments that bole accepts. */
const maxArguments = 16

/** Creates the log method of a level. It works without its logger, and never throws. */
function methodOf(level: Level, name: string): LogMethod {
  const shared = registry()
  const outputs = shared.outputs[level]
  return (...args) => {
    if (outputs.length === 0) return
    const head: Head = { time: shared.fastTime ? Date.now() : new Date().toISOString(), level, name }
    let unredacted: PreparedRecord | undefined
    let defaultRedacted: PreparedRecord | undefined
    for (const output of outputs) {
      try {
        if (output.json.redaction === undefined) deliver(output, (unredacted ??= prepare(output, head, args)))
        else if (output.json.hasNoCustomRules) deliver(output, (defaultRedacted ??= prepare(output, head, args)))
        // With custom rules, the redacted record is specific to this output.
        else deliver(output, prepare(output, head, args))
      } catch (error) {
        output.hookFailures.threw('stream.write', error, lineNotWritten)
      }
    }
  }
}

/** A parsed call, and its line once an output needed it. */
interface PreparedRecord {
  readonly head: Head
  readonly call: ParsedCall
  line: string | undefined
}

function prepare({ json, hookFailures }: Output, head: Head, args: readonly unknown[]): PreparedRecord {
  return { head, call: readCall(args.slice(0, maxArguments), json, hookFailures), line: undefined }
}

function deliver({ stream, records, json, hookFailures }: Output, record: PreparedRecord): void {
  const { head, call } = record
  if (stream !== undefined) {
    const state = member(stream, '_writableState')
    let result: unknown
    if (state && member(state, 'objectMode') === true) result = stream.write(objectOf(head, call, json))
    else {
      record.line ??= lineOf(head, call, json)
      if (acceptsSeverity(stream)) result = stream.writeRecord(record.line, severityMaps.bunyan[head.level]!)
      else result = stream.write(Buffer.from(record.line))
    }
    if (typeof result === 'object') hookFailures.observe('stream.write', result, lineNotWritten)
  }
  if (records === undefined) return
  const { fields, error, message } = call
  const attributes = { 'logger.name': head.name, ...fields, ...(error === undefined ? {} : { err: error }) }
  const text = typeof message === 'string' ? message : json.member(message, 'message')
  records.emit(head.level, attributes, text || undefined)
}
