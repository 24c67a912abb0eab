import { afterAll, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stallingPipe, temporaryDirectory } from '../support/files/pipes.ts'

const program = fileURLToPath(new URL('../support/processes/exit-programs/other-loggers.ts', import.meta.url))
const directory = temporaryDirectory()
afterAll(() => directory.remove())

/** Runs the program and reads its pipe only after the last log call. Resolves with the number of lines. */
function linesIn(logger: string, cause: string): Promise<number> {
  const pipe = stallingPipe(directory.path(`${logger}-${cause}`))
  const child = spawn(process.execPath, [program, logger, cause], { stdio: ['ignore', pipe.fd, 'pipe'] })
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

// The guides for LogTape and tslog make this claim.
test.each(['exit', 'SIGTERM'])(
  'a pipe that is read late gets all 2,000 lines before %s, and only part of them from other loggers',
  async (cause) => {
    const lines = await Promise.all(['sluice', 'LogTape', 'tslog'].map((logger) => linesIn(logger, cause)))
    expect(lines[0]).toBe(2_000)
    for (const others of lines.slice(1)) {
      expect(others).toBeGreaterThan(0)
      expect(others).toBeLessThan(300)
    }
  },
)
