import { expect, test } from '@jest/globals'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runChild } from '../../../src/viewer/inputs/child-program.ts'
import { DuplicateFinder } from '../../../src/viewer/store/duplicate-finder.ts'
import { LogStore } from '../../../src/viewer/store/log-store.ts'
import { RecordAdder } from '../../../src/viewer/store/record-adder.ts'

test('a program continues, and its output is written, when its records cannot be added', async () => {
  const adder = new RecordAdder(new LogStore(16_000_000))
  adder.add = () => {
    throw new Error('no memory')
  }
  const [stdout, stderr] = [new PassThrough(), new PassThrough().resume()]
  const written = text(stdout)
  const errors: unknown[] = []
  const script = `
    console.log('first')
    setTimeout(() => process.stdout.write('x'.repeat(1_000_000), () => { process.exitCode = 3 }), 200)
  `
  const end = await runChild({
    command: [process.execPath, '--eval', script],
    environment: process.env,
    adder,
    duplicates: new DuplicateFinder(),
    stdout,
    stderr,
    isInTerminal: false,
    onReadError: (error) => void errors.push(error),
  })
  stdout.end()
  expect(end).toEqual({ code: 3, isInterrupted: false })
  expect((await written).length).toBe(1_000_006)
  expect(errors).toEqual([new Error('no memory')])
})
