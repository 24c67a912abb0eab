import { expect, test } from '@jest/globals'
import { ProgramOutput } from '../../../src/viewer/inputs/program-output.ts'
import { TextJoiner } from '../../../src/viewer/inputs/text-joiner.ts'
import { newRecordReader } from '../../../src/read/record-batches.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { DuplicateFinder } from '../../../src/viewer/store/duplicate-finder.ts'
import { RecordAdder } from '../../../src/viewer/store/record-adder.ts'
import { LogStore } from '../../../src/viewer/store/log-store.ts'

/** Returns the records of what a program wrote to a stream. */
function recordsOf(
  text: string,
  stream: 'stdout' | 'stderr',
  duplicates = new DuplicateFinder(),
): readonly ReadRecord[] {
  const store = new LogStore(64 * 1024 * 1024)
  const joiner = new TextJoiner(new ProgramOutput(stream, new RecordAdder(store), duplicates))
  const reader = newRecordReader('app', joiner, {})
  reader.read({ bytes: Buffer.from(text), offset: 0, firstLine: 1, isEnd: true })
  reader.flush()
  joiner.flush()
  return store.segments.flatMap((segment) =>
    Array.from({ length: segment.count }, (_, index) => store.readAt(segment, index)),
  )
}

const messagesOf = (text: string, stream: 'stdout' | 'stderr' = 'stdout') =>
  recordsOf(text, stream).map(({ message, level }) => [level, message])

test('an error of console.error with its stack trace is one record', () => {
  const stack = 'TypeError: no price\n    at charge (/srv/pay.js:1:2)\n    at node:internal/main:3:4'
  const records = recordsOf(`before\nfailed ${stack} {\n  code: 'E',\n  [cause]: null\n}\nafter\n`, 'stderr')
  expect(records.map(({ message }) => message)).toEqual(['before', 'failed TypeError: no price', 'after'])
  expect(records[1]!.level).toBe('error')
  expect(Object.fromEntries(records[1]!.attributes)).toEqual({
    'exception.type': 'TypeError',
    'exception.message': 'no price',
    'exception.stacktrace': `${stack} {\n  code: 'E',\n  [cause]: null\n}`,
  })
})

test('an error whose message has several lines is one record', () => {
  const records = recordsOf('Error: first\nsecond\nthird\n    at f (/srv/a.js:1:2)\nnext\n', 'stderr')
  expect(records.map(({ message }) => message)).toEqual(['Error: first\nsecond\nthird', 'next'])
  expect(records[0]!.attributes.get('exception.message')).toBe('first\nsecond\nthird')
})

test('lines after the text of an error without a stack trace are records', () => {
  expect(messagesOf('Error: one\nready\nError: two\ndone\n').map(([, message]) => message)).toEqual([
    'Error: one',
    'ready',
    'Error: two',
    'done',
  ])
})

test('an object of several lines is one record', () => {
  const text = '{\n  id: 17,\n  items: [\n    1\n  ]\n}'
  expect(messagesOf(`a\n${text}\nb\n`)).toEqual([
    ['info', 'a'],
    ['info', text],
    ['info', 'b'],
  ])
})

test('an uncaught error of Node is one fatal record', () => {
  const text = '/srv/a.js:3\n  throw new Error("no")\n  ^\n\nError: no\n    at f (/srv/a.js:3:9)\n\nNode.js v24.1.0\n'
  const records = recordsOf(text, 'stderr')
  expect(records.map(({ level, message }) => [level, message])).toEqual([['fatal', 'Error: no']])
})

test.each([
  ['stdout', 'plain', 'info'],
  ['stderr', 'plain', 'error'],
  ['stderr', '(node:71) ExperimentalWarning: SQLite is experimental', 'warn'],
  ['stderr', '(node:71) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.', 'warn'],
  ['stderr', '(Use `node --trace-deprecation ...` to show where the warning was created)', 'warn'],
  ['stderr', 'npm warn deprecated a@1.0.0', 'warn'],
  ['stderr', 'warning: unused variable', 'warn'],
  ['stderr', 'warnings are errors', 'error'],
  ['stderr', 'Debugger listening on ws://127.0.0.1:9229/1', 'info'],
] as const)('text of %s has a level: %s is %s', (stream, line, level) => {
  expect(messagesOf(`${line}\n`, stream).map(([found]) => found)).toEqual([level])
})

test('the level of a record is kept on both streams', () => {
  const line = '{"level":40,"time":1700000000000,"pid":1,"hostname":"h","msg":"low"}\n'
  expect(messagesOf(line, 'stdout')).toEqual([['warn', 'low']])
  expect(messagesOf(line, 'stderr')).toEqual([['warn', 'low']])
})

test('control codes, overwritten text and empty lines are no part of records', () => {
  expect(messagesOf('\u001B[2J\u001B[31mred\u001B[39m\n\n   \n10%\r50%\rdone\r\n')).toEqual([
    ['info', 'red'],
    ['info', 'done'],
  ])
})

test('a text of very many indented lines becomes several records', () => {
  const records = messagesOf(`head\n${'  line\n'.repeat(2_500)}`)
  expect(records.map(([, message]) => message!.split('\n').length)).toEqual([1000, 1000, 501])
})

test('text that the program sent by OTLP too is not added again', () => {
  const duplicates = new DuplicateFinder()
  duplicates.begin()
  expect(duplicates.isDuplicate(Date.now() - 50, 10, () => 'order placed')).toBe(false)
  duplicates.commit()
  const records = recordsOf('order placed\norder placed\norder sent\n', 'stdout', duplicates)
  expect(records.map(({ message }) => message)).toEqual(['order placed', 'order sent'])
  expect(duplicates.count).toBe(1)
})
