import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { LongLine, longString, LongStrings } from '../../../src/encode/json/long-line.ts'
import { stringText } from '../../../src/encode/walk/markers.ts'
import { quote } from '../../../src/encode/json/quote.ts'
import type { EncodedBatch } from '../../../src/pipeline/exporter.ts'
import { nastyText } from '../../support/values/arbitraries.ts'
import { lineKeeper, workbench, type ParsedLine } from '../../support/files/line-keeper.ts'
import { longLength, longText, pieceLength } from '../../support/values/long-texts.ts'

const max = 2 ** 22
const limits = { recordBytes: max }

/** A workbench that also sees whether the lines were given as pieces. */
function longBench(options: Parameters<typeof workbench>[0] = {}) {
  const keeper = lineKeeper()
  const waited: boolean[] = []
  const seen = (batch: EncodedBatch) => {
    waited.push(batch.pieces !== undefined)
    return keeper.exportSync!(batch, 0, false)
  }
  const exporter = { ...keeper, export: seen }
  return { ...workbench({ limits, exporter, ...options }, keeper), waited }
}

const marker = /^([^…]*)…\[\+(\d+) characters\]$/

function waiting(value: string, maxBytes: number = Infinity): LongLine {
  return new LongLine(['"', { value }, '"'], maxBytes)
}

