import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { DuplicateFinder } from '../../../src/viewer/store/duplicate-finder.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'

const start = 1_700_000_000_000

/** A record of a program, and the ways in which it comes. Times are ms after the start. */
const record = fc.record({
  time: fc.integer({ min: 0, max: 20 }).map((step) => step * 10),
  severityNumber: fc.constantFrom(5, 9, 17),
  message: fc.constantFrom('a', 'b'),
  isInOutput: fc.boolean(),
  isSent: fc.boolean(),
  /** How long after the record each way delivers it. */
  outputDelay: fc.integer({ min: 0, max: 30 }),
  sendDelay: fc.integer({ min: 0, max: 900 }),
  /** How long before its delivery a request with the record was refused; undefined if none was. */
  refusedBefore: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
  hasTime: fc.boolean(),
  /** By how much the times of the two differ. */
  skew: fc.integer({ min: -2, max: 2 }),
})
type TestRecord = typeof record extends fc.Arbitrary<infer T> ? T : never

function startedFinder(): DuplicateFinder {
  const finder = new DuplicateFinder()
  finder.begin()
  return finder
}

/** Returns whether a record that is received by OTLP is a duplicate. */
function isDuplicate(finder: DuplicateFinder, time: number, severityNumber: number, message: () => string): boolean {
  const isFound = finder.isDuplicate(time, severityNumber, message)
  finder.commit()
  return isFound
}

const keyOf = ({ time, severityNumber, message }: TestRecord) => `${time} ${severityNumber} ${message}`
const level = (severityNumber: number) => (severityNumber + 3) >> 2

/** Returns what is added to the store, as the key of each record. */
function addedOf(records: readonly TestRecord[]): {
  readonly added: readonly string[]
  readonly finder: DuplicateFinder
} {
  const finder = startedFinder()
  const added: string[] = []
  const arrivals = records.flatMap((each) => [
    ...(each.isInOutput ? [{ each, at: start + each.time + each.outputDelay, way: 'output' }] : []),
    ...(each.isSent ? [{ each, at: start + each.time + each.sendDelay, way: 'sent' }] : []),
    ...(each.isSent && each.refusedBefore !== undefined
      ? [{ each, at: start + each.time + Math.max(0, each.sendDelay - each.refusedBefore), way: 'refused' }]
      : []),
  ])
  for (const { each, at, way } of arrivals.toSorted((a, b) => a.at - b.at)) {
    const { severityNumber, message } = each
    const time = start + each.time
    if (way === 'refused') {
      finder.isDuplicate(time, severityNumber, () => message)
      finder.undo()
    } else if (way === 'output')
      finder.addOutput({ time: each.hasTime ? time + each.skew : undefined, severityNumber, message }, at, 10, () =>
        added.push(keyOf(each)),
      )
    else if (!isDuplicate(finder, time, severityNumber, () => message)) added.push(keyOf(each))
  }
  finder.flush()
  return { added, finder }
}

test('each record of a program is added once, however often and in whichever order it comes', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(record, {
        // Each has another time, level or message, so that they are different records.
        selector: ({ time, severityNumber, message, hasTime }) =>
          `${hasTime ? time : 'any'} ${severityNumber} ${message}`,
        maxLength: 40,
      }),
      (records) => {
        // A record without a time is the same as any of its level and message, so it must be the only one.
        const isAlone = (each: TestRecord) =>
          records.filter(
            (other) => level(other.severityNumber) === level(each.severityNumber) && other.message === each.message,
          ).length === 1
        const shown = records
          .filter((each) => each.hasTime || isAlone(each))
          .filter((each) => each.isInOutput || each.isSent)
        const { added, finder } = addedOf(shown)
        expect(added.toSorted()).toEqual(shown.map(keyOf).toSorted())
        // The first arrival of OTLP before any output is not compared.
        expect(finder.count).toBeLessThanOrEqual(shown.filter((each) => each.isInOutput && each.isSent).length)
      },
    ),
    { seed, numRuns: 300 * runs },
  )
})

