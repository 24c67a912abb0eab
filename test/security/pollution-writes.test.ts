import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { allNames, namesOfNodeErrors } from './pollution/public-names.ts'

const program = fileURLToPath(new URL('pollution/writing-program.mjs', import.meta.url))
const failingProgram = fileURLToPath(new URL('pollution/failing-writes-program.mjs', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

interface Said {
  readonly emitted: number
  readonly texts: Record<string, string>
  readonly stats: readonly { readonly written: number; readonly dropped: number }[]
}

const kinds = ['text', 'number', 'function', 'object', 'systemError', 'throwing']

let directory: TemporaryDirectory
let said: Said

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

async function run(): Promise<Said> {
  const stdout = await outputOf(program, { root, directory: directory.path('.'), names: allNames, kinds })
  const { texts, ...rest } = JSON.parse(readFileSync(directory.path('said.log'), 'utf8')) as Said
  return { ...rest, texts: { ...texts, pipe: stdout } }
}

beforeAll(async () => {
  directory = temporaryDirectory()
  said = await run()
}, 60_000)
afterAll(() => directory.remove())

/** How often each text of the form `record 1;` is in a text, for those that are not there once. */
function notOnce(text: string, pattern: RegExp): string[] {
  const counts = new Map(Array.from({ length: said.emitted }, (_, index) => [`${index + 1}`, 0]))
  for (const [, number] of text.matchAll(pattern)) counts.set(number!, (counts.get(number!) ?? 0) + 1)
  return [...counts].filter(([, count]) => count !== 1).map(([number, count]) => `${number}: ${count}`)
}

describe('with each name of the API and of the errors of Node on the prototype of object (row 31)', () => {
  test('the names include those from which Node reads whether a write failed', () => {
    expect(allNames).toEqual(expect.arrayContaining([...namesOfNodeErrors]))
    expect(said.emitted).toBe(allNames.length * 7)
  })

  test.each(['file', 'rotated', 'pipe'])('each record is written exactly once to the destination "%s"', (name) => {
    expect(notOnce(said.texts[name]!, /"record (\d+);"/g)).toEqual([])
    expect(notOnce(said.texts[name]!, /"fatal record (\d+);"/g)).toEqual([])
  })

  test('each record is written by a synchronous destination of the API of pino exactly once', () => {
    expect(notOnce(said.texts['pino']!, /"record (\d+);"/g)).toEqual([])
  })

  test('each record is kept by a spool exactly once', () => {
    expect(notOnce(said.texts['spool']!, /"record (\d+);"/g)).toEqual([])
  })

  test("the code of a write that fails is the system's", async () => {
    expect(JSON.parse(await outputOf(failingProgram, { names: allNames, kinds }))).toEqual([])
  })

  test('the delivery statistics agree with what was written', () => {
    expect(said.stats).toEqual(said.stats.map(() => ({ written: said.emitted * 2, dropped: 0 })))
  })
})
