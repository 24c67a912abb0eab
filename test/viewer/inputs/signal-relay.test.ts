import type { ChildProcess } from 'node:child_process'
import { afterEach, expect, test } from '@jest/globals'
import { SignalRelay } from '../../../src/viewer/inputs/signal-relay.ts'

let relay: SignalRelay
let time = 0

afterEach(() => relay.close())

/** Returns the signals that a program received. */
function startRelay(isInTerminal = false): { readonly killed: NodeJS.Signals[]; exitCode: number | null } {
  const child = {
    killed: [] as NodeJS.Signals[],
    exitCode: null,
    signalCode: null,
    kill: (signal: NodeJS.Signals) => child.killed.push(signal),
  }
  time = 0
  relay = new SignalRelay(child as unknown as ChildProcess, isInTerminal, () => time)
  return child
}

function signalAt(at: number, signal: NodeJS.Signals = 'SIGINT'): void {
  time = at
  process.emit(signal, signal)
}

test('a program that handles signals is not killed at the third one after some time', () => {
  const child = startRelay()
  for (const at of [0, 4_000, 9_000, 14_000, 18_000]) signalAt(at)
  expect(child.killed).toEqual(['SIGINT', 'SIGINT', 'SIGINT', 'SIGINT', 'SIGINT'])
  signalAt(18_900)
  expect(child.killed.at(-1)).toBe('SIGKILL')
})

test('in a terminal, SIGINT is not passed on, and the third one kills the program', () => {
  const child = startRelay(true)
  for (const at of [0, 1, 2]) signalAt(at)
  expect(child.killed).toEqual(['SIGKILL'])
})

test.each([
  ['SIGINT', 4_900, true],
  ['SIGINT', 5_100, false],
  ['SIGTERM', 60_000, true],
  ['SIGHUP', 60_000, true],
] as const)('whether %s can have ended a program that ends %d ms later is %s', (signal, millis, expected) => {
  startRelay()
  expect(relay.isEnding).toBe(false)
  signalAt(0, signal)
  time = millis
  expect(relay.isEnding).toBe(expected)
})

test('a signal after the end of the program interrupts the wait for its output', async () => {
  const child = startRelay()
  child.exitCode = 0
  signalAt(0)
  await expect(relay.interrupted).resolves.toBeUndefined()
  expect(child.killed).toEqual([])
})
