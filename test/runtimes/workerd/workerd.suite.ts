import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../../docs/blocks.ts'
import { runChild } from '../../support/processes/child.ts'
import { fakeCollector, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { expectCore, Folder } from '../suite.ts'

let folder: Folder
let collector: FakeCollector

beforeAll(() => {
  folder = new Folder(import.meta.url)
  folder.pack()
})
afterAll(() => folder.remove())
beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(() => collector.close())

/** Returns the responses of a worker to concurrent requests, and its console output. */
async function serve(worker: string, requests: number) {
  const ended = await runChild({ args: [join(folder.path, 'serve.js'), worker, collector.url, String(requests)] })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout) as { readonly answers: string[]; readonly printed: string[] }
}

test('a worker logs to the console and with fetch', async () => {
  const { answers, printed } = await serve(join(folder.programs, 'worker.js'), 1)
  expect(answers).toHaveLength(1)
  expectCore(printed, collector.sequence, JSON.parse(answers[0]!))
})

test('the worker of the guide exports the records of each call', async () => {
  const guide = readFileSync(new URL('../../../docs/guides/edge.md', import.meta.url), 'utf8')
  const program = blocksOf(guide).find(({ language, text }) => language === 'js' && text.includes('waitUntil'))!
  const worker = join(folder.programs, 'of-the-guide.js')
  writeFileSync(worker, program.text)
  const { answers } = await serve(worker, 20)
  expect(answers).toEqual(Array.from({ length: 20 }, () => 'ok'))
  expect(collector.sequence).toHaveLength(20)
  expect(collector.received.map(({ body }) => body.toString())).toContainEqual(expect.stringContaining('GET /7'))
})

test('a logger at module level logs to the console before the first call and in every call', async () => {
  const { printed } = await serve(join(folder.programs, 'module-worker.js'), 20)
  expect(printed.map((line) => (JSON.parse(line) as { message: string }).message).toSorted()).toEqual(
    ['loaded', ...Array.from({ length: 20 }, (_, request) => `GET /${request}`)].toSorted(),
  )
})
