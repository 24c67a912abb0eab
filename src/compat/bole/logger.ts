import { member } from '../../options/own-members.ts'
import { severityMaps } from '../../record/severity-maps.ts'
import { lineOf, objectOf, type Head } from './line.ts'
import { levels, registry, type Output } from './registry.ts'
import { readCall, type Said } from './record.ts'
import { takesSeverity } from '../shared/severity-stream.ts'
import { notTaken } from '../shared/hook-failures.ts'
import type { BoleLogger, Level, LogMethod } from './types.ts'
import { addMembers } from '../../options/define-member.ts'

/** Makes a logger of a name. */
export function makeLogger(name: string): BoleLogger {
  const logger = (subname: string): BoleLogger => makeLogger(`${name}:${subname}`)
  const methods = Object.fromEntries(levels.map((level) => [level, methodOf(level, name)])) as Record<Level, LogMethod>
  return addMembers(logger, methods)
}

/** More arguments than these bole does not take. */
const mostArguments = 16

/** The method of a level. It works detached, and never throws. */
function methodOf(level: Level, name: string): LogMethod {
  const shared = registry()
  const outputs = shared.outputs[level]
  return (...args) => {
    if (outputs.length === 0) return
    const head: Head = { time: shared.fastTime ? Date.now() : new Date().toISOString(), level, name }
    let common: Shown | undefined
    let usual: Shown | undefined
    for (const output of outputs) {
      try {
        if (output.json.redaction === undefined) deliver(output, (common ??= shown(output, head, args)))
        else if (output.json.isPlain) deliver(output, (usual ??= shown(output, head, args)))
        // What rules let be shown is for this output alone.
        else deliver(output, shown(output, head, args))
      } catch (error) {
        output.hookFailures.threw('stream.write', error, notTaken)
      }
    }
  }
}

/** A record, and its line once it was asked for. */
interface Shown {
  readonly head: Head
  readonly call: Said
  line: string | undefined
}

function shown({ json, hookFailures }: Output, head: Head, args: readonly unknown[]): Shown {
  return { head, call: readCall(args.slice(0, mostArguments), json, hookFailures), line: undefined }
}

function deliver({ stream, records, json, hookFailures }: Output, record: Shown): void {
  const { head, call } = record
  if (stream !== undefined) {
    const state = member(stream, '_writableState')
    let answer: unknown
    if (state && member(state, 'objectMode') === true) answer = stream.write(objectOf(head, call, json))
    else {
      record.line ??= lineOf(head, call, json)
      if (takesSeverity(stream)) answer = stream.writeRecord(record.line, severityMaps.bunyan[head.level]!)
      else answer = stream.write(Buffer.from(record.line))
    }
    if (typeof answer === 'object') hookFailures.observe('stream.write', answer, notTaken)
  }
  if (records === undefined) return
  const { fields, error, message } = call
  const attributes = { 'logger.name': head.name, ...fields, ...(error === undefined ? {} : { err: error }) }
  const text = typeof message === 'string' ? message : json.member(message, 'message')
  records.emit(head.level, attributes, text || undefined)
}
