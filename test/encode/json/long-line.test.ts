import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { LongLine, maxImmediateLength, LongStrings } from '../../../src/encode/json/long-line.ts'
import { cutWithMarker } from '../../../src/encode/walk/markers.ts'
import { quote } from '../../../src/encode/json/quote.ts'
import type { EncodedBatch } from '../../../src/pipeline/exporter.ts'
import { nastyText } from '../../support/values/arbitraries.ts'
import { capturingExporter, createTestLogger, type ParsedLine } from '../../support/files/test-logger.ts'
import { longLength, longText, pieceLength } from '../../support/values/long-texts.ts'

const max = 2 ** 22
const limits = { recordBytes: max }

/** A test logger that also records whether each line was passed as pieces. */
function longBench(options: Parameters<typeof createTestLogger>[0] = {}) {
  const keeper = capturingExporter()
  const deferred: boolean[] = []
  const seen = (batch: EncodedBatch) => {
    deferred.push(batch.pieces !== undefined)
    return keeper.exportSync!(batch, 0, false)
  }
  const exporter = { ...keeper, export: seen }
  return { ...createTestLogger({ limits, exporter, ...options }, keeper), deferred }
}

const marker = /^([^…]*)…\[\+(\d+) characters\]$/

function deferredLine(value: string, maxBytes: number = Infinity): LongLine {
  return new LongLine(['"', { value }, '"'], maxBytes)
}