test('a record that is repeated in the output is not a duplicate', () => {
  const finder = startedFinder()
  let added = 0
  for (let index = 0; index < 3; index++)
    finder.addOutput({ time: start, severityNumber: 9, message: 'tick' }, start, 10, () => added++)
  expect(added).toBe(3)
  const sent = Array.from({ length: 4 }, () => isDuplicate(finder, start, 9, () => 'tick'))
  expect(sent).toEqual([true, true, true, false])
  expect(finder.count).toBe(3)
})

test.each([
  ['another time', start + 3, 9, 'tick'],
  ['another level', start, 13, 'tick'],
  ['another message', start, 9, 'tack'],
  ['an unknown time', 0, 9, 'tick'],
])('a record with %s is not a duplicate', (_, time, severityNumber, message) => {
  const finder = startedFinder()
  finder.addOutput({ time: start, severityNumber: 9, message: 'tick' }, start, 10, () => undefined)
  expect(isDuplicate(finder, time, severityNumber, () => message)).toBe(false)
  expect(isDuplicate(finder, start, 10, () => 'tick')).toBe(true)
})

const errorText = { time: undefined, severityNumber: 17, message: 'slow', isWarningOrError: true }

test.each([
  ['is the same as a warning of OTLP', 13, true],
  ['is the same as an error of OTLP', 17, true],
  ['is not the same as a record of OTLP with the level info', 9, false],
  ['is not the same as a record of OTLP with the level fatal', 21, false],
])('text of standard error %s that came before it', (_, severityNumber, isSame) => {
  const finder = startedFinder()
  let added = 0
  expect(isDuplicate(finder, start, severityNumber, () => 'slow')).toBe(false)
  finder.addOutput(errorText, start, 10, () => added++)
  finder.flush()
  expect(added).toBe(isSame ? 0 : 1)
  expect(finder.count).toBe(isSame ? 1 : 0)
})

test.each([
  ['a warning of OTLP is the same as text of standard error that was added before', 13, true],
  ['an error of OTLP is the same as text of standard error that was added before', 17, true],
  ['a record of OTLP with the level info is not the same as text of standard error', 9, false],
])('%s', (_, severityNumber, isSame) => {
  const finder = startedFinder()
  let added = 0
  finder.addOutput(errorText, start, 10, () => added++)
  expect(added).toBe(1)
  expect(isDuplicate(finder, start, severityNumber, () => 'slow')).toBe(isSame)
  expect(isDuplicate(finder, start, severityNumber, () => 'slow')).toBe(false)
  expect(finder.count).toBe(isSame ? 1 : 0)
})

test.each([
  ['a warning', 13],
  ['an error', 17],
])('text of standard error that is held back is replaced by %s of OTLP', (_, severityNumber) => {
  const finder = startedFinder()
  let added = 0
  finder.addOutput(errorText, start, 10, () => added++)
  // After the first pair, text is held back.
  expect(isDuplicate(finder, start, 13, () => 'slow')).toBe(true)
  finder.addOutput(errorText, start + 100, 10, () => added++)
  expect(added).toBe(1)
  expect(isDuplicate(finder, start + 100, severityNumber, () => 'slow')).toBe(false)
  finder.flush()
  expect(added).toBe(1)
  expect(finder.count).toBe(2)
})

test('an error of the output that has a level is not the same as a warning of OTLP', () => {
  const finder = startedFinder()
  finder.addOutput({ time: start, severityNumber: 17, message: 'slow' }, start, 10, () => undefined)
  expect(isDuplicate(finder, start, 13, () => 'slow')).toBe(false)
  expect(isDuplicate(finder, start, 17, () => 'slow')).toBe(true)
})

test('the message of a record of OTLP is not read without a program', () => {
  const finder = new DuplicateFinder()
  let reads = 0
  expect(isDuplicate(finder, start, 9, () => String(++reads))).toBe(false)
  expect(reads).toBe(0)
})

