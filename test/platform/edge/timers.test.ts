import { describe, expect, test } from '@jest/globals'
import { delay, endOfTurn, monotonic } from '../../../src/platform/edge/timers.ts'
import { importOf, runModule } from '../../support/processes/child.ts'

describe('delay and endOfTurn', () => {
  test('a delay calls back when it expires, and not after it was canceled', async () => {
    const over: string[] = []
    delay(1, () => over.push('called off')).cancel()
    endOfTurn(() => over.push('called off'))()
    await new Promise<void>((resolve) => delay(5, resolve).keepAlive(true))
    await new Promise<void>((resolve) => void endOfTurn(resolve))
    expect(over).toEqual([])
  })

  test('a delay of more than 24 days does not expire immediately', async () => {
    let over = false
    const wait = delay(2 ** 40, () => (over = true))
    await new Promise<void>((resolve) => delay(20, resolve).keepAlive(true))
    wait.cancel()
    expect(over).toBe(false)
  })

  test('a delay keeps a process alive only with keepAlive(true)', async () => {
    expect((await runModule(program('.keepAlive(true)'))).stdout).toBe('over\n')
    expect((await runModule(program(''))).stdout).toBe('')
    expect((await runModule(program('.keepAlive(false)'))).stdout).toBe('')
  })

  test('delay and endOfTurn do not throw when the runtime forbids timers', async () => {
    const forbidding = `
      globalThis.setTimeout = () => { throw new Error('Disallowed operation called within global scope') }
      const { delay, endOfTurn } = await import(${JSON.stringify(new URL('../../../src/platform/edge/timers.ts', import.meta.url))})
      delay(1, () => {}).cancel()
      endOfTurn(() => {})()
      console.log('goes on')`
    expect((await runModule(forbidding)).stdout).toBe('goes on\n')
  })
})

test('the monotonic clock advances', async () => {
  const before = monotonic()
  await new Promise<void>((resolve) => delay(5, resolve).keepAlive(true))
  expect(monotonic()).toBeGreaterThan(before)
})

function program(then: string): string {
  return `
    ${importOf('{ delay }', 'src/platform/edge/timers.ts')}
    delay(50, () => console.log('over'))${then}`
}
