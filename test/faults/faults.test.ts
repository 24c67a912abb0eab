import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { startFaultChild } from './harness/fault-child.ts'
import { checkOutcome, type AllowedEffects, type ProcessOutcome } from './harness/check-outcome.ts'
import { inconsistentSums, findMismatches, readSink, countSequence, type ReportedStats } from './harness/oracle.ts'
import { faultRecord } from './harness/records.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const completeStats: ReportedStats = {
  emitted: 3,
  accepted: 3,
  filtered: 0,
  written: 3,
  queued: 0,
  unknown: 0,
  maybeDuplicated: 0,
  dropped: { total: 0, byReason: {} },
}
const lines = [0, 1, 2].map((seq) => `${JSON.stringify(faultRecord('r', 1, seq, 3))}\n`)

function mismatchesWith(text: string, stats: Partial<ReportedStats> = {}): string[] {
  return findMismatches(readSink(text, 'r'), new Map([[1, { ...completeStats, ...stats }]]))
}

describe('findMismatches', () => {
  test('findMismatches returns no mismatch when the sink matches the statistics', () => {
    expect(mismatchesWith(lines.join(''))).toEqual([])
  })

  test.each([
    ['a missing record', lines.slice(1).join(''), {}, '1 of 3 written records are missing'],
    [
      'a record that is not counted as written',
      lines.join(''),
      { emitted: 2, accepted: 2, written: 2 },
      '1 more records than were counted',
    ],
    ['a duplicate record', `${lines.join('')}${lines[0]}`, {}, '1 duplicates, 0 counted'],
    ['records out of order', [lines[1], lines[0], lines[2]].join(''), {}, '1 out of order'],
    ['a torn line', `${lines.join('')}{"run":"r","pi`, {}, '1 torn lines'],
    ['a record with changed bytes', lines.join('').replace('xxx', 'xxy'), {}, '1 torn lines'],
    ['an inconsistent sum', lines.join(''), { unknown: 1 }, 'accepted 3 is not 3 + 0 + 1 + 0'],
  ])('findMismatches finds %s', (_what, text, stats, message) => {
    expect(mismatchesWith(text, stats).join('\n')).toContain(message)
  })

  test('findMismatches accepts a record with an unknown outcome whether or not it is in the sink', () => {
    const stats = { written: 2, unknown: 1 }
    expect(mismatchesWith(lines.join(''), stats)).toEqual([])
    expect(mismatchesWith(lines.slice(1).join(''), stats)).toEqual([])
    expect(mismatchesWith(lines.slice(2).join(''), stats)).not.toEqual([])
  })
})

const dropReport = (count: number) =>
  `${JSON.stringify({
    'otel.event.name': 'sluice.records_dropped',
    attributes: { dropped: count, by_reason: { queue_full: count } },
  })}\n`
const lossyStats: ReportedStats = {
  ...completeStats,
  emitted: 5,
  accepted: 5,
  dropped: { total: 2, byReason: { queue_full: 2 } },
}

function checked(
  text: string,
  stats: ReportedStats | undefined,
  allowed: AllowedEffects,
  more: Partial<ProcessOutcome> = {},
): string[] {
  const contents = readSink(text, 'r')
  return checkOutcome({ pid: 1, logged: 3, contents, stats, stderr: '', errors: [], ...more }, allowed)
}

describe('checkOutcome', () => {
  const reported: AllowedEffects = { losses: 'reported', reasons: ['queue_full'] }

  test('checkOutcome returns nothing when every record is in the sink, with and without statistics', () => {
    expect(checked(lines.join(''), completeStats, {})).toEqual([])
    expect(checked(lines.join(''), undefined, {})).toEqual([])
  })

  test('checkOutcome allows losses that a logger with statistics reports in the stream or at exit', () => {
    const text = dropReport(2) + lines.join('')
    const stats = { ...lossyStats, emitted: 6, accepted: 6, written: 4 }
    expect(checked(text, stats, { ...reported, recovered: true }, { logged: 5 })).toEqual([])
    const stderr = 'sluice: SLUICE_RECORDS_LOST: 1 record could not be written to x; 1 was lost earlier\n'
    expect(checked(lines.join(''), lossyStats, reported, { logged: 5, stderr })).toEqual([])
  })

  test.each<[string, string, ReportedStats | undefined, AllowedEffects, string]>([
    ['a loss that is not allowed', lines.join(''), lossyStats, {}, '2 of 3 dropped'],
    [
      'a loss with another reason',
      lines.join(''),
      lossyStats,
      { losses: 'reported', reasons: ['io_error'] },
      '2 dropped for queue',
    ],
    ['an unreported loss', lines.join(''), lossyStats, reported, '2 dropped, 0 of them reported'],
    ['a loss without a drop report', lines.join(''), lossyStats, { ...reported, recovered: true }, 'no drop report'],
    [
      'records that were not counted',
      lines.join(''),
      { ...completeStats, emitted: 2, accepted: 2 },
      {},
      '1 of 3 were not counted',
    ],
    ['queued records', lines.join(''), { ...completeStats, queued: 1 }, {}, '1 were still queued'],
    ['a loss that is not allowed, without statistics', lines[0]!, undefined, {}, '2 of 3 lost without a report'],
    ['an unreported loss, without statistics', lines[0]!, undefined, reported, '2 of 3 lost without a report'],
    ['disorder, without statistics', lines.toReversed().join(''), undefined, {}, '2 out of order'],
    ['a torn line, without statistics', `${lines.join('')}{`, undefined, {}, '1 line torn'],
    ['duplicate records, without statistics', lines.join('') + lines[0]!, undefined, {}, '1 written twice'],
  ])('checkOutcome finds %s', (_what, text, stats, allowed, message) => {
    expect(checked(text, stats, allowed).join('\n')).toContain(message)
  })

  test('checkOutcome allows losses that a logger without statistics reports, but not if only the program reports an error', () => {
    expect(checked(lines[0]!, undefined, reported, { errors: ['ENOSPC'] })).toEqual([])
    expect(checked(lines[0]!, undefined, reported, { stderr: 'cannot write' })).toEqual([])
    expect(checked(lines[0]!, undefined, reported, { stderr: 'Error: mine' })).toHaveLength(1)
  })
})

test('a process without a fault writes each record once and in order, with matching statistics', async () => {
  const path = directory.path('quiet')
  const child = await startFaultChild({ subject: 'sluice', run: 'quiet', sink: { to: 'file', path } })
  expect(await child.request({ do: 'log', count: 1_000, perTurn: 100 })).toMatchObject({ next: 1_000, threw: 0 })
  expect(await child.request({ do: 'flush' })).toEqual({ type: 'flushed', ok: true, next: 1_000 })
  child.send({ do: 'end' })
  expect(await child.ended).toEqual({ code: 0, signal: null })
  const contents = readSink(readFileSync(path, 'utf8'), 'quiet')
  expect(countSequence(contents, child.pid)).toEqual({ unique: 1_000, duplicates: 0, disorder: 0 })
  expect(inconsistentSums(child.stats!)).toEqual([])
  expect(findMismatches(contents, new Map([[child.pid, child.stats!]]))).toEqual([])
})
