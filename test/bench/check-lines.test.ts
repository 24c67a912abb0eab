import { describe, expect, test } from '@jest/globals'
import type { Job } from '../../bench/methods/method.ts'
import { checkLines, linesOf } from '../../bench/run/check-lines.ts'
import { plainLine } from '../../bench/subjects/plain-line.ts'

const job: Job = { scenario: 'program-object', variant: 'file', subject: 'console', build: '', records: 6 }
const { expected } = linesOf(job)
const whole = Array.from({ length: 6 }, (_, index) => {
  const { message, attributes } = expected!(index)
  return plainLine(message, attributes)
})

const problemsOf = async (text: string): Promise<readonly string[]> =>
  (await checkLines(Buffer.from(text), job)).problems

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Returns the lines with a change of the line at `index`. */
const changed = (index: number, change: (line: string) => string): string =>
  textOf(whole.with(index, change(whole[index]!)))

test('checkLines returns no problem and counts all bytes of complete lines in order', async () => {
  const text = textOf(whole)
  expect(await checkLines(Buffer.from(text), job)).toEqual({ bytes: text.length, lines: 6, problems: [] })
})

describe('checkLines', () => {
  test.each([
    ['a missing line', textOf(whole.toSpliced(2, 1)), 'line 3: the attributes are {"cycle":3', '5 lines for 6 records'],
    ['a missing last line', textOf(whole.slice(0, 5)), '5 lines for 6 records'],
    ['missing lines', '', '0 lines for 6 records'],
    ['a duplicate line', textOf(whole.toSpliced(2, 0, whole[2]!)), 'line 4: the attributes', '7 lines for 6 records'],
    ['an extra line', textOf([...whole, whole[5]!]), '7 lines for 6 records'],
    ['two swapped lines', textOf(whole.with(1, whole[2]!).with(2, whole[1]!)), 'line 2: the attributes'],
    ['a truncated line', changed(3, (line) => line.slice(0, 40)), 'line 4: cannot be read: {"time"'],
    ['a line inside another line', changed(3, (line) => line.slice(0, 40) + line), 'line 4: cannot be read'],
    ['two lines in one', textOf(whole).replace('}\n', '}'), 'line 1: cannot be read', '5 lines for 6 records'],
    ['an incomplete last line', textOf(whole).slice(0, -1), 'the last line has no line feed', '5 lines for 6 records'],
    [
      'another message',
      changed(0, (line) => line.replace('cycle done', 'cycle gone')),
      'line 1: the message is "cycle g',
    ],
    ['another value', changed(4, (line) => line.replace('"cycle":4', '"cycle":40')), 'line 5: the attributes'],
    [
      'a value of another type',
      changed(4, (line) => line.replace('"cycle":4', '"cycle":"4"')),
      'line 5: the attributes',
    ],
    ['a missing attribute', changed(4, (line) => line.replace(/"phase":"\w+",/, '')), 'line 5: the attributes'],
    ['an extra attribute', changed(4, (line) => line.replace('}', ',"more":1}')), 'line 5: the attributes'],
    ['another level', changed(5, (line) => line.replace('"info"', '"warn"')), 'line 6: the level is warn'],
    ['a missing time', changed(5, (line) => line.replace(/"time":\d+,/, '')), 'line 6: the time is NaN'],
    ['an old time', changed(5, (line) => line.replace(/"time":\d+/, '"time":1')), 'line 6: the time is 1'],
  ])('checkLines reports %s', async (_name, text, ...problems) => {
    const found = await problemsOf(text)
    for (const problem of problems) expect(found).toContainEqual(expect.stringContaining(problem))
  })
})

test('checkLines reports the first three of many wrong lines', async () => {
  const problems = await problemsOf(textOf(whole.toReversed()))
  expect(problems).toHaveLength(3)
})

test('checkLines shortens the text that a problem quotes', async () => {
  const [problem] = await problemsOf(changed(4, (line) => line.replace('"sum"', `"${'a'.repeat(1_000)}"`)))
  expect(problem).toMatch(/^line 5: the attributes are .{1,200}a…$/)
})

describe('checkLines with a warm-up', () => {
  const warmUp = 1_000
  const warmJob: Job = { scenario: 'memory', variant: 'file', subject: 'console', build: '', records: 6 }
  const all = Array.from({ length: warmUp + 6 }, (_, index) => {
    const { message, attributes } = linesOf(warmJob).expected!(index)
    return plainLine(message, attributes)
  })
  const verdictOn = (lines: readonly string[]) => checkLines(Buffer.from(textOf(lines)), warmJob)
  const wrongAt = (index: number) => verdictOn(all.with(index, all[index]!.replace('served', 'swerved')))

  test('checkLines counts all lines, and the bytes of the timed lines', async () => {
    const bytes = textOf(all.slice(warmUp)).length
    expect(await verdictOn(all)).toEqual({ bytes, lines: warmUp + 6, problems: [] })
    const { problems } = await verdictOn(all.toSpliced(3, 1))
    expect(problems).toContain('1005 lines for 1006 records')
  })

  test('checkLines checks every timed line', async () => {
    for (let index = warmUp; index < all.length; index++) {
      const { problems } = await wrongAt(index)
      expect(problems).toEqual([`line ${index + 1}: the message is "request swerved"`])
    }
  })

  test('checkLines checks one of sixteen warm-up lines', async () => {
    const found = await Promise.all(Array.from({ length: 48 }, async (_, index) => (await wrongAt(index)).problems))
    expect(found.flatMap(({ length }, index) => (length > 0 ? [index] : []))).toEqual([0, 16, 32])
  })
})