describe('a line with strings that wait', () => {
  const nasty = fc
    .tuple(fc.array(nastyText, { minLength: 1, maxLength: 6 }), fc.integer({ min: -12, max: 12 }), nastyText)
    .map(([parts, shift, end]) => {
      const unit = parts.join('') || 'x'
      return unit.repeat(Math.ceil(pieceLength / unit.length)).slice(0, pieceLength + shift) + unit + end
    })

  test('is the text that escaping at once makes', () => {
    fc.assert(
      fc.property(nasty, nasty, (one, other) => {
        expect(waiting(one).text() === quote(one)).toBe(true)
        const strings = new LongStrings(Infinity)
        const text = `{"a":"${strings.keep(one)}","b":"${strings.keep(other)}"}`
        expect(strings.expand(text) === `{"a":${quote(one)},"b":${quote(other)}}`).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  test('keeps the halves of a character together, wherever it stands at the end of a piece', () => {
    for (let offset = -4; offset <= 4; offset++) {
      for (const text of ['😀', '\ud800', '\udc00', '\ud800\ud800\udc00', '"', '\u009b', '\n😀', 'é日']) {
        const value = 'x'.repeat(pieceLength + offset) + text + 'y'.repeat(9)
        expect(JSON.parse(waiting(value).text()) === value).toBe(true)
        expect(waiting(value).text() === quote(value)).toBe(true)
        for (const piece of waiting(value).pieces()) expect(piece.isWellFormed()).toBe(true)
      }
    }
  })

  test('comes in pieces of no more than was escaped at a time, none of them empty, as often as it is asked', () => {
    const line = waiting('\u0001'.repeat(5 * pieceLength + 1))
    const lengths = [...line.pieces()].map(({ length }) => length)
    expect(lengths).toEqual([1, ...Array<number>(5).fill(6 * pieceLength), 6, 1])
    expect([...line.pieces()].join('')).toBe(line.text())
    expect([...new LongLine(['', { value: '' }, 'a', '']).pieces()]).toEqual(['a'])
  })
})

describe('what was logged is what the line says', () => {
  const texts: Readonly<Record<string, string>> = {
    'plain ASCII': longText('a text of plain words. '),
    'characters of two bytes': longText('é'),
    'characters of three bytes': longText('日本'),
    'surrogate pairs, at even places': longText('😀'),
    'surrogate pairs, at odd places': longText('x' + '😀'.repeat(pieceLength)),
    'halves of surrogate pairs': longText('\ud800a\udc00\udc00'),
    'quotes, backslashes and newlines': longText('"\\\n\r\t/'),
    'control characters, DEL and C1': longText('\u0000\u0001\u001f\u007f\u0080\u009b\u2028'),
    'text that looks like a mark': longText('\u00000\u0000'),
  }
  const places: Readonly<Record<string, (text: string) => [call: unknown[], said: Partial<ParsedLine>]>> = {
    'the message': (text) => [[text], { message: text }],
    'an attribute': (text) => [['m', { text, n: 1 }], { message: 'm', attributes: { text, n: 1 } }],
    'a nested value': (text) => [
      ['m', { a: [{ b: text }, 1], map: new Map([['k', text]]) }],
      { message: 'm', attributes: { a: [{ b: text }, 1], map: { k: text } } },
    ],
  }

  for (const [place, call] of Object.entries(places)) {
    const some = Object.entries(texts).slice(place === 'a nested value' ? -2 : 0)
    test.each(some)(`${place}: %s`, (_, text) => {
      const { log, line, waited } = longBench({ limits: { recordBytes: Infinity } })
      const [args, said] = call(text)
      expect(
        difference(
          line(() => log.info(...(args as [string]))),
          said,
        ),
      ).toBe('')
      expect(waited).toEqual([true])
    })
  }

  const text = longText('say "é" ')
  const other = longText('😀', longLength + 7)
  const more: Readonly<Record<string, [call: unknown[], said: Partial<ParsedLine>]>> = {
    'several strings': [
      [other, { b: text, a: other, c: [text, 'short', other] }],
      { message: other, attributes: { b: text, a: other, c: [text, 'short', other] } },
    ],
    'an attribute that a template inserts': [
      ['got {text}!', { text }],
      { message: `got ${text}!`, attributes: { text } },
    ],
    'one that a template inserts as JSON': [
      ['got {text:json}!', { text }],
      { message: `got ${JSON.stringify(text)}!`, attributes: { text } },
    ],
    'a nested one that a template inserts': [
      ['got {o}!', { o: { text } }],
      { message: `got {"text":${JSON.stringify(text)}}!`, attributes: { o: { text } } },
    ],
    'an argument of %s': [['got %s!', text], { message: `got ${text}!` }],
    'an argument of %j': [['got %j!', { text }], { message: `got {"text":${JSON.stringify(text)}}!` }],
    'what toJSON returned': [['m', { o: { toJSON: () => ({ text }) } }], { message: 'm', attributes: { o: { text } } }],
  }

  test.each(Object.entries(more))('%s', (_, [call, said]) => {
    const { log, line, waited } = longBench({ limits: { recordBytes: Infinity } })
    expect(
      difference(
        line(() => log.info(...(call as [string]))),
        said,
      ),
    ).toBe('')
    expect(waited).toEqual([true])
  })

  test('the message and the members of an exception', () => {
    const { log, line } = longBench({ limits: { recordBytes: Infinity } })
    const error = Object.assign(new Error(text), { body: other })
    const { message, attributes } = line(() => log.error(error))
    expect(
      difference({ message, attributes: { m: attributes!['exception.message'], err: attributes!.err } } as never, {
        message: text,
        attributes: { m: text, err: { body: other } },
      }),
    ).toBe('')
    expect((attributes!['exception.stacktrace'] as string).startsWith(`Error: ${text}\n    at `)).toBe(true)
  })

  test('a line before and a line after it, and what is short in the same logger', () => {
    const { log, written, waited } = longBench()
    const lines = written(() => ['a', text, 'b', { text }, 'c'].forEach((said) => log.info(said as string)))
    const said = lines.map(({ message, attributes }) => message ?? (attributes!.text as string))
    expect(said.map((each) => (each === text ? 'long' : each))).toEqual(['a', 'long', 'b', 'long', 'c'])
    expect(waited).toEqual([false, true, false, true, false])
  })
})

/** Where a line says something else; '' if nowhere. Megabytes are not worth printing. */
function difference({ message, attributes }: ParsedLine, said: Partial<ParsedLine>): string {
  if (isDeepStrictEqual({ message, attributes }, { message: undefined, attributes: undefined, ...said })) return ''
  const [is, expected] = [JSON.stringify({ message, attributes }), JSON.stringify(said)]
  let at = 0
  while (at < is.length && is[at] === expected[at]) at++
  return `${is.slice(at, at + 50)} instead of ${expected.slice(at, at + 50)}`
}

describe('a rule', () => {
  const secret = longText('secret ')

  test('that covers a long string leaves nothing of it anywhere', () => {
    const { log, keeper, line } = longBench({ redact: ['card.number', 'err.message', 'err.body'] })
    const error = Object.assign(new Error(secret), { body: secret })
    const said = line(() => log.info('{card}! %s', { card: { number: secret } }, 'x', error))
    expect(said.attributes).toMatchObject({ card: { number: '[REDACTED]' }, err: { body: '[REDACTED]' } })
    expect(keeper.text()).not.toContain('secret')
    expect(keeper.text().length).toBeLessThan(5_000)
  })

  test('whose censor answers with a long string has it written, also where a template inserts it', () => {
    const { log, line, waited } = longBench({
      limits: { recordBytes: Infinity },
      redact: { paths: ['card'], censor: (value) => `${secret}${(value as string).length}` },
    })
    const card = `${secret}4`
    expect(
      difference(
        line(() => log.info('{card}!', { card: '4111' })),
        { message: `${card}!`, attributes: { card } },
      ),
    ).toBe('')
    expect(waited).toEqual([true])
  })
})

describe('a limit', () => {
  const units: Readonly<Record<string, string>> = { 'one byte': 'x', 'six bytes': '\u0001', 'four bytes': '😀' }

  test.each(Object.entries(units))('of the line cuts a string of %s a character, and says how much', (_, unit) => {
    const { log, line, keeper, waited } = longBench()
    const text = longText(unit, 2 * max)
    const said = line(() => log.info('m', { text, n: 1 }))
    const [, kept = '', missing] = marker.exec(said.attributes!.text as string)!
    expect({ starts: text.startsWith(kept), all: kept.length + Number(missing) }).toEqual({
      starts: true,
      all: 2 * max,
    })
    const bytes = Buffer.byteLength(keeper.text())
    expect(bytes).toBeLessThanOrEqual(max)
    expect(bytes).toBeGreaterThan(max - 6 * pieceLength - 500)
    expect(said).toMatchObject({ message: 'm', attributes: { n: 1 } })
    expect(waited).toEqual([true])
  })

  // Two of them are no more than the line may hold, and wait; five are, and are escaped in the call.
  test.each([
    [1, true],
    [4, false],
  ])('of the line holds where a message and %d attributes share it', (count, waits) => {
    const { log, line, keeper, waited } = longBench()
    const text = longText('"', 2 * longLength)
    const said = line(() =>
      log.info(text, Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, text]))),
    )
    expect(Buffer.byteLength(keeper.text())).toBeLessThanOrEqual(max)
    expect(Object.values(said.attributes!).some((value) => marker.test(value as string))).toBe(true)
    expect(waited).toEqual([waits])
  })

  test.each([
    [longString, 2 ** 20, false],
    [longString + 1, 2 ** 20, true],
    [longString + 1, 2 ** 20 - 1, false],
  ])('a string of %d characters in a record of %d bytes at most waits: %s', (length, recordBytes, waits) => {
    const { log, line, waited } = longBench({ limits: { recordBytes } })
    const text = longText('x', length)
    const attributes = line(() => log.info('m', { text })).attributes!
    line(() => log.info(text))
    expect(attributes.text === text).toBe(true)
    expect(waited).toEqual([waits, waits])
  })

  // Each string may take an equal share, whatever the others leave of theirs.
  test('of the line cuts nothing of a line that keeps it', () => {
    const { log, line } = longBench()
    const said = { a: longText('a', longLength + 1), b: longText('b', 2.5 * longLength) }
    expect(
      difference(
        line(() => log.info('m', said)),
        { message: 'm', attributes: said },
      ),
    ).toBe('')
  })

  test('of strings is kept, and told once', () => {
    for (const stringLength of [10, longLength - 1, longLength, longLength + 1, 2 * longLength]) {
      const { log, line } = longBench({ limits: { stringLength, recordBytes: Infinity } })
      const text = longText('é', 3 * longLength)
      const [, kept = '', missing] = marker.exec(line(() => log.info('m', { text })).attributes!.text as string)!
      expect([kept.length, Number(missing)]).toEqual([stringLength, text.length - stringLength])
    }
  })

  test('of strings and then one of the line are told as one', () => {
    const { log, line } = longBench({ limits: { stringLength: 3 * longLength, recordBytes: 2 * longLength } })
    const text = longText('x', 4 * longLength)
    const [, kept = '', missing] = marker.exec(line(() => log.info('m', { text })).attributes!.text as string)!
    expect(kept.length + Number(missing)).toBe(text.length)
    expect(kept.length).toBeLessThan(2 * longLength)
  })

  // The first marker is cut as if it were text where it stands at the end of a piece.
  test('of strings leaves a marker that one of the line takes away whole', () => {
    const cut = stringText('x'.repeat(3 * pieceLength), 2 * pieceLength - 5)
    const line = waiting(cut, 2 * pieceLength + 9).text()
    const [, kept = '', missing] = marker.exec(JSON.parse(line) as string) ?? []
    expect(kept.length + Number(missing)).toBe(3 * pieceLength)
  })

  test('of strings that is not reached changes nothing', () => {
    const { log, line } = longBench({ limits: { stringLength: longLength + 1, recordBytes: max } })
    expect(
      difference(
        line(() => log.info('m', { text: longText('é') })),
        { message: 'm', attributes: { text: longText('é') } },
      ),
    ).toBe('')
  })

  test('of the line as it is by default has strings cut in the call, as ever', () => {
    const { log, line, keeper, waited } = longBench({ limits: {} })
    const [, kept = '', missing] = marker.exec(
      line(() => log.info('m', { text: longText('x') })).attributes!.text as string,
    )!
    expect(kept.length + Number(missing)).toBe(longLength + 1)
    expect(Buffer.byteLength(keeper.text())).toBeLessThanOrEqual(262_144)
    expect(waited).toEqual([false])
  })
})
