import { randomBytes, scrypt } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from '@jest/globals'
import { processLevelLayers } from '../../../src/levels/level-layers.ts'
import { followLevelFile } from '../../../src/platform/node/level-sources.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'

const directory = temporaryDirectory()
afterAll(() => directory.remove())

const set = () => processLevelLayers().layers.map(({ text }) => text)

test('a file keeps its last directives while no directive in it is valid, and ignores comments', async () => {
  const path = directory.path('levels')
  const messages: string[] = []
  const replace = (text: string) => {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
  const untilReplaced = async (text: string, isDone: () => boolean) => {
    replace(text)
    for (let i = 0; i < 200 && !isDone(); i++) await setTimeout(50)
    return set()
  }
  replace('\uFEFF# info, debug\r\ndb=debug # noisy, *=debug')
  const stop = followLevelFile(path, ({ message }) => messages.push(message))
  expect(set()).toEqual(['db=debug'])
  expect(messages).toEqual([])
  expect(await untilReplaced('db= # none, *=debug', () => messages.length > 0)).toEqual(['db=debug'])
  expect(messages).toEqual([
    expect.stringMatching(
      /: line 1, character 5: expected a level after "="; no directive is valid, and its last directives stay set$/,
    ),
  ])
  expect(await untilReplaced('db=trace', () => set()[0] === 'db=trace')).toEqual(['db=trace'])
  expect(await untilReplaced('# none', () => set().length === 0)).toEqual([])
  expect(await untilReplaced('db=', () => messages.length > 1)).toEqual([])
  expect(messages[1]).toMatch(/; no directive is valid, and it sets no directives$/)
  stop()
})

/** Occupies all threads of Node's pool for a while, so that the first asynchronous look at a file comes late. */
function occupyThreadPool(): void {
  for (let i = 0; i < 4; i++) scrypt(randomBytes(16), 'salt', 32, { N: 2 ** 15, maxmem: 2 ** 26 }, () => {})
}

test('a change of a file is found that comes between the first reading of the file and the first check for changes', async () => {
  const path = directory.path('changed-at-once')
  writeFileSync(path, 'db=debug')
  occupyThreadPool()
  const stop = followLevelFile(path, () => {})
  writeFileSync(path, 'db=trace')
  for (let i = 0; i < 200 && set()[0] !== 'db=trace'; i++) await setTimeout(50)
  expect(set()).toEqual(['db=trace'])
  stop()
  expect(set()).toEqual([])
})

test('a file that cannot be read is reported once, and again after it could be read', async () => {
  const path = directory.path('too-large')
  const large = '#'.repeat(2 ** 20)
  writeFileSync(path, large)
  const messages: string[] = []
  const stop = followLevelFile(path, ({ message }) => messages.push(message))
  await setTimeout(2_500)
  expect(messages).toEqual([expect.stringContaining('is not a file of at most')])
  writeFileSync(path, 'db=trace')
  for (let i = 0; i < 200 && set().length === 0; i++) await setTimeout(50)
  writeFileSync(path, large)
  for (let i = 0; i < 200 && messages.length < 2; i++) await setTimeout(50)
  expect(messages).toHaveLength(2)
  expect(set()).toEqual(['db=trace'])
  stop()
})
