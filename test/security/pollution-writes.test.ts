import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { allNames, namesOfNodeErrors } from './pollution/public-names.ts'

const program = fileURLToPath(new URL('pollution/writing-program.mjs', import.meta.url))
const failingProgram = fileURLToPath(new URL('pollution/failing-writes-program.mjs', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

interface Outcome {
  readonly emitted: number
  readonly texts: Record<string, string>
  readonly stats: readonly { readonly written: number; readonly dropped: number }[]
}

const kinds = ['text', 'number', 'function', 'object', 'systemError', 'throwing']

let directory: TemporaryDirectory
let outcome: Outcome

/** Runs a program with `input` as JSON on its standard input. Returns its standard output. */
async function outputOf(file: string, input: object): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stdin.end(JSON.stringify(input))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).toBe(0)
  return stdout
}

async function run(): Promise<Outcome> {
  const stdout = await outputOf(program, { root, directory: directory.path('.'), names: allNames, kinds })
  const { texts, ...rest } = JSON.parse(readFileSync(directory.path('outcome.log'), 'utf8')) as Outcome
  return { ...rest, texts: { ...texts, pipe: stdout } }
}

beforeAll(async () => {
  directory = temporaryDirectory()
  outcome = await run()
}, 60_000)
afterAll(() => directory.remove())

/** Returns the number and count of each record that does not occur exactly once in a text. */
function notOnce(text: string, pattern: RegExp): string[] {
  const counts = new Map(Array.from({ length: outcome.emitted }, (_, index) => [`${index + 1}`, 0]))
  for (const [, number] of text.matchAll(pattern)) counts.set(number!, (counts.get(number!) ?? 0) + 1)
  return [...counts].filter(([, count]) => count !== 1).map(([number, count]) => `${number}: ${count}`)
}

// Fault rows: 31
describe('writes with each name of the API and of Node errors on Object.prototype', () => {
  test('the polluted names include those that Node reads to detect a failed write', () => {
    expect(allNames).toEqual(expect.arrayContaining([...namesOfNodeErrors]))
    expect(outcome.emitted).toBe(allNames.length * 7)
  })

  test.each(['file', 'rotated', 'pipe'])('each record is written exactly once to the destination "%s"', (name) => {
    expect(notOnce(outcome.texts[name]!, /"record (\d+);"/g)).toEqual([])
    expect(notOnce(outcome.texts[name]!, /"fatal record (\d+);"/g)).toEqual([])
  })

  test('each record is written exactly once by a synchronous destination of sluice/pino', () => {
    expect(notOnce(outcome.texts['pino']!, /"record (\d+);"/g)).toEqual([])
  })

  test('each record is written exactly once to a spool', () => {
    expect(notOnce(outcome.texts['spool']!, /"record (\d+);"/g)).toEqual([])
  })

  test("the error code of a failed write is the system's", async () => {
    expect(JSON.parse(await outputOf(failingProgram, { names: allNames, kinds }))).toEqual([])
  })

  test('the delivery statistics equal the number of written records', () => {
    expect(outcome.stats).toEqual(outcome.stats.map(() => ({ written: outcome.emitted * 2, dropped: 0 })))
  })
})
