import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { readLogfmt } from '../../../src/read/formats/logfmt.ts'
import type { LineContext } from '../../../src/read/formats/line-context.ts'
import { seed } from '../../support/seed.ts'

const context: LineContext = {
  origin: { file: 'a.log', line: 1, container: undefined, stream: undefined },
  raw: new Uint8Array(),
}

const texts = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', '=', '\n', '\r', 'é', '\u{1F600}', '\uD800', '\0', 'n', 'x', 'u'),
})

/** Returns a text as Go's logfmt encoders quote it. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`)
  return `"${escaped.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`)}"`
}

describe('readLogfmt', () => {
  it('reads levels, times, messages, IDs and attributes', () => {
    const record = readLogfmt(
      'time=2026-11-21T09:56:03.123456Z level=warning msg="a \\"b\\"\\n\\u00e9" traceID=4BF92F3577B34DA6A3CE929D0E0E4736 span_id=00f067aa0ba902b7 n=1.5 id=007 ok=true bare empty= err="x=y z"',
      context,
    )
    expect(record).toMatchObject({
      format: 'logfmt',
      level: 'warn',
      severityNumber: 13,
      severityText: 'warning',
      timeUnixNano: 1795254963123456000n,
      message: 'a "b"\né',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
    })
    expect([...record!.attributes]).toEqual([
      ['n', 1.5],
      ['id', '007'],
      ['ok', true],
      ['bare', true],
      ['empty', ''],
      ['err', 'x=y z'],
    ])
  })

  it.each(['ts=1795254963.123 level=30', 'ts=1795254963123 level=30', 't=1795254963123000 lvl=30'])(
    'reads the time and the level that are numbers in %s',
    (line) => {
      expect(readLogfmt(line, context)).toMatchObject({ time: 1795254963123, level: 'info', severityText: undefined })
    },
  )

  it.each([
    'this is prose with a=b and c=d',
    'a=b c=d',
    'level=info',
    'set level=info now please msg',
    'level=info msg="no end',
    'level=info msg="a"b',
    'x = 1 level = info',
    'https://example.com/?level=info&msg=x',
    'level="info" and then msg="x" came here',
    '=level msg=x',
    '',
  ])('does not read %j', (line) => {
    expect(readLogfmt(line, context)).toBeUndefined()
  })

  it('reads one pair of any key if the format is given', () => {
    expect(readLogfmt('a=b', { ...context, input: 'logfmt' })!.attributes).toEqual(new Map([['a', 'b']]))
  })

  it('reads fields with the given names', () => {
    const fieldNames = new Map([
      ['level', 'sev'],
      ['message', 'text'],
    ])
    const record = readLogfmt('sev=error text=hello level=kept', { ...context, fieldNames })
    expect(record).toMatchObject({ level: 'error', message: 'hello' })
    expect(record!.attributes).toEqual(new Map([['level', 'kept']]))
  })

  it('reads any quoted text, and never throws', () => {
    fc.assert(
      fc.property(texts, texts, (text, damage) => {
        expect(readLogfmt(`level=info msg=${quote(text)}`, context)!.message).toBe(text)
        readLogfmt(`level=info msg=${damage}`, context)
      }),
      { seed, numRuns: 300 },
    )
  })
})
