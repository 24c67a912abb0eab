import { expect, test } from '@jest/globals'
import { CountedTimers, type TimerScope } from '../../../docs/site/.vitepress/playground/worker/counted-timers.ts'

function scopeWithTimers(): { readonly scope: TimerScope; readonly timers: CountedTimers; fire(id: number): void } {
  const callbacks: (() => void)[] = []
  const set = (callback: () => void) => callbacks.push(callback) - 1
  const scope: TimerScope = { setTimeout: set, setInterval: set, clearTimeout() {}, clearInterval() {} }
  const timers = new CountedTimers()
  timers.install(scope)
  return { scope, timers, fire: (id) => callbacks[id]!() }
}

test('a timeout counts until it has fired, and gets its arguments', () => {
  const { scope, timers, fire } = scopeWithTimers()
  const calls: unknown[] = []
  const setTimeout = scope.setTimeout as (...values: unknown[]) => number
  const id = setTimeout((...values: unknown[]) => calls.push(values), 10, 'a', 'b')
  expect(timers.count).toBe(1)
  fire(id)
  expect(timers.count).toBe(0)
  expect(calls).toEqual([['a', 'b']])
})

test('an interval counts until it is cleared', () => {
  const { scope, timers, fire } = scopeWithTimers()
  const id = scope.setInterval(() => {}, 10)
  fire(id as number)
  expect(timers.count).toBe(1)
  scope.clearTimeout(id)
  expect(timers.count).toBe(0)
})