test('after the first duplicate, the record of OTLP is kept, and others of the output are added in order', () => {
  const finder = startedFinder()
  const added: string[] = []
  const write = (message: string) =>
    finder.addOutput({ time: start, severityNumber: 9, message }, start, 10, () => added.push(message))
  write('first')
  expect(isDuplicate(finder, start, 9, () => 'first')).toBe(true)
  for (const message of ['second', 'third', 'fourth']) write(message)
  expect(added).toEqual(['first'])
  expect(isDuplicate(finder, start, 9, () => 'third')).toBe(false)
  finder.flush()
  expect(added).toEqual(['first', 'second', 'fourth'])
  expect(finder.count).toBe(2)
  // An SDK can send it later.
  expect(isDuplicate(finder, start, 9, () => 'second')).toBe(true)
})

test('the output is not held back any more when nothing of it is sent', () => {
  const finder = startedFinder()
  const added: number[] = []
  const write = (index: number) =>
    finder.addOutput({ time: start + index, severityNumber: 9, message: 'tick' }, start, 10, () => added.push(index))
  write(0)
  isDuplicate(finder, start, 9, () => 'tick')
  for (let index = 1; index <= 201; index++) write(index * 10)
  finder.flush()
  write(9_000)
  expect(added).toHaveLength(203)
})

test('very many records of the output are held back only up to a limit, and none is lost', () => {
  const finder = startedFinder()
  const added = new Set<number>()
  finder.addOutput({ time: start, severityNumber: 9, message: 'tick' }, start, 10, () => added.add(0))
  isDuplicate(finder, start, 9, () => 'tick')
  for (let index = 1; index <= 10_100; index++)
    finder.addOutput({ time: start + index, severityNumber: 9, message: `m ${index}` }, start, 10, () =>
      added.add(index),
    )
  expect(added.size).toBe(101)
  finder.flush()
  expect(added.size).toBe(10_101)
})

test('records that are held back for the same ones of OTLP are limited by their bytes, and none is lost', () => {
  const finder = startedFinder()
  const added: number[] = []
  const write = (index: number) =>
    finder.addOutput({ time: start + index, severityNumber: 9, message: `m ${index}` }, start, 1_000_000, () =>
      added.push(index),
    )
  write(0)
  expect(isDuplicate(finder, start, 9, () => 'm 0')).toBe(true)
  for (let index = 1; index <= 20; index++) write(index)
  expect(added).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  // Those that came by OTLP are not held back any more.
  for (let index = 13; index <= 16; index++)
    expect(isDuplicate(finder, start + index, 9, () => `m ${index}`)).toBe(false)
  for (let index = 21; index <= 24; index++) write(index)
  expect(added).toHaveLength(13)
  finder.flush()
  expect(added.slice(13)).toEqual([17, 18, 19, 20, 21, 22, 23, 24])
})

test('a request that is refused is compared again when it is sent again', () => {
  const finder = startedFinder()
  const added: string[] = []
  const write = (message: string) =>
    finder.addOutput({ time: start, severityNumber: 9, message }, start, 10, () => added.push(message))
  const send = () => ['added', 'held', 'later'].map((message) => finder.isDuplicate(start, 9, () => message))
  write('first')
  expect(isDuplicate(finder, start, 9, () => 'first')).toBe(true)
  write('added')
  finder.flush()
  write('held')
  for (let times = 0; times < 3; times++) {
    expect(send()).toEqual([true, false, false])
    finder.undo()
    expect(finder.count).toBe(1)
  }
  // What a refused request contained is not known, so the output is added.
  write('later')
  finder.flush()
  expect(added).toEqual(['first', 'added', 'held', 'later'])
  expect(send()).toEqual([true, true, true])
  finder.commit()
  expect(finder.count).toBe(4)
})

test('within one request, each record of the output is found once', () => {
  const finder = startedFinder()
  finder.addOutput({ time: start, severityNumber: 9, message: 'tick' }, start, 10, () => undefined)
  expect([1, 2].map(() => finder.isDuplicate(start, 9, () => 'tick'))).toEqual([true, false])
  finder.commit()
  expect(finder.count).toBe(1)
})
