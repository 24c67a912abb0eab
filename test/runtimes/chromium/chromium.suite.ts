import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../../docs/blocks.ts'
import { runChild } from '../../support/processes/child.ts'
import { fakeCollector, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { expectCore, Folder } from '../suite.ts'

/** Debian's, or whichever `CHROMIUM` names. */
const chromium = process.env['CHROMIUM'] ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)

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

test('a page logs to the console and by fetch, without code made of strings, and when it is left', async () => {
  if (chromium === undefined)
    throw new Error('there is no Chromium: apt-get install chromium-headless-shell, or name one')
  const guide = readFileSync(new URL('../../../docs/guides/edge.md', import.meta.url), 'utf8')
  const ofTheGuide = blocksOf(guide).find(
    ({ language, text }) => language === 'js' && text.includes('visibilitychange'),
  )!
  const file = join(folder.programs, 'of-the-guide.js')
  writeFileSync(file, ofTheGuide.text)
  const args = [folder.ours('dist/esm'), join(folder.programs, 'core.js'), file, collector.url]
  const ended = await runChild({ args: [join(folder.path, 'page.js'), ...args], env: { CHROMIUM: chromium } })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const page = JSON.parse(ended.stdout) as { ledger: unknown; said: string[]; errors: string[] }
  expect(page.errors).toEqual([])
  expectCore(page.said, collector.sequence.slice(0, 201), page.ledger)
  const last = collector.received.at(-1)!.body.toString()
  expect(last).toContain('page /guide shown')
})
