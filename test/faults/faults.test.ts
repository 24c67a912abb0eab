import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/pipes.ts'
import { startFaultChild } from './harness/fault-child.ts'
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
