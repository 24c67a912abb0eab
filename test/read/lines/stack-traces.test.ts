import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { seed } from '../../support/seed.ts'
import { dockerLine } from './mixed-stream.ts'
import { readBytes, textOf } from './read-bytes.ts'

const record = '{"level":50,"time":1795254963123,"msg":"failed"}'

/** Returns what was read: the stack trace or message of records, and `text:` with text. */
function summary(lines: readonly string[]): unknown[] {
  return readBytes(lines.map((line) => `${line}\n`).join('')).map((item) =>
    item.record === undefined
      ? `text:${textOf(item).trimEnd()}`
      : (item.record.attributes.get('exception.stacktrace') ?? item.record.message),
  )
}

describe('RecordReader', () => {
  it.each<readonly [string, readonly string[]]>([
    ['V8', ['TypeError: x', '    at a (a.js:1:1)', '    at async b (b.js:2:2)']],
    ['V8 with a code', ['AssertionError [ERR_ASSERTION]: x', '    at a (a.js:1:1)']],
    [
      'util.inspect with properties',
      ['Error: x', '    at a (a.js:1:1) {', "  code: 'E',", '  [cause]: Error: y', '      at b', '}'],
    ],
    ['V8 without a header', ['    at a (a.js:1:1)', '    at b (b.js:2:2)']],
    ['this package', ['Error: x', '    at a (a.js:1:1)', 'Caused by: Error: y', '    at b (b.js:2:2)']],
    [
      'Java',
      [
        'java.lang.IllegalStateException: x',
        '\tat a.B.c(B.java:1)',
        '\t... 12 more',
        'Caused by: java.io.IOException',
        '\tat d',
      ],
    ],
    [
      'Python',
      [
        'Traceback (most recent call last):',
        '  File "a.py", line 1, in <module>',
        '    f()',
        'ValueError: x',
        '',
        'During handling of the above exception, another exception occurred:',
        '',
        'Traceback (most recent call last):',
        '  File "a.py", line 3, in <module>',
        'RuntimeError',
      ],
    ],
  ])('keeps a stack trace of %s with the record before it', (_name, stack) => {
    expect(summary([record, ...stack, 'next'])).toEqual([stack.join('\n'), 'text:next'])
    expect(summary([record, ...stack, record])).toEqual([stack.join('\n'), 'failed'])
  })

  it('reads lines as text if they are not of a stack trace after a record', () => {
    expect(summary([record, 'TypeError: x', 'next'])).toEqual(['failed', 'text:TypeError: x', 'text:next'])
    expect(summary([record, 'text', '    at a'])).toEqual(['failed', 'text:text', 'text:    at a'])
    expect(summary([record, '', '    at a'])).toEqual(['failed', 'text:', 'text:    at a'])
    expect(summary([record, '{', '  "a": 1', '}'])).toEqual(['failed', 'text:{', 'text:  "a": 1', 'text:}'])
  })

  it('reads indented JSON as a record', () => {
    expect(summary([record, `  ${record}`])).toEqual(['failed', 'failed'])
  })

  it('adds other indented lines to the message', () => {
    expect(summary(['info: first', '  second', 'next'])).toEqual(['first\n  second', 'text:next'])
  })

  it('keeps the stack trace that a record has', () => {
    const line =
      '{"level":50,"time":1795254963123,"msg":"failed","err":{"type":"Error","message":"x","stack":"Error: x\\n at a"}}'
    const [item, ...others] = readBytes(`${line}\n    at b\n`)
    expect(item!.record!.attributes.get('exception.stacktrace')).toBe('Error: x\n at a')
    expect(textOf(item!)).toBe(`${line}\n    at b\n`)
    expect(others).toEqual([])
  })

  it('adds the message to a stack trace that follows it without a header', () => {
    expect(summary(['2026-11-21 09:56:03 ERROR TypeError: x', '    at a'])).toEqual(['TypeError: x\n    at a'])
  })

  it('keeps stack traces of containers apart, however their lines are mixed', () => {
    const containers = ['a', 'b', 'c']
    const stackLines = ['TypeError: x', '    at a (a.js:1:1)', '    at b (b.js:1:1)']
    const parts = fc.constantFrom([record, ...stackLines], [record], ['text'], [record, ...stackLines.slice(1)])
    const streams = fc.tuple(...containers.map(() => fc.array(parts, { maxLength: 8 })))
    const order = fc.infiniteStream(fc.nat(containers.length - 1))
    fc.assert(
      fc.property(streams, order, fc.array(fc.integer({ min: 1, max: 9 })), (streams, order, counts) => {
        const queues = streams.map((groups, index) =>
          groups.flat().map((line) => `${containers[index]!}-1  | ${line}\n`),
        )
        let text = ''
        for (const index of order) {
          text += queues[index]!.shift() ?? ''
          if (queues.every((queue) => queue.length === 0)) break
        }
        const items = readBytes(text, {}, counts)
        for (const [index, groups] of streams.entries()) {
          const prefix = `${containers[index]!}-1  | `
          const own = items.filter((item) => item.origin.container === `${containers[index]!}-1`)
          expect(own.map(textOf)).toEqual(groups.map((group) => group.map((line) => `${prefix}${line}\n`).join('')))
          expect(own.map((item) => item.record?.attributes.get('exception.stacktrace'))).toEqual(
            groups.map((group) => (group.length > 1 ? group.slice(1).join('\n') : undefined)),
          )
        }
        // Items are in the order of their first lines.
        const lines = items.map(({ origin }) => origin.line)
        expect(lines).toEqual(lines.toSorted((a, b) => a - b))
      }),
      { seed, numRuns: 300 },
    )
  })

  it('keeps a stack trace with its record if a container wrote JSON between them', () => {
    const other = dockerLine('{"level":30,"msg":"other"}\n')
    expect(summary([record, other, '    at a', record, other])).toEqual(['    at a', 'other', 'failed', 'other'])
    const items = readBytes(`${record}\n${other}\n    at needed\n`, { needed: { texts: [['needed']] } })
    expect(items.map(textOf)[0]).toBe(`${record}\n    at needed\n`)
  })

  it('does not wait for the stack trace of a container while others write', () => {
    const others = Array.from({ length: 300 }, (_, index) => `b-1  | text ${index}`)
    expect(summary([`a-1  | ${record}`, ...others, 'a-1  |     at late'])).toEqual([
      'failed',
      ...others.map((line) => `text:${line}`),
      'text:a-1  |     at late',
    ])
  })
})
