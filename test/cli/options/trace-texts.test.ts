import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { tracePrefixes, traceTexts } from '../../../src/cli/options/trace-prefix.ts'
import { recordIn } from '../../read/lines/read-bytes.ts'
import { seed } from '../../support/seed.ts'

const digits = '0123456789abcdef'.split('')
const hex = (length: number) => fc.string({ unit: fc.constantFrom(...digits), minLength: length, maxLength: length })

/** Returns the lines in which loggers write a trace ID. */
function linesWith(id: string): string[] {
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const forms = [id, id.toUpperCase(), uuid, uuid.toUpperCase()]
  if (id.startsWith('0'.repeat(16))) forms.push(id.slice(16))
  const lines = forms.map((form) => `{"level":30,"time":1,"msg":"x","trace_id":"${form}"}`)
  if (id.startsWith('0'.repeat(16))) {
    const decimal = String(BigInt(`0x${id}`))
    lines.push(`{"message":"x","level":"info","dd":{"trace_id":"${decimal}"}}`)
    lines.push(`{"message":"x","level":"info","dd.trace_id":"${decimal}","dd.span_id":"1"}`)
  }
  return lines
}

describe('traceTexts', () => {
  it('returns a text that is in each form of a trace ID that begins with the digits', () => {
    const ids = fc.oneof(
      hex(32),
      hex(16).map((low) => '0'.repeat(16) + low),
    )
    fc.assert(
      fc.property(ids, fc.integer({ min: 8, max: 32 }), (id, length) => {
        fc.pre(!/^0+$/.test(id) && !/^0{16}0*.$/.test(id))
        const texts = traceTexts([id.slice(0, length)])
        for (const line of linesWith(id)) {
          // Only lines that are read as records with the ID have to contain a text.
          expect(recordIn(line).traceId).toBe(id)
          expect(texts?.some((text) => line.includes(text)) ?? true).toBe(true)
        }
      }),
      { seed, numRuns: 300 },
    )
  })

  it('returns a text that is in each line that the whole ID selects, in hexadecimal digits or as a decimal number', () => {
    fc.assert(
      fc.property(hex(16), hex(16), fc.boolean(), (high, low, isDecimal) => {
        fc.pre(!high.startsWith('0') && !low.startsWith('0'))
        const prefixes = tracePrefixes(isDecimal ? String(BigInt(`0x${low}`)) : high + low)
        const texts = traceTexts(prefixes)
        const ids = ['0'.repeat(16) + low, ...(isDecimal ? [] : [high + low])]
        for (const id of ids) {
          expect(prefixes.some((prefix) => id.startsWith(prefix))).toBe(true)
          for (const line of linesWith(id)) expect(texts!.some((text) => line.includes(text))).toBe(true)
        }
      }),
      { seed, numRuns: 300 },
    )
  })

  it('returns two short texts for a whole ID, and none for zeros that can be missing', () => {
    expect(traceTexts(['4bf92f3577b34da6a3ce929d0e0e4736'])).toEqual(['929d0e', '929D0E'])
    expect(traceTexts(['4bf92f3577b3'])).toEqual(['bf92f3', 'BF92F3'])
    expect(traceTexts(['0000000000000000a3ce'])).toBeUndefined()
  })
})
