import { expect, test } from '@jest/globals'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DuplicateFinder } from '../../../src/viewer/store/duplicate-finder.ts'
import { RecordMemory } from '../../../src/viewer/store/record-memory.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns how many objects are still in memory. */
async function aliveOf(objects: readonly WeakRef<object>[]): Promise<number> {
  // An object stays in memory until the end of the turn in which it was used.
  await nextTurn()
  collect()
  return objects.filter((object) => object.deref() !== undefined).length
}

const start = 1_700_000_000_000

function writeRecords(finder: DuplicateFinder, count: number): readonly WeakRef<object>[] {
  return Array.from({ length: count }, (_, index) => {
    const record = { time: start + index, severityNumber: 9, message: `message ${index}` }
    finder.addOutput(record, start, 100, () => void record.time)
    return new WeakRef(record)
  })
}

test('records that were added are not kept in memory to compare others with them', async () => {
  const finder = new DuplicateFinder()
  finder.begin()
  await expect(aliveOf(writeRecords(finder, 100))).resolves.toBe(0)
  expect(finder.isDuplicate(start, 9, () => 'message 0')).toBe(true)
  finder.commit()
  const held = writeRecords(finder, 100)
  await expect(aliveOf(held)).resolves.toBe(100)
  finder.flush()
  await expect(aliveOf(held)).resolves.toBe(0)
})

test('long messages are not kept in memory to compare others with them', async () => {
  const finder = new DuplicateFinder()
  finder.begin()
  collect()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < 200; index++) {
    const message = Buffer.alloc(200_000, `${index} `).toString('latin1')
    finder.addOutput({ time: start, severityNumber: 9, message }, start, 100, () => undefined)
  }
  await nextTurn()
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
})

test('records that are forgotten behind a remembered one are removed from memory', async () => {
  const memory = new RecordMemory()
  const remember = (index: number) => {
    const record = { key: `${index % 7}`, time: index, earlier: 0, later: 0 }
    memory.remember(record)
    return new WeakRef(record)
  }
  remember(0)
  const records = Array.from({ length: 10_000 }, (_, index) => {
    const record = remember(index + 1)
    memory.forget(memory.take(`${(index + 1) % 7}`, index + 1, 0, 0)!)
    return record
  })
  expect(memory.count).toBe(1)
  await expect(aliveOf(records)).resolves.toBeLessThan(1_000)
  expect(memory.oldest?.time).toBe(0)
})