describe('lines with deferred strings', () => {
  const nasty = fc
    .tuple(fc.array(nastyText, { minLength: 1, maxLength: 6 }), fc.integer({ min: -12, max: 12 }), nastyText)
    .map(([parts, shift, end]) => {
      const unit = parts.join('') || 'x'
      return unit.repeat(Math.ceil(pieceLength / unit.length)).slice(0, pieceLength + shift) + unit + end
    })

  test('a deferred string is written with the same text as a string that is escaped immediately', () => {
    fc.assert(
      fc.property(nasty, nasty, (one, other) => {
        expect(deferredLine(one).text() === quote(one)).toBe(true)
        const strings = new LongStrings(Infinity)
        const text = `{"a":"${strings.add(one)}","b":"${strings.add(other)}"}`
        expect(strings.expand(text) === `{"a":${quote(one)},"b":${quote(other)}}`).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  test('a surrogate pair at the end of a piece is not divided', () => {
    for (let offset = -4; offset <= 4; offset++) {
      for (const text of ['😀', '\ud800', '\udc00', '\ud800\ud800\udc00', '"', '\u009b', '\n😀', 'é日']) {
        const value = 'x'.repeat(pieceLength + offset) + text + 'y'.repeat(9)
        expect(JSON.parse(deferredLine(value).text()) === value).toBe(true)
        expect(deferredLine(value).text() === quote(value)).toBe(true)
        for (const piece of deferredLine(value).pieces()) expect(piece.isWellFormed()).toBe(true)
      }
    }
  })

  test('the pieces of a line have a limited length, are not empty, and can be read repeatedly', () => {
    const line = deferredLine('\u0001'.repeat(5 * pieceLength + 1))
    const lengths = [...line.pieces()].map(({ length }) => length)
    expect(lengths).toEqual([1, ...Array<number>(5).fill(6 * pieceLength), 6, 1])
    expect([...line.pieces()].join('')).toBe(line.text())
    expect([...new LongLine(['', { value: '' }, 'a', '']).pieces()]).toEqual(['a'])
  })
})

describe('content of long lines', () => {
  const texts: Readonly<Record<string, string>> = {
    'plain ASCII': longText('a text of plain words. '),
    'characters of two bytes': longText('é'),
    'characters of three bytes': longText('日本'),
    'surrogate pairs, at even places': longText('😀'),
    'surrogate pairs, at odd places': longText('x' + '😀'.repeat(pieceLength)),
    'halves of surrogate pairs': longText('\ud800a\udc00\udc00'),
    'quotes, backslashes and newlines': longText('"\\\n\r\t/'),
    'control characters, DEL and C1': longText('\u0000\u0001\u001f\u007f\u0080\u009b\u2028'),
    'text that resembles a marker': longText('\u00000\u0000'),
  }
  const places: Readonly<Record<string, (text: string) => [call: unknown[], logged: Partial<ParsedLine>]>> = {
    'the message': (text) => [[text], { message: text }],
    'an attribute': (text) => [['m', { text, n: 1 }], { message: 'm', attributes: { text, n: 1 } }],
    'a nested value': (text) => [
      ['m', { a: [{ b: text }, 1], map: new Map([['k', text]]) }],
      { message: 'm', attributes: { a: [{ b: text }, 1], map: { k: text } } },
    ],
  }

  for (const [place, call] of Object.entries(places)) {
    const some = Object.entries(texts).slice(place === 'a nested value' ? -2 : 0)
    test.each(some)(`a long string is written completely in ${place}: %s`, (_, text) => {
      const { log, captureLine, deferred } = longBench({ limits: { recordBytes: Infinity } })
      const [args, logged] = call(text)
      expect(
        difference(
          captureLine(() => log.info(...(args as [string]))),
          logged,
        ),
      ).toBe('')
      expect(deferred).toEqual([true])
    })
  }

  const text = longText('say "é" ')
  const other = longText('😀', longLength + 7)
  const more: Readonly<Record<string, [call: unknown[], logged: Partial<ParsedLine>]>> = {
    'several strings': [
      [other, { b: text, a: other, c: [text, 'short', other] }],
      { message: other, attributes: { b: text, a: other, c: [text, 'short', other] } },
    ],
    'an attribute that a template inserts': [
      ['got {text}!', { text }],
      { message: `got ${text}!`, attributes: { text } },
    ],
    'an attribute that a template inserts as JSON': [
      ['got {text:json}!', { text }],
      { message: `got ${JSON.stringify(text)}!`, attributes: { text } },
    ],
    'a nested string that a template inserts': [
      ['got {o}!', { o: { text } }],
      { message: `got {"text":${JSON.stringify(text)}}!`, attributes: { o: { text } } },
    ],
    'an argument of %s': [['got %s!', text], { message: `got ${text}!` }],
    'an argument of %j': [['got %j!', { text }], { message: `got {"text":${JSON.stringify(text)}}!` }],
    'a toJSON result': [['m', { o: { toJSON: () => ({ text }) } }], { message: 'm', attributes: { o: { text } } }],
  }

  test.each(Object.entries(more))('long strings are written completely in %s', (_, [call, logged]) => {
    const { log, captureLine, deferred } = longBench({ limits: { recordBytes: Infinity } })
    expect(
      difference(
        captureLine(() => log.info(...(call as [string]))),
        logged,
      ),
    ).toBe('')
    expect(deferred).toEqual([true])
  })

  test('a long message and long members of an exception are written completely', () => {
    const { log, captureLine } = longBench({ limits: { recordBytes: Infinity } })
    const error = Object.assign(new Error(text), { body: other })
    const { message, attributes } = captureLine(() => log.error(error))
    expect(
      difference({ message, attributes: { m: attributes!['exception.message'], err: attributes!.err } } as never, {
        message: text,
        attributes: { m: text, err: { body: other } },
      }),
    ).toBe('')
    expect((attributes!['exception.stacktrace'] as string).startsWith(`Error: ${text}\n    at `)).toBe(true)
  })

  test('short lines before and after a long line are not affected', () => {
    const { log, captureLines, deferred } = longBench()
    const lines = captureLines(() => ['a', text, 'b', { text }, 'c'].forEach((logged) => log.info(logged as string)))
    const logged = lines.map(({ message, attributes }) => message ?? (attributes!.text as string))
    expect(logged.map((each) => (each === text ? 'long' : each))).toEqual(['a', 'long', 'b', 'long', 'c'])
    expect(deferred).toEqual([false, true, false, true, false])
  })
})

/** Returns the first difference between a line and the expected line, or '' if the lines are equal, in place of a long diff. */
function difference({ message, attributes }: ParsedLine, logged: Partial<ParsedLine>): string {
  if (isDeepStrictEqual({ message, attributes }, { message: undefined, attributes: undefined, ...logged })) return ''
  const [is, expected] = [JSON.stringify({ message, attributes }), JSON.stringify(logged)]
  let at = 0
  while (at < is.length && is[at] === expected[at]) at++
  return `${is.slice(at, at + 50)} instead of ${expected.slice(at, at + 50)}`
}

describe('redaction of long strings', () => {
  const secret = longText('secret ')

  test('a long string that is redacted leaves no trace in the line', () => {
    const { log, exporter, captureLine } = longBench({ redact: ['card.number', 'err.message', 'err.body'] })
    const error = Object.assign(new Error(secret), { body: secret })
    const logged = captureLine(() => log.info('{card}! %s', { card: { number: secret } }, 'x', error))
    expect(logged.attributes).toMatchObject({ card: { number: '[REDACTED]' }, err: { body: '[REDACTED]' } })
    expect(exporter.text()).not.toContain('secret')
    expect(exporter.text().length).toBeLessThan(5_000)
  })

  test('a long censor is written completely, also where a template inserts it', () => {
    const { log, captureLine, deferred } = longBench({
      limits: { recordBytes: Infinity },
      redact: { paths: ['card'], censor: (value) => `${secret}${(value as string).length}` },
    })
    const card = `${secret}4`
    expect(
      difference(
        captureLine(() => log.info('{card}!', { card: '4111' })),
        { message: `${card}!`, attributes: { card } },
      ),
    ).toBe('')
    expect(deferred).toEqual([true])
  })
})

describe('limits on long strings', () => {
  const units: Readonly<Record<string, string>> = { 'one byte': 'x', 'six bytes': '\u0001', 'four bytes': '😀' }

  test.each(Object.entries(units))('recordBytes limits a string of %s per character and counts the rest', (_, unit) => {
    const { log, captureLine, exporter, deferred } = longBench()
    const text = longText(unit, 2 * max)
    const logged = captureLine(() => log.info('m', { text, n: 1 }))
    const [, kept = '', missing] = marker.exec(logged.attributes!.text as string)!
    expect({ starts: text.startsWith(kept), all: kept.length + Number(missing) }).toEqual({
      starts: true,
      all: 2 * max,
    })
    const bytes = Buffer.byteLength(exporter.text())
    expect(bytes).toBeLessThanOrEqual(max)
    expect(bytes).toBeGreaterThan(max - 6 * pieceLength - 500)
    expect(logged).toMatchObject({ message: 'm', attributes: { n: 1 } })
    expect(deferred).toEqual([true])
  })

  // Two of these strings fit into the line and are deferred; five do not, and are escaped in the call.
  test.each([
    [1, true],
    [4, false],
  ])('recordBytes limits a line in which a message and %d attributes are long', (count, isDeferred) => {
    const { log, captureLine, exporter, deferred } = longBench()
    const text = longText('"', 2 * longLength)
    const logged = captureLine(() =>
      log.info(text, Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, text]))),
    )
    expect(Buffer.byteLength(exporter.text())).toBeLessThanOrEqual(max)
    expect(Object.values(logged.attributes!).some((value) => marker.test(value as string))).toBe(true)
    expect(deferred).toEqual([isDeferred])
  })

  test.each([
    [maxImmediateLength, 2 ** 20, false],
    [maxImmediateLength + 1, 2 ** 20, true],
    [maxImmediateLength + 1, 2 ** 20 - 1, false],
  ])('a string of %d characters in a record of at most %d bytes is deferred: %s', (length, recordBytes, isDeferred) => {
    const { log, captureLine, deferred } = longBench({ limits: { recordBytes } })
    const text = longText('x', length)
    const attributes = captureLine(() => log.info('m', { text })).attributes!
    captureLine(() => log.info(text))
    expect(attributes.text === text).toBe(true)
    expect(deferred).toEqual([isDeferred, isDeferred])
  })

  // Each string may use an equal share of the line, whatever the length of the others.
  test('recordBytes truncates nothing in a line that is within the limit', () => {
    const { log, captureLine } = longBench()
    const logged = { a: longText('a', longLength + 1), b: longText('b', 2.5 * longLength) }
    expect(
      difference(
        captureLine(() => log.info('m', logged)),
        { message: 'm', attributes: logged },
      ),
    ).toBe('')
  })

  test('stringLength truncates a long string with one marker', () => {
    for (const stringLength of [10, longLength - 1, longLength, longLength + 1, 2 * longLength]) {
      const { log, captureLine } = longBench({ limits: { stringLength, recordBytes: Infinity } })
      const text = longText('é', 3 * longLength)
      const [, kept = '', missing] = marker.exec(captureLine(() => log.info('m', { text })).attributes!.text as string)!
      expect([kept.length, Number(missing)]).toEqual([stringLength, text.length - stringLength])
    }
  })

  test('a string that stringLength and then recordBytes truncate has one marker', () => {
    const { log, captureLine } = longBench({ limits: { stringLength: 3 * longLength, recordBytes: 2 * longLength } })
    const text = longText('x', 4 * longLength)
    const [, kept = '', missing] = marker.exec(captureLine(() => log.info('m', { text })).attributes!.text as string)!
    expect(kept.length + Number(missing)).toBe(text.length)
    expect(kept.length).toBeLessThan(2 * longLength)
  })

  // The first marker is truncated like text if it is at the end of a piece.
  test('recordBytes removes the marker of stringLength completely', () => {
    const cut = cutWithMarker('x'.repeat(3 * pieceLength), 2 * pieceLength - 5)
    const line = deferredLine(cut, 2 * pieceLength + 9).text()
    const [, kept = '', missing] = marker.exec(JSON.parse(line) as string) ?? []
    expect(kept.length + Number(missing)).toBe(3 * pieceLength)
  })

  test('stringLength does not change a string within the limit', () => {
    const { log, captureLine } = longBench({ limits: { stringLength: longLength + 1, recordBytes: max } })
    expect(
      difference(
        captureLine(() => log.info('m', { text: longText('é') })),
        { message: 'm', attributes: { text: longText('é') } },
      ),
    ).toBe('')
  })

  test('the default recordBytes truncates strings in the call without deferring them', () => {
    const { log, captureLine, exporter, deferred } = longBench({ limits: {} })
    const [, kept = '', missing] = marker.exec(
      captureLine(() => log.info('m', { text: longText('x') })).attributes!.text as string,
    )!
    expect(kept.length + Number(missing)).toBe(longLength + 1)
    expect(Buffer.byteLength(exporter.text())).toBeLessThanOrEqual(262_144)
    expect(deferred).toEqual([false])
  })
})
