import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { seed } from '../../support/seed.ts'
import { readBytes, recordsIn, textOf } from './read-bytes.ts'

const header = '<14>1 2003-10-11T22:14:15.003Z host app 1 - - '

/** Returns a message with its length in front of it, as RFC 6587, section 3.4.1 defines it. */
function frame(message: string): string {
  const text = header + message
  return `${Buffer.byteLength(text)} ${text}`
}

// RFC 6587, section 3.4.1: octet counting. Nothing separates two messages.
describe('RecordReader', () => {
  it('reads several syslog messages of one line, each with its bytes', () => {
    const frames = ['one', '{"level":"error","message":"two"}', 'grüße, 3', 'four'].map(frame)
    const items = readBytes(`${frames.join('')}\n{"level":30,"msg":"next"}\n`)
    expect(items.map(({ record }) => [record?.format, record?.level, record?.message])).toEqual([
      ['syslog', 'info', 'one'],
      ['winston', 'error', 'two'],
      ['syslog', 'info', 'grüße, 3'],
      ['syslog', 'info', 'four'],
      ['pino', 'info', 'next'],
    ])
    expect(items.map(({ origin }) => origin.line)).toEqual([1, 1, 1, 1, 2])
    expect(items.slice(0, 3).map(textOf)).toEqual(frames.slice(0, 3))
    expect(textOf(items[3]!)).toBe(`${frames[3]!}\n`)
  })

  it('reads messages that contain line ends, also those that are in several chunks', () => {
    const messages = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', ' ', 'é', '1 <', '\r\n') }), {
      maxLength: 6,
    })
    const separators = fc.constantFrom('', '\n', '\r\n', '\n{"level":30,"msg":"x"}\n')
    const counts = fc.array(fc.integer({ min: 1, max: 4 }))
    fc.assert(
      fc.property(messages, separators, counts, fc.boolean(), (messages, separator, counts, reuseBuffer) => {
        const text = messages.map((message) => frame(`-${message}-`) + separator).join('')
        const items = readBytes(text, { reuseBuffer }, counts)
        const records = items.flatMap(({ record }) => record ?? [])
        expect(records.filter(({ format }) => format === 'syslog').map(({ message }) => message)).toEqual(
          messages.map((message) => `-${message}-`),
        )
        expect(items.map(textOf).join('')).toBe(text)
      }),
      { seed, numRuns: 300 },
    )
  })

  it('counts the line ends in messages as lines of the input', () => {
    const items = readBytes(`${frame('a\nb\nc')}${frame('d')}\n${frame('e')}\n`)
    expect(items.map(({ origin }) => origin.line)).toEqual([1, 3, 4])
  })

  it('reads a message with a wrong length until the end of its line', () => {
    for (const length of [1, 20, 49, 53, 4_000, 999_999, '9'.repeat(9)]) {
      const items = readBytes(`${length} ${header}one\n${frame('two')}\n`, {}, [1])
      expect([length, ...items.map(({ record }) => record?.message)]).toEqual([length, 'one', 'two'])
    }
  })

  it('reads each message of a long line only once', () => {
    const text = frame('x'.repeat(100)).repeat(20_000)
    let searched = 0
    const original = Buffer.prototype.indexOf
    Buffer.prototype.indexOf = function (this: Buffer, ...args: Parameters<typeof original>) {
      searched += this.length
      return original.apply(this, args)
    }
    try {
      expect(recordsIn(text)).toHaveLength(20_000)
    } finally {
      Buffer.prototype.indexOf = original
    }
    expect(searched).toBeLessThan(4 * text.length)
  })

  it('reads a length as text if other formats are read', () => {
    expect(recordsIn(`${frame('one')}${frame('two')}\n`, { input: 'pino' }).map(({ message }) => message)).toEqual([
      `one${frame('two')}`,
    ])
  })
})
