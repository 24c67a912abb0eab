import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runProgram } from '../support/command.ts'
import { plantedLog } from '../support/planted-log.ts'

let folder: string
let log: Buffer

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-check-'))
  log = plantedLog(50_000).bytes
  writeFileSync(join(folder, 'app.log'), log)
})

afterAll(() => rmSync(folder, { recursive: true }))

function check(...args: readonly string[]) {
  return runProgram(['check', ...args], { cwd: folder })
}

/** Returns the beginning of each line of the log, and the end of the last one. */
function lineStarts(): number[] {
  const starts = [0]
  for (let at = log.indexOf('\n'); at >= 0; at = log.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

test('check exits with 0 for a log that loggers wrote, also compressed', () => {
  writeFileSync(join(folder, 'app.log.gz'), gzipSync(log))
  const { status, stdout } = check('app.log', 'app.log.gz')
  expect(stdout).toContain('app.log: 50,000 records (sluice), valid\napp.log.gz: 50,000 records (sluice), valid\n')
  expect(status).toBe(0)
})

test('check finds every line that is cut at any byte', () => {
  const starts = lineStarts()
  const cuts = [1_000, 10_000, 30_000, 49_998]
  let damaged = ''
  let from = 0
  for (const [index, line] of cuts.entries()) {
    // The newline stays.
    const end = starts[line + 1]! - 1
    damaged += log.subarray(from, starts[line]! + 1 + index * 25).toString()
    from = end
  }
  damaged += log.subarray(from).toString()
  writeFileSync(join(folder, 'cut.log'), damaged)
  const { status, stdout } = check('-o', 'json', 'cut.log')
  const { files } = JSON.parse(stdout) as { files: { problems: object; examples: { line: number }[] }[] }
  expect(files[0]!.problems).toEqual({ truncated: 4 })
  expect(files[0]!.examples.map(({ line }) => line)).toEqual(cuts.map((line) => line + 1))
  expect(status).toBe(1)
})

test('check exits with 2 if a file cannot be read, after it has checked the others', () => {
  const { status, stdout, stderr } = check('missing.log', 'app.log')
  expect(stderr).toContain('missing.log')
  expect(stdout).toContain('app.log: 50,000 records (sluice), valid\n')
  expect(status).toBe(2)
})

test('check reads standard input', () => {
  const { status, stdout } = runProgram(['check', '-'], { cwd: folder, input: log })
  expect(stdout).toContain('-: 50,000 records (sluice), valid\n')
  expect(status).toBe(0)
})
