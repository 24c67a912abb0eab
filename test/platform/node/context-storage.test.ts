import { describe, expect, test } from '@jest/globals'
import { contextStorage } from '../../../src/platform/node/context-storage.ts'

let names = 0
const fresh = () => contextStorage<number>(`test-${names++}`)

describe('values of an asynchronous context', () => {
  test('the value is undefined outside of every run', () => {
    const storage = fresh()
    expect(storage.get()).toBeUndefined()
    storage.run(1, () => {})
    expect(storage.get()).toBeUndefined()
  })

  test('the innermost value applies, and the outer value again after its run', () => {
    const storage = fresh()
    const seen = storage.run(1, () => [storage.get(), storage.run(2, () => storage.get()), storage.get()])
    expect(seen).toEqual([1, 2, 1])
  })

  test('each asynchronous call chain has its own value', async () => {
    const storage = fresh()
    const wait = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return storage.get()
    }
    expect(await Promise.all([storage.run(1, wait), storage.run(2, wait), wait()])).toEqual([1, 2, undefined])
  })

  test('the result or the error of the function is passed to the caller', () => {
    const storage = fresh()
    expect(storage.run(1, () => 'back')).toBe('back')
    expect(() => storage.run(1, thrower)).toThrow('out')
    expect(storage.get()).toBeUndefined()
  })
})

test('all copies of the package share one storage, which cannot be changed', async () => {
  const url = new URL('../../../src/platform/node/context-storage.ts', import.meta.url)
  const copy = (await import(`${url.pathname}?copy`)) as { contextStorage: typeof contextStorage }
  expect(copy.contextStorage).not.toBe(contextStorage)
  const storage = contextStorage<number>()
  expect(copy.contextStorage<number>()).toBe(storage)
  expect(storage.run(5, () => copy.contextStorage<number>().get())).toBe(5)
  expect(Object.getOwnPropertyDescriptor(globalThis, Symbol.for('sluice/v1/context'))).toMatchObject({
    value: storage,
    writable: false,
  })
  expect(Object.isFrozen(storage)).toBe(true)
})

function thrower(): never {
  throw new Error('out')
}
