import { JsonWalk } from '../encode/json/json-walk.ts'
import { withoutPrototype } from '../options/own-members.ts'
import type { CapturedRecord } from './captured-record.ts'
import { StableValues } from './stable-values.ts'

/** Options of `CapturedLogs.text`. */
export interface LogTextOptions {
  /**
   * Whether to include stacks. A frame consists of the function and the file name; frames of Node and of installed packages are
   * omitted. Without stacks, an exception consists of its class and message.
   *
   * @defaultValue false
   */
  readonly stacks?: boolean
  /**
   * Whether to keep IDs, times, durations, ports and process IDs. Otherwise they are replaced by `[id 1]`, `[time]`, `[duration]`,
   * `[port]` and `[pid]`: in text by their form, numbers by the name of the attribute. Equal IDs have the same number.
   *
   * @defaultValue false
   */
  readonly exact?: boolean
}

/**
 * Returns records as text for snapshots: one line each with level, event, message and attributes, followed by the exception.
 * The time of a record, trace and span IDs, and the paths of stack frames are omitted. Without `exact`, other values that differ between
 * runs are replaced.
 */
export function logText(records: readonly CapturedRecord[], options: LogTextOptions = {}): string {
  const { stacks = false, exact = false } = withoutPrototype(options)
  const values = exact ? undefined : new StableValues()
  return records.map((record) => `${lineText(record, values)}\n${errorText(record, stacks, values)}`).join('')
}

function lineText(record: CapturedRecord, values: StableValues | undefined): string {
  const { level, eventName, message: exactMessage, attributes: exactAttributes } = withoutPrototype(record)
  const message = values?.text(exactMessage) ?? exactMessage
  const attributes = values?.attributes(exactAttributes) ?? exactAttributes
  const attributesText = Object.keys(attributes).length === 0 ? [] : [new JsonWalk().json(attributes)!]
  return [
    level,
    ...(eventName === undefined ? [] : [`<${eventName}>`]),
    ...(message === '' ? [] : [message]),
    ...attributesText,
  ]
    .join(' ')
    .replaceAll(/[\n\r\u2028\u2029]/g, escapeLineEnd)
}

function escapeLineEnd(lineEnd: string): string {
  if (lineEnd === '\n') return '\\n'
  return lineEnd === '\r' ? '\\r' : `\\u${lineEnd.charCodeAt(0).toString(16)}`
}

/** A line end in an error, which is written as a new line. */
const lineEnds = /\r\n|[\n\r\u2028\u2029]/g

function errorText(record: CapturedRecord, includesStack: boolean, values: StableValues | undefined): string {
  const { error } = withoutPrototype(record)
  if (error === undefined) return ''
  const { type = 'Error', message = '', stacktrace } = withoutPrototype(error)
  const text =
    includesStack && stacktrace !== undefined ? stableStack(stacktrace) : [type, message].filter(Boolean).join(': ')
  return (values?.text(text) ?? text).replaceAll(lineEnds, '\n').replaceAll(/^/gm, '  ') + '\n'
}

/**
 * Returns a stack without parts that differ between machines and code changes: a frame consists of the function and the file name,
 * and frames of Node and of installed packages, including the test runner, are omitted.
 */
export function stableStack(stacktrace: string): string {
  return stacktrace
    .split(lineEnds)
    .flatMap((line) => (/^\s+at /.test(line) ? stableFrame(line) : [line]))
    .join('\n')
}

/** Returns the stable text of a frame, or an empty array if the frame is omitted. */
function stableFrame(line: string): string[] {
  if (/\bnode:|node_modules|\(native\)|<anonymous>\)?$/.test(line)) return []
  const [, indent, text] = /^(\s+)at (.*)$/.exec(line)!
  const [, functionName, location] = /^(.*?) \((.*)\)$/.exec(text!) ?? [undefined, undefined, text!]
  // Remove `async`, which describes how the frame was reached and can change with V8.
  const name = functionName?.replace(/^async /, '')
  const file = location
    .replace(/(?::\d+)+$/, '')
    .split(/[/\\]/)
    .at(-1)!
  return [name === undefined ? `${indent}at ${file}` : `${indent}at ${name} (${file})`]
}
