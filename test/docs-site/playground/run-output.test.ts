import { describe, expect, test } from '@jest/globals'
import type { RecordEntry, RedactedValue, WorkerMessage } from '../../../docs/site/.vitepress/playground/messages.ts'
import {
  indentedJson,
  redactedRecordsOf,
  statusOf,
  unexplainedRecordsIn,
} from '../../../docs/site/.vitepress/playground/output-forms.ts'
import { OutputCollector } from '../../../docs/site/.vitepress/playground/run-output.ts'
import { OutputSink, outputLimits } from '../../../docs/site/.vitepress/playground/worker/output-sink.ts'

const texts = { sluice: '{"message":"hello"}', pretty: 'hello', otlpJson: '{}' } as RecordEntry['texts']
const record: RecordEntry = { kind: 'record', texts, redacted: undefined }

function outputOf(messages: readonly WorkerMessage[]): OutputCollector {
  const collector = new OutputCollector()
  for (const message of messages) collector.add(message)
  return collector
}

function sinkWithMessages(): { readonly sink: OutputSink; readonly messages: WorkerMessage[] } {
  const messages: WorkerMessage[] = []
  return { sink: new OutputSink((message) => messages.push(message)), messages }
}

describe('the status of a run', () => {
  test('counts records and lines of the console', () => {
    const collector = outputOf([record, { kind: 'console', method: 'log', text: 'x' }, record])
    expect(statusOf(collector.output())).toBe('Running…')
    collector.add({ kind: 'end', pendingTimers: 0, isTimedOut: false })
    expect(statusOf(collector.output())).toBe('2 records, 1 line of the console')
    expect(collector.output().notes).toEqual([])
  })

  test('has the line of the first error', () => {
    const collector = outputOf([
      { kind: 'error', message: 'TypeError', line: 3, column: 1 },
      { kind: 'end', pendingTimers: 0, isTimedOut: false },
    ])
    expect(statusOf(collector.output())).toBe('Error in line 3')
  })

  test.each([
    [1, 'The program was stopped after 3 s: it has 1 timer.'],
    [0, 'The program was stopped after 3 s: it awaits a promise.'],
  ])('explains why a program with %d timers was stopped', (pendingTimers, note) => {
    expect(outputOf([{ kind: 'end', pendingTimers, isTimedOut: true }]).output().notes).toEqual([note])
  })

  test('explains that a program without an answer was stopped, and that more may be hidden', () => {
    const collector = outputOf([{ kind: 'hidden', records: 1_000, lines: 1 }])
    collector.stop('noAnswer')
    expect(collector.output().notes).toEqual([
      'At least 1,000 records and 1 line of the console are not shown, because there is too much output.',
      'The program was stopped, because it did not answer for 1 s. It probably has an endless loop.',
    ])
    expect(collector.output().isRunning).toBe(false)
  })
})

describe('the output of a program', () => {
  test('has a limited number of records, and the others are counted', () => {
    const { sink, messages } = sinkWithMessages()
    for (let index = 0; index < outputLimits.records + 25_000; index++)
      if (sink.acceptsRecord()) sink.addRecord(texts, undefined)
    sink.reportHidden()
    expect(messages.filter(({ kind }) => kind === 'record')).toHaveLength(outputLimits.records)
    expect(messages.length).toBeLessThan(outputLimits.records + 10)
    expect(messages.at(-1)).toEqual({ kind: 'hidden', records: 25_000, lines: 0 })
  })

  test('has a limited number of lines and errors', () => {
    const { sink, messages } = sinkWithMessages()
    for (let index = 0; index < 600; index++) {
      sink.addLine('log', 'x')
      sink.addError({ kind: 'error', message: 'x', line: undefined, column: undefined })
    }
    expect(messages.filter(({ kind }) => kind === 'console')).toHaveLength(outputLimits.lines)
    expect(messages.filter(({ kind }) => kind === 'error')).toHaveLength(outputLimits.errors)
  })

  test('has texts of a limited length', () => {
    const { sink, messages } = sinkWithMessages()
    for (let index = 0; index < 300; index++) sink.addLine('log', 'x'.repeat(100_000))
    const shown = messages.filter((message) => message.kind === 'console')
    expect(shown[0]!.text).toMatch(/x… \(80000 characters are not shown\)$/)
    expect(shown.map(({ text }) => text).join('').length).toBeLessThan(outputLimits.totalLength + 30_000)
  })

  test('has the redacted values of each record, with its number and message', () => {
    const redacted = { rows: [{ path: 'a', rule: 'paths: a', replacement: '[REDACTED]' }], hidden: 0 }
    const noRows = { rows: [], hidden: 7 }
    const output = outputOf([
      record,
      { kind: 'record', texts, redacted },
      { kind: 'record', texts, redacted: { rows: [], hidden: 0 } },
      { kind: 'record', texts, redacted: noRows },
    ]).output()
    expect(redactedRecordsOf(output)).toEqual([
      { title: '2: hello', redacted },
      { title: '4: hello', redacted: noRows },
    ])
    expect(unexplainedRecordsIn(output)).toBe(1)
  })

  test('has a limited number of redacted values with texts of a limited length, and the others are counted', () => {
    const { sink, messages } = sinkWithMessages()
    const value = { path: 'p'.repeat(5_000), rule: 'keys: a', replacement: { text: 'x'.repeat(5_000) } }
    for (const count of [600, 600, 1])
      sink.addRecord(
        texts,
        Array.from({ length: count }, () => value),
      )
    const shown = messages.filter((message) => message.kind === 'record').map(({ redacted }) => redacted!)
    expect(shown.map(({ rows, hidden }) => [rows.length, hidden])).toEqual([
      [600, 0],
      [400, 200],
      [0, 1],
    ])
    const [{ path, rule, replacement }] = shown[0]!.rows as [RedactedValue]
    expect([path.length, rule, replacement!.length]).toEqual([1_001, 'keys: a', 1_001])
    expect(replacement).toMatch(/^\{"text":"x+…$/)
  })

  test('shows JSON with indentation, and JSON that was cut as it is', () => {
    expect(indentedJson('{"a":1}\n')).toBe('{\n  "a": 1\n}')
    expect(indentedJson('{"a":"x…')).toBe('{"a":"x…')
  })
})
