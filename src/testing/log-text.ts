import { JsonWalk } from '../encode/json/json-walk.ts'
import { ownCopy } from '../options/own-members.ts'
import type { CapturedRecord } from './captured-record.ts'
import { stableStack } from './stable-stack.ts'

/** What is written of records. */
export interface LogTextOptions {
  /**
   * Whether stacks are written, each frame as a function and the name of its file; those of Node and of installed packages are
   * left out. Default false: an exception is its class and its message.
   */
  readonly stacks?: boolean
}

/**
 * Records as text for snapshots: a line each with level, event, message and attributes, and the exception below. Nothing in it
 * differs from run to run of itself: no time, no ids, no path.
 */
export function logText(records: readonly CapturedRecord[], options: LogTextOptions = {}): string {
  const { stacks = false } = ownCopy(options)
  return records.map((record) => `${lineOf(record)}\n${errorOf(record, stacks)}`).join('')
}

function lineOf(record: CapturedRecord): string {
  const { level, eventName, message, attributes } = ownCopy(record)
  const said = Object.keys(attributes).length === 0 ? [] : [new JsonWalk().json(attributes)!]
  return [
    level,
    ...(eventName === undefined ? [] : [`<${eventName}>`]),
    ...(message === '' ? [] : [message.replaceAll('\n', '\\n')]),
    ...said,
  ].join(' ')
}

function errorOf(record: CapturedRecord, stacks: boolean): string {
  const { error } = ownCopy(record)
  if (error === undefined) return ''
  const { type = 'Error', message = '', stacktrace } = ownCopy(error)
  const text = stacks && stacktrace !== undefined ? stableStack(stacktrace) : [type, message].filter(Boolean).join(': ')
  return text.replaceAll(/^/gm, '  ') + '\n'
}
