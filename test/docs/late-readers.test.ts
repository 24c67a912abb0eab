import { afterAll, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stallingPipe, temporaryDirectory } from '../support/files/pipes.ts'

const program = fileURLToPath(new URL('../support/processes/exit-programs/originals.ts', import.meta.url))
const directory = temporaryDirectory()
afterAll(() => directory.remove())

/** Runs the program; reads the pipe that it writes to once it has said everything. Answers with how many lines came. */
function linesLeft(logger: string, way: string): Promise<number> {
  const pipe = stallingPipe(directory.path(`${logger}-${way}`))
  const child = spawn(process.execPath, [program, logger, way], { stdio: ['ignore', pipe.fd, 'pipe'] })
  let output = ''
  let reading: NodeJS.Timeout | undefined
  const read = (): unknown => (output += pipe.readAll())
  child.stderr!.once('data', () => (reading = setInterval(read, 2)))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      clearInterval(reading)
      read()
      pipe.close()
      resolve(output.split('\n').length - 1)
    })
  })
}

// What the guides from LogTape and tslog say of the end of a process.
test.each(['exit', 'SIGTERM'])(
  'before %s, a pipe that is read late gets all 2,000 lines, where others fill it once',
  async (way) => {
    const left = await Promise.all(['sluice', 'LogTape', 'tslog'].map((logger) => linesLeft(logger, way)))
    expect(left[0]).toBe(2_000)
    for (const others of left.slice(1)) {
      expect(others).toBeGreaterThan(0)
      expect(others).toBeLessThan(300)
    }
  },
)
