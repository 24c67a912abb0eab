import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { startFaultChild } from './harness/fault-child.ts'
import { judge, type Allowed, type Remains } from './harness/judge.ts'
import { brokenSums, disagreements, readSink, tally, type ToldLedger } from './harness/oracle.ts'
import { faultRecord } from './harness/records.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const whole: ToldLedger = {
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

function wrongWith(text: string, ledger: Partial<ToldLedger> = {}): string[] {
  return disagreements(readSink(text, 'r'), new Map([[1, { ...whole, ...ledger }]]))
}

describe('the oracle', () => {
  test('has nothing to say when the sink is what the ledger says', () => {
    expect(wrongWith(lines.join(''))).toEqual([])
  })

  test.each([
    ['a record that is missing', lines.slice(1).join(''), {}, '1 are missing of 3 that were called written'],
    ['a record that nobody calls written', lines.join(''), { emitted: 2, accepted: 2, written: 2 }, '1 more are there'],
    ['a record that is there twice', `${lines.join('')}${lines[0]}`, {}, '1 doubled, 0 counted'],
    ['records that changed places', [lines[1], lines[0], lines[2]].join(''), {}, '1 out of order'],
    ['a line that was torn', `${lines.join('')}{"run":"r","pi`, {}, '1 torn lines'],
    ['a record whose bytes were changed', lines.join('').replace('xxx', 'xxy'), {}, '1 torn lines'],
    ['a sum that does not add up', lines.join(''), { unknown: 1 }, 'accepted 3 is not 3 + 0 + 1 + 0'],
  ])('finds %s', (_what, text, ledger, said) => {
    expect(wrongWith(text, ledger).join('\n')).toContain(said)
  })

  test('takes a record without an answer for there or not', () => {
    const ledger = { written: 2, unknown: 1 }
    expect(wrongWith(lines.join(''), ledger)).toEqual([])
    expect(wrongWith(lines.slice(1).join(''), ledger)).toEqual([])
    expect(wrongWith(lines.slice(2).join(''), ledger)).not.toEqual([])
  })
})

const notice = (count: number) =>
  `${JSON.stringify({
    'otel.event.name': 'sluice.records_dropped',
    attributes: { dropped: count, by_reason: { queue_full: count } },
  })}\n`
const lossy: ToldLedger = { ...whole, emitted: 5, accepted: 5, dropped: { total: 2, byReason: { queue_full: 2 } } }

function judged(text: string, ledger: ToldLedger | undefined, allowed: Allowed, more: Partial<Remains> = {}): string[] {
  const found = readSink(text, 'r')
  return judge({ pid: 1, logged: 3, found, ledger, stderr: '', told: [], ...more }, allowed)
}

describe('the judge', () => {
  const told: Allowed = { losses: 'told', reasons: ['queue_full'] }

  test('has nothing to say when every record is there, whether the logger counts or not', () => {
    expect(judged(lines.join(''), whole, {})).toEqual([])
    expect(judged(lines.join(''), undefined, {})).toEqual([])
  })

  test('lets a logger that counts lose what it tells, in the stream or at the end', () => {
    const text = notice(2) + lines.join('')
    const ledger = { ...lossy, emitted: 6, accepted: 6, written: 4 }
    expect(judged(text, ledger, { ...told, recovered: true }, { logged: 5 })).toEqual([])
    const stderr = 'sluice: SLUICE_RECORDS_LOST: 1 records could not be written to x; 1 were lost earlier\n'
    expect(judged(lines.join(''), lossy, told, { logged: 5, stderr })).toEqual([])
  })

  test.each<[string, string, ToldLedger | undefined, Allowed, string]>([
    ['a loss that is not allowed', lines.join(''), lossy, {}, '2 of 3 dropped'],
    [
      'a loss for another reason',
      lines.join(''),
      lossy,
      { losses: 'told', reasons: ['io_error'] },
      '2 dropped for queue',
    ],
    ['a loss that nobody is told of', lines.join(''), lossy, told, '2 dropped, 0 of them told'],
    ['a loss that the stream keeps quiet', lines.join(''), lossy, { ...told, recovered: true }, 'does not tell the 2'],
    [
      'records that were not counted',
      lines.join(''),
      { ...whole, emitted: 2, accepted: 2 },
      {},
      '1 of 3 were not counted',
    ],
    ['records that still wait', lines.join(''), { ...whole, queued: 1 }, {}, '1 were still queued'],
    ['a loss of who does not count', lines[0]!, undefined, {}, '2 of 3 lost without a word'],
    ['a loss that who does not count keeps quiet', lines[0]!, undefined, told, '2 of 3 lost without a word'],
    ['disorder of who does not count', lines.toReversed().join(''), undefined, {}, '2 out of order'],
    ['a torn line of who does not count', `${lines.join('')}{`, undefined, {}, '1 line torn'],
    ['records that are there twice', lines.join('') + lines[0]!, undefined, {}, '1 written twice'],
  ])('finds %s', (_what, text, ledger, allowed, said) => {
    expect(judged(text, ledger, allowed).join('\n')).toContain(said)
  })

  test('lets a logger that does not count lose what it has a word for, its own and not that of the program', () => {
    expect(judged(lines[0]!, undefined, told, { told: ['ENOSPC'] })).toEqual([])
    expect(judged(lines[0]!, undefined, told, { stderr: 'cannot write' })).toEqual([])
    expect(judged(lines[0]!, undefined, told, { stderr: 'Error: mine' })).toHaveLength(1)
  })
})

test('a process that nothing happens to writes each record once, in order, and says so', async () => {
  const path = directory.path('quiet')
  const child = await startFaultChild({ subject: 'sluice', run: 'quiet', sink: { to: 'file', path } })
  expect(await child.ask({ do: 'log', count: 1_000, perTurn: 100 })).toMatchObject({ next: 1_000, threw: 0 })
  expect(await child.ask({ do: 'flush' })).toEqual({ said: 'flushed', ok: true, next: 1_000 })
  child.tell({ do: 'end' })
  expect(await child.ended).toEqual({ code: 0, signal: null })
  const found = readSink(readFileSync(path, 'utf8'), 'quiet')
  expect(tally(found, child.pid)).toEqual({ unique: 1_000, duplicates: 0, disorder: 0 })
  expect(brokenSums(child.ledger!)).toEqual([])
  expect(disagreements(found, new Map([[child.pid, child.ledger!]]))).toEqual([])
})
