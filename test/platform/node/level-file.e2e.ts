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
