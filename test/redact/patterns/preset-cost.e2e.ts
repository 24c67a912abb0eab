import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { maxStepsPerUnit } from '../../../src/redact/pattern-cost.ts'
import { patternPresets, type PatternPresetName } from '../../../src/redact/patterns/presets.ts'
import { createPresetPattern, TextPatterns } from '../../../src/redact/patterns/text-patterns.ts'
import { boundSteps } from '../../../src/redact/regexp/step-bound.ts'
import { positives } from './corpora.ts'

const names = Object.keys(patternPresets) as PatternPresetName[]
/** The maximum length of the text that is read before or after a match. */
const shortText = 1_100

const pieces = [
  '=',
  ':',
  '@',
  '://',
  '://a:',
  'a:b@',
  'password=',
  'password=[',
  'password=["',
  'password={',
  '"password":',
  '"password":"\\',

  'password =    ',
  'password: x1y2z3 ',
  'password:',
  'password==',
  'password: > ',
  'password: [',
  "password: ['",
  "xpassage='",
  'password="a""',
  'password="a"\'',
  'password="a" + ',
  'password="a"b',
  'password=`',
  'password1234',
  'password_old_old=',
  'password\u00a0',
  'old=',
  "password=b'",
  'token[]=',
  ']]]]',
  '>>>>',
  '\\\\\\\\',
  '\\"',
  "'",
  '"',
  'Bearer ',
  'Basic a',

  'eyJ',
  'eyJ.',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  'sk-',
  'xoxb-',
  'ghp_',
  'AKIA',
  'SG.',
  'glpat-',
  'A',
  'a',
  '1',
  '1 ',
  '4111 ',

  '4111\u00a0',
  '1-',
  '1.',
  '1:',
  '::',
  ':1',
  'f:',
  '+1',
  '+1 ',
  '(415) ',
  '415-',
  'DE89',
  'DE89 ',
  'a@',
  'a.',
  '%40',
  '%5D=',
  '078-05-',
  'hooks.slack.com/',
  'pwd=',
  'pwd={',
  '%',
  '.',
  '-',
  '_',
  ' ',
  '\t',
  '\n',
]

afterEach(() => void jest.restoreAllMocks())

/** Runs a function and lists each call of the regular expression engine. */
function engineCalls(
  run: () => void,
): { readonly expression: RegExp; readonly length: number; readonly read: number }[] {
  const calls: { expression: RegExp; length: number; read: number }[] = []
  // oxlint-disable-next-line typescript/unbound-method
  const { exec } = RegExp.prototype
  jest.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    // A search reads up to its match or to the end; a sticky expression reads only its match.
    const to = found === null ? (this.sticky ? from : text.length) : found.index + found[0].length
    calls.push({ expression: this, length: text.length, read: Math.max(0, to - from) + 1 })
    return found
  })
  run()
  jest.restoreAllMocks()
  return calls
}

describe.each(names)('cost of the preset %s', (name) => {
  test('the time of each expression of the preset grows at most linearly with the text', () => {
    const patterns = new TextPatterns([createPresetPattern(name, '[R]')])
    const longest = new Map<RegExp, number>()
    const texts = [...pieces, ...positives[name].map(({ text }) => `${text} `)].map((piece) =>
      piece.repeat(Math.ceil((2 * shortText) / piece.length)),
    )
    for (const { expression, length } of texts.flatMap((text) => engineCalls(() => patterns.redact(text))))
      longest.set(expression, Math.max(longest.get(expression) ?? 0, length))
    expect(longest.size).toBeGreaterThan(1)
    const unbounded = [...longest].filter(([expression, length]) => {
      const textLength = length > shortText ? Infinity : length
      return boundSteps(expression, { textLength, limit: maxStepsPerUnit }).position !== undefined
    })
    expect(unbounded.map(([{ source }]) => source)).toEqual([])
  })

  test('the preset reads at most twice as much in a text of twice the length', () => {
    for (const piece of [...pieces, ...positives[name].slice(0, 10).map(({ text }) => text)]) {
      const work = [2_000, 4_000].map((length) => {
        const text = piece.repeat(Math.ceil(length / piece.length))
        const patterns = new TextPatterns([createPresetPattern(name, '[R]')])
        return engineCalls(() => patterns.redact(text)).reduce((sum, { read }) => sum + read, 0)
      })
      expect([piece, work[1]! <= 2.5 * work[0]! + 100]).toEqual([piece, true])
    }
  })
})
