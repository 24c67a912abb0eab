import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { followFile } from '../../../src/read/follow/follow-file.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { importOf } from '../../support/processes/child.ts'

let directory: TemporaryDirectory
let child: ChildProcess | undefined
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => {
  child?.kill('SIGKILL')
  directory.remove()
})

test('returns a new line and then the event quiet within 300 ms in 95 of 100 cases', async () => {
  const path = directory.path('app.log')
  writeFileSync(path, '')
  const items = followFile(path)
  const delays: number[] = []
  let next = items.next()
  for (let line = 0; line < 100; line++) {
    await new Promise((resolve) => setTimeout(resolve, line % 40))
    const start = performance.now()
    appendFileSync(path, `${line}\n`)
    for (let isQuiet = false; !isQuiet; next = items.next()) {
      const { value } = await next
      isQuiet = value !== undefined && 'event' in value && value.event === 'quiet'
    }
    delays.push(performance.now() - start)
  }
  await items.return!()
  expect(delays.toSorted((a, b) => a - b)[94]).toBeLessThan(300)
})

test('following five files without new lines uses at most 1 % of a processor', async () => {
  const paths = Array.from({ length: 5 }, (_, index) => directory.path(`app${'x'.repeat(index)}.log`))
  for (const path of paths) writeFileSync(path, 'a line\n')
  const program = `
    ${importOf('{ followFile }', 'src/read/follow/follow-file.ts')}
    for (const path of ${JSON.stringify(paths)}) void (async () => { for await (const _ of followFile(path)); })()
    setTimeout(() => {
      const start = process.cpuUsage()
      setTimeout(() => {
        const { user, system } = process.cpuUsage(start)
        console.log((user + system) / 50_000)
        process.exit()
      }, 5_000)
    }, 1_000)
  `
  const process = spawn(globalThis.process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = process
  let output = ''
  for await (const text of process.stdout.setEncoding('utf8')) output += text
  expect(Number.parseFloat(output)).toBeGreaterThan(0)
  expect(Number.parseFloat(output)).toBeLessThanOrEqual(1)
})
