import { afterEach, describe, expect, test } from '@jest/globals'
import { captureLogs } from '../../src/entries/testing.ts'
import type { LevelChangeEvent } from '../../src/levels/level-layer.ts'
import { processLevelLayers } from '../../src/levels/level-layers.ts'
import { waitUntil } from '../support/wait-until.ts'
import { levelControl } from '../../src/level-control/level-control.ts'
import { toggleLevelsOnSignal, type LevelSignalListener } from '../../src/level-control/toggle-levels-on-signal.ts'

let listener: LevelSignalListener | undefined

afterEach(() => {
  listener?.stop()
  listener = undefined
})

function directives(): readonly string[] {
  return levelControl()
    .describe()
    .layers.map((layer) => layer.directives)
}

describe('toggleLevelsOnSignal', () => {
  test('sets directives at a signal, and reverts them at the next one', () => {
    using logs = captureLogs({ level: 'info' })
    listener = toggleLevelsOnSignal('SIGUSR2', '*=debug')
    logs.logger.debug('before')
    process.emit('SIGUSR2')
    logs.logger.debug('between')
    process.emit('SIGUSR2')
    logs.logger.debug('after')
    process.emit('SIGUSR2')
    expect(directives()).toEqual(['*=debug'])
    expect(logs.records.map(({ message, attributes }) => attributes?.action ?? message)).toEqual([
      'set',
      'between',
      'reverted',
      'set',
    ])
    expect(logs.records[0]!.attributes).toMatchObject({ source: 'signal', by: 'SIGUSR2' })
  })

  test('sets directives again at the signal after they have expired', async () => {
    const actions: string[] = []
    const observe = ({ action }: LevelChangeEvent): void => void actions.push(action)
    const { listeners } = processLevelLayers()
    listeners.add(observe)
    try {
      listener = toggleLevelsOnSignal('SIGUSR2', '*=debug', { forMillis: 1 })
      process.emit('SIGUSR2')
      await waitUntil(() => actions.includes('expired'))
      process.emit('SIGUSR2')
      expect(actions).toEqual(['set', 'expired', 'set'])
    } finally {
      listeners.delete(observe)
    }
  })

  test('reverts its directives when it stops, and does not set them again', () => {
    listener = toggleLevelsOnSignal('SIGUSR2', '*=debug')
    process.emit('SIGUSR2')
    listener.stop()
    expect(directives()).toEqual([])
    process.emit('SIGUSR2')
    expect(directives()).toEqual([])
  })

  test.each<[string, object, boolean]>([
    ['by default', {}, true],
    ['with Infinity', { forMillis: Infinity }, false],
  ])('has an end %s: %j, %j', (_, options, hasEnd) => {
    listener = toggleLevelsOnSignal('SIGUSR2', '*=debug', options)
    process.emit('SIGUSR2')
    expect(levelControl().describe().layers[0]!.untilMillis !== undefined).toBe(hasEnd)
  })

  test('keeps the other listeners of the signal', () => {
    let calls = 0
    const other = (): void => void calls++
    process.on('SIGUSR2', other)
    try {
      const first = toggleLevelsOnSignal('SIGUSR2', 'a=debug')
      listener = toggleLevelsOnSignal('SIGUSR2', 'b=debug')
      process.emit('SIGUSR2')
      expect(directives()).toEqual(['b=debug', 'a=debug'])
      first.stop()
      first.stop()
      expect(directives()).toEqual(['b=debug'])
      expect(calls).toBe(1)
      expect(process.listeners('SIGUSR2')).toContain(other)
      expect(process.listenerCount('SIGUSR2')).toBe(2)
    } finally {
      process.removeListener('SIGUSR2', other)
    }
  })

  test.each<[string, unknown[], RegExp]>([
    ['a signal that ends the process', ['SIGTERM', '*=debug'], /signal: must be one of SIGUSR2, SIGUSR1, SIGHUP/],
    ['a misspelled signal', ['sigusr2', '*=debug'], /signal: .*did you mean "SIGUSR2"/],
    ['no signal', [undefined, '*=debug'], /signal: must be one of/],
    ['no directives', ['SIGUSR2'], /directives: must be a string/],
    ['an invalid directive', ['SIGUSR2', '*=debgu'], /directives at 2/],
    ['a duration of 0', ['SIGUSR2', '*=debug', { forMillis: 0 }], /options\.forMillis: must be an integer of 1/],
    ['a duration of 1000 years', ['SIGUSR2', '*=debug', { forMillis: 3.2e13 }], /options\.forMillis: must be at most/],
    ['a bare duration', ['SIGUSR2', '*=debug', 60_000], /\{ forMillis: 600_000 \}/],
    ['an unknown option', ['SIGUSR2', '*=debug', { millis: 1 }], /options\.millis: unknown option/],
  ])('rejects %s', (_, args, message) => {
    const before = process.listenerCount('SIGUSR2')
    const toggle = toggleLevelsOnSignal as (...args: unknown[]) => unknown
    expect(() => toggle(...args)).toThrow(message)
    expect(process.listenerCount('SIGUSR2')).toBe(before)
  })
})
