import { writeFileSync } from 'node:fs'
import { afterAll, expect, test } from '@jest/globals'
import { setLayer } from '../../../src/level-control/level-control.ts'
import { processLevelLayers } from '../../../src/levels/level-layers.ts'
import { followLevelFile } from '../../../src/platform/node/level-sources.ts'
import { isShared } from '../../../src/platform/node/shared-layer.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'

const directory = temporaryDirectory()
afterAll(() => directory.remove())

test.each(['code', 'environment', 'file', 'http', 'signal'] as const)(
  'other threads follow directives that code sets with the source %s',
  (source) => {
    const layer = setLayer('*=debug', { source })
    processLevelLayers().remove(layer)
    expect(isShared(layer)).toBe(true)
  },
)

test('other threads do not follow the directives of the level file, which they read themselves', () => {
  const path = directory.path('levels')
  writeFileSync(path, '*=debug')
  const stop = followLevelFile(path, () => {})
  const { layers } = processLevelLayers()
  stop()
  expect(layers.map(isShared)).toEqual([false])
})
