import { afterEach, describe, expect, test } from '@jest/globals'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Patience, starvedMillis } from './patience.ts'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function start(program: string): number {
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' })
  children.push(child)
  return child.pid!
}

/** Several that want the same processor: the first that this process may have. */
function busy(count: number): number[] {
  const [processor] = /\d+/.exec(/^Cpus_allowed_list:.*$/m.exec(readFileSync('/proc/self/status', 'latin1'))![0])!
  const pids = Array.from({ length: count }, () => start('for (;;) continue'))
  for (const pid of pids) execFileSync('taskset', ['-a', '-p', '-c', processor, String(pid)], { stdio: 'ignore' })
  return pids
}

const isLinux = process.platform === 'linux'

describe.each(isLinux ? ['on Linux'] : [])('%s', () => {
  test('who wants a processor that others have is starved, who sleeps is not', async () => {
    const asleep = start('setInterval(() => {}, 2 ** 30)')
    const [first] = busy(3)
    await sleep(500)
    const before = [starvedMillis(first!), starvedMillis(asleep)]
    const grown = (): number => starvedMillis(first!) - before[0]!
    for (let left = 100; left > 0 && grown() < 300; left--) await sleep(50)
    expect(grown()).toBeGreaterThanOrEqual(300)
    expect(starvedMillis(asleep) - before[1]!).toBeLessThan(100)
  })

  test('patience outlasts its time by that of a process that is starved', async () => {
    const asleep = new Patience(100, [start('setInterval(() => {}, 2 ** 30)')])
    const starved = new Patience(100, busy(4))
    for (let left = 100; left > 0 && asleep.left > -100; left--) await sleep(50)
    expect(asleep.left).toBeLessThan(0)
    expect(starved.left).toBeGreaterThan(0)
  })
})

test('nothing is known of a process that is not there', () => {
  expect(starvedMillis(2 ** 30)).toBe(0)
})
