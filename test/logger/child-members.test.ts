import { describe, expect, jest, test } from '@jest/globals'
import { spyOn } from '@vitest/spy'
import { inspect } from 'node:util'
import { fake as newFake, restore as restoreStubs, stub as stubMember } from 'sinon'
import type { Logger } from '../../src/logger/types.ts'
import { createTestLogger, type ParsedLine } from '../support/files/test-logger.ts'

function childWith() {
  const { log, exporter } = createTestLogger({ level: 'info' })
  const child = log.child({ requestId: 'r-1' })
  const messages = (): unknown[] =>
    exporter.lines().map((line) => {
      const { message, attributes } = JSON.parse(line) as ParsedLine
      return [message, attributes?.['requestId']]
    })
  return { log, child, messages }
}

describe('the members of a child logger', () => {
  test('members of a child logger work when they are detached from it', () => {
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

  test('members of a child logger are the same functions on each read', () => {
    const { child } = childWith()
    expect(child.info).toBe(child.info)
    expect(child.info).not.toBe(child.warn)
    expect(child.child).toBe(child.child)
  })

  test('members of a child logger differ from those of other loggers', () => {
    const { log, child } = childWith()
    expect(child.info).not.toBe(log.child({}).info)
    expect(child.info).not.toBe(log.info)
  })

  test('assignment replaces a member of one child logger only', () => {
    const { log, child, messages } = childWith()
    const replaced = jest.fn()
    Object.assign(child, { info: replaced })
    child.info('replaced')
    log.child({ requestId: 'r-2' }).info('not replaced')
    expect(replaced).toHaveBeenCalledWith('replaced')
    expect(messages()).toEqual([['not replaced', 'r-2']])
  })

  test('jest.spyOn replaces and restores a member of a child logger', () => {
    const { child, messages } = childWith()
    const spy = jest.spyOn(child, 'info').mockImplementation(() => {})
    child.info('spied')
    expect(spy).toHaveBeenCalledWith('spied')
    spy.mockRestore()
    child.info('restored')
    expect(messages()).toEqual([['restored', 'r-1']])
  })

  test('vi.spyOn replaces and restores a member of a child logger', () => {
    const { child, messages } = childWith()
    const spy = spyOn(child, 'info')
    child.info('passed on')
    expect(spy.mock.calls).toEqual([['passed on']])
    spy.mockImplementation(() => {})
    child.info('spied')
    spy.mockRestore()
    child.info('restored')
    expect(messages()).toEqual([
      ['passed on', 'r-1'],
      ['restored', 'r-1'],
    ])
  })

  test('sinon replaces and restores a member of a child logger by value', () => {
    const { child, messages } = childWith()
    const fake = newFake()
    const stub = stubMember(child, 'info').value(fake)
    child.info('stubbed')
    expect(fake.calledOnceWithExactly('stubbed')).toBe(true)
    stub.restore()
    child.info('restored')
    expect(messages()).toEqual([['restored', 'r-1']])
  })

  test('sinon.stub without a value does not replace members of a child logger, which are accessors', () => {
    const { child, messages } = childWith()
    stubMember(child, 'info')
    child.info('not stubbed')
    restoreStubs()
    expect(messages()).toEqual([['not stubbed', 'r-1']])
  })

  test('an object whose prototype is a child logger inherits its members', () => {
    const { child, messages } = childWith()
    const derived = Object.create(child) as Logger
    derived.info('derived')
    derived.level = 'silent'
    derived.info('silenced')
    expect(child.level).toBe('silent')
    expect(messages()).toEqual([['derived', 'r-1']])
  })

  test('members of a child logger work through a proxy', () => {
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

  test('members of a frozen child logger work, and its level can still be set', () => {
    const { child, messages } = childWith()
    Object.freeze(child)
    child.info('frozen')
    child.level = 'error'
    child.info('filtered')
    expect(child.level).toBe('error')
    expect(() => Object.assign(child, { info: () => {} })).toThrow(TypeError)
    expect(messages()).toEqual([['frozen', 'r-1']])
  })

  test('spreading a child logger copies no members, because they are not own properties', () => {
    const { child } = childWith()
    expect(Object.keys(child)).toEqual([])
    expect({ ...child }).not.toHaveProperty('info')
  })

  test('inspecting a child logger shows its level and no internal state', () => {
    const { child } = childWith()
    expect(inspect(child)).toBe("Logger { level: 'info' }")
  })

  test('members of the prototype of child loggers do nothing when they are called on it', () => {
    const { child, messages } = childWith()
    const prototype = Object.getPrototypeOf(child) as Logger
    prototype.info('of no logger')
    expect(prototype.level).toBeUndefined()
    expect(() => inspect(prototype)).not.toThrow()
    expect(messages()).toEqual([])
  })
})

describe('the members of a root logger', () => {
  test('spreading a root logger copies its members, which are own properties', () => {
    const { log, messages } = childWith()
    const copy = { ...log }
    copy.info('copied')
    expect(messages()).toEqual([['copied', undefined]])
  })

  test('jest.spyOn, vi.spyOn and sinon.stub replace and restore a member of a root logger', () => {
    const { log, messages } = childWith()
    const spies = [
      () => jest.spyOn(log, 'info').mockImplementation(() => {}),
      () => spyOn(log, 'info').mockImplementation(() => {}),
    ]
    for (const spy of spies) {
      const { mock, mockRestore } = spy()
      log.info('spied')
      expect(mock.calls).toEqual([['spied']])
      mockRestore()
    }
    const stub = stubMember(log, 'info')
    log.info('stubbed')
    stub.restore()
    expect(stub.calledOnceWithExactly('stubbed')).toBe(true)
    log.info('restored')
    expect(messages()).toEqual([['restored', undefined]])
  })

  test('assignment replaces a member of a root logger, and a frozen root logger still works', () => {
    const { log, messages } = childWith()
    Object.assign(log, { info: () => {} })
    log.info('replaced')
    Object.freeze(log)
    log.warn('frozen')
    log.level = 'error'
    log.warn('filtered')
    expect(messages()).toEqual([['frozen', undefined]])
  })

  test('an object whose prototype is a root logger inherits its members', () => {
    const { log, messages } = childWith()
    const derived = Object.create(log) as Logger
    derived.info('derived')
    derived.level = 'silent'
    derived.info('silenced')
    expect(log.level).toBe('silent')
    expect(messages()).toEqual([['derived', undefined]])
  })
})

describe('the level of a child logger', () => {
  test('a child logger has the level of its parent until its own level is set', () => {
    const { log, child } = childWith()
    const grandchild = child.child({})
    log.level = 'error'
    expect([child.level, grandchild.level]).toEqual(['error', 'error'])
    expect(grandchild.isLevelEnabled('warn')).toBe(false)
  })

  test('a level set on a child logger applies to grandchildren that were created before', () => {
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
