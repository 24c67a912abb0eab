import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../../docs/blocks.ts'
import { runChild } from '../../support/processes/child.ts'
import { fakeCollector, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { expectCore, Folder } from '../suite.ts'

/** The Chromium of Debian, or the one specified by `CHROMIUM`. */
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

test('a page logs to the console and with fetch, without eval, and flushes when it is hidden', async () => {
  if (chromium === undefined)
    throw new Error('Chromium is missing: apt-get install chromium-headless-shell, or set CHROMIUM')
  const guide = readFileSync(new URL('../../../docs/guides/edge.md', import.meta.url), 'utf8')
  const ofTheGuide = blocksOf(guide).find(
    ({ language, text }) => language === 'js' && text.includes('visibilitychange'),
  )!
  const file = join(folder.programs, 'of-the-guide.js')
  writeFileSync(file, ofTheGuide.text)
  const args = [folder.ours('dist/esm'), join(folder.programs, 'core.js'), file, collector.url]
  const ended = await runChild({ args: [join(folder.path, 'page.js'), ...args], env: { CHROMIUM: chromium } })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const page = JSON.parse(ended.stdout) as { stats: unknown; printed: string[]; errors: string[] }
  expect(page.errors).toEqual([])
  expectCore(page.printed, collector.sequence.slice(0, 201), page.stats)
  const last = collector.received.at(-1)!.body.toString()
  expect(last).toContain('page /guide shown')
})
