import { describe, expect, jest, test } from '@jest/globals'
import { inspect } from 'node:util'
import type { Logger } from '../../src/logger/types.ts'
import { workbench, type ParsedLine } from '../support/line-keeper.ts'

function childWith() {
  const { log, keeper } = workbench({ level: 'info' })
  const child = log.child({ requestId: 'r-1' })
  const messages = (): unknown[] =>
    keeper.lines().map((line) => {
      const { message, attributes } = JSON.parse(line) as ParsedLine
      return [message, attributes?.['requestId']]
    })
  return { log, child, messages }
}

describe('the members of a child logger', () => {
  test('work detached', () => {
    const { child, messages } = childWith()
    const { info, isLevelEnabled, child: childOf } = child
    info('detached')
    childOf({ more: 1 }).info('of a detached child()')
    expect(isLevelEnabled('debug')).toBe(false)
    expect(messages()).toEqual([
      ['detached', 'r-1'],
      ['of a detached child()', 'r-1'],
    ])
  })

  test('are the same functions each time they are read', () => {
    const { child } = childWith()
    expect(child.info).toBe(child.info)
    expect(child.info).not.toBe(child.warn)
    expect(child.child).toBe(child.child)
  })

  test('belong to one logger each', () => {
    const { log, child } = childWith()
    expect(child.info).not.toBe(log.child({}).info)
    expect(child.info).not.toBe(log.info)
  })

  test('can be replaced by assignment on one logger', () => {
    const { log, child, messages } = childWith()
    const replaced = jest.fn()
    Object.assign(child, { info: replaced })
    child.info('replaced')
    log.child({ requestId: 'r-2' }).info('not replaced')
    expect(replaced).toHaveBeenCalledWith('replaced')
    expect(messages()).toEqual([['not replaced', 'r-2']])
  })

  test('can be replaced and restored by jest.spyOn', () => {
    const { child, messages } = childWith()
    const spy = jest.spyOn(child, 'info').mockImplementation(() => {})
    child.info('spied')
    expect(spy).toHaveBeenCalledWith('spied')
    spy.mockRestore()
    child.info('restored')
    expect(messages()).toEqual([['restored', 'r-1']])
  })

  test('are inherited by an object that the logger is the prototype of', () => {
    const { child, messages } = childWith()
    const derived = Object.create(child) as Logger
    derived.info('derived')
    derived.level = 'silent'
    derived.info('silenced')
    expect(child.level).toBe('silent')
    expect(messages()).toEqual([['derived', 'r-1']])
  })

  test('work through a proxy', () => {
    const { child, messages } = childWith()
    const proxy = new Proxy(child, {})
    proxy.info('proxied')
    const { warn } = proxy
    warn('detached from a proxy')
    expect(messages()).toEqual([
      ['proxied', 'r-1'],
      ['detached from a proxy', 'r-1'],
    ])
  })

  test('work on a frozen logger, whose level can still be set', () => {
    const { child, messages } = childWith()
    Object.freeze(child)
    child.info('frozen')
    child.level = 'error'
    child.info('filtered')
    expect(child.level).toBe('error')
    expect(() => Object.assign(child, { info: () => {} })).toThrow(TypeError)
    expect(messages()).toEqual([['frozen', 'r-1']])
  })

  test('are not copied by spreading, which copies own properties', () => {
    const { child } = childWith()
    expect(Object.keys(child)).toEqual([])
    expect({ ...child }).not.toHaveProperty('info')
  })

  test('are listed by inspection without the state of the logger', () => {
    const { child } = childWith()
    expect(inspect(child)).toBe("Logger { level: 'info' }")
  })

  test('are undefined on the prototype itself, so that printing it does not throw', () => {
    const { child } = childWith()
    const prototype = Object.getPrototypeOf(child) as Record<string, unknown>
    expect(prototype['info']).toBeUndefined()
    expect(prototype['level']).toBeUndefined()
  })
})

describe('the members of a root logger', () => {
  test('are own properties, so that spreading copies them', () => {
    const { log, messages } = childWith()
    const copy = { ...log }
    copy.info('copied')
    expect(messages()).toEqual([['copied', undefined]])
  })
})

describe('the level of a child logger', () => {
  test('follows its parent until it is set', () => {
    const { log, child } = childWith()
    const grandchild = child.child({})
    log.level = 'error'
    expect([child.level, grandchild.level]).toEqual(['error', 'error'])
    expect(grandchild.isLevelEnabled('warn')).toBe(false)
  })

  test('set later also reaches grandchildren that were created before', () => {
    const { log, child } = childWith()
    const grandchild = child.child({})
    const { debug } = grandchild
    child.level = 'debug'
    expect([log.level, child.level, grandchild.level]).toEqual(['info', 'debug', 'debug'])
    expect(grandchild.isLevelEnabled('debug')).toBe(true)
    expect(() => debug('enabled')).not.toThrow()
    grandchild.level = 'fatal'
    expect([child.level, grandchild.level]).toEqual(['debug', 'fatal'])
  })
})
