import { JsonWalk } from '../encode/json/json-walk.ts'
import { ownCopy } from '../options/own-members.ts'
import type { CapturedRecord } from './captured-record.ts'

/** Options of `CapturedLogs.text`. */
export interface LogTextOptions {
  /**
   * Whether to include stacks. A frame consists of the function and the file name; frames of Node and of installed packages are
   * omitted. Without stacks, an exception consists of its class and message.
   *
   * @defaultValue false
   */
  readonly stacks?: boolean
}

/**
 * Returns records as text for snapshots: one line each with level, event, message and attributes, followed by the exception. The
 * text contains no times, IDs or paths, so it does not differ between runs.
 */
export function logText(records: readonly CapturedRecord[], options: LogTextOptions = {}): string {
  const { stacks = false } = ownCopy(options)
  return records.map((record) => `${lineOf(record)}\n${errorOf(record, stacks)}`).join('')
}

function lineOf(record: CapturedRecord): string {
  const { level, eventName, message, attributes } = ownCopy(record)
  const attributesText = Object.keys(attributes).length === 0 ? [] : [new JsonWalk().json(attributes)!]
  return [
    level,
    ...(eventName === undefined ? [] : [`<${eventName}>`]),
    ...(message === '' ? [] : [message.replaceAll('\n', '\\n')]),
    ...attributesText,
  ].join(' ')
}

function errorOf(record: CapturedRecord, stacks: boolean): string {
  const { error } = ownCopy(record)
  if (error === undefined) return ''
  const { type = 'Error', message = '', stacktrace } = ownCopy(error)
  const text = stacks && stacktrace !== undefined ? stableStack(stacktrace) : [type, message].filter(Boolean).join(': ')
  return text.replaceAll(/^/gm, '  ') + '\n'
}

/**
 * Returns a stack without parts that differ between machines and code changes: a frame consists of the function and the file name,
 * and frames of Node and of installed packages, including the test runner, are omitted.
 */
export function stableStack(stacktrace: string): string {
  return stacktrace
    .split('\n')
    .flatMap((line) => (/^\s+at /.test(line) ? frameOf(line) : [line]))
    .join('\n')
}

function frameOf(line: string): string[] {
  if (/\bnode:|node_modules|\(native\)|<anonymous>\)?$/.test(line)) return []
  const [, indent, text] = /^(\s+)at (.*)$/.exec(line)!
  const [, called, place] = /^(.*?) \((.*)\)$/.exec(text!) ?? [undefined, undefined, text!]
  // Remove `async`, which describes how the frame was reached and can change with V8.
  const name = called?.replace(/^async /, '')
  const file = place
    .replace(/(?::\d+)+$/, '')
    .split(/[/\\]/)
    .at(-1)!
  return [name === undefined ? `${indent}at ${file}` : `${indent}at ${name} (${file})`]
}
