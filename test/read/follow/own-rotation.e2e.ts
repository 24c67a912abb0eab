import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { followFile } from '../../../src/read/follow/follow-file.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { importOf } from '../../support/processes/child.ts'

const LINES = 102_000

let directory: TemporaryDirectory
let child: ChildProcess | undefined
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => {
  child?.kill('SIGKILL')
  directory.remove()
})

/** Logs 102,000 records of 500 bytes or more, with about 2,000 in each file. */
const program = (path: string, rotate: object): string => `
${importOf('{ createLogger }', 'src/create/create-logger.ts')}
${importOf('{ fileExporter }', 'src/exporters/file/file-exporter.ts')}
const log = createLogger({ exporter: fileExporter({ path: ${JSON.stringify(path)}, rotate: ${JSON.stringify(rotate)} }) })
const padding = 'x'.repeat(400)
for (let number = 0; number < ${LINES}; number++) {
  log.info('a line', { number, padding })
  if (number % 200 === 199) await new Promise((resolve) => setTimeout(resolve, 1))
}
await log.shutdown()
`

test.each([
  ['rotated by size', { size: 1_000_000 }],
  ['rotated by size and compressed', { size: 1_000_000, compress: 'gzip' }],
])('returns every line of a log once that sluice has %s 50 times', async (_, rotate) => {
  const path = directory.path('app.log')
  child = spawn(process.execPath, ['--input-type=module', '--eval', program(path, rotate)], { stdio: 'inherit' })
  const numbers: number[] = []
  let rotations = 0
  for await (const item of followFile(path)) {
    if ('event' in item) {
      if (item.event === 'rotated') rotations++
      continue
    }
    for (const [, number] of item.bytes.toString().matchAll(/"number":(\d+)/g)) numbers.push(Number(number))
    if (numbers.at(-1) === LINES - 1) break
  }
  expect(rotations).toBeGreaterThanOrEqual(50)
  expect(numbers.length).toBe(LINES)
  expect(numbers.findIndex((number, index) => number !== index)).toBe(-1)
})
