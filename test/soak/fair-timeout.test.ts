import { afterEach, describe, expect, test } from '@jest/globals'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { FairTimeout, starvedMillis } from './fair-timeout.ts'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function start(program: string): number {
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' })
  children.push(child)
  return child.pid!
}

/** Starts processes that compete for one processor: the first one that this process may use. */
function busy(count: number): number[] {
  const [processor] = /\d+/.exec(/^Cpus_allowed_list:.*$/m.exec(readFileSync('/proc/self/status', 'latin1'))![0])!
  const pids = Array.from({ length: count }, () => start('for (;;) continue'))
  for (const pid of pids) execFileSync('taskset', ['-a', '-p', '-c', processor, String(pid)], { stdio: 'ignore' })
  return pids
}

const isLinux = process.platform === 'linux'

describe.each(isLinux ? ['on Linux'] : [])('%s', () => {
  test('a process that waits for a busy processor is starved, and a sleeping process is not', async () => {
    const asleep = start('setInterval(() => {}, 2 ** 30)')
    const [first] = busy(3)
    await sleep(500)
    const before = [starvedMillis(first!), starvedMillis(asleep)]
    const grown = (): number => starvedMillis(first!) - before[0]!
    for (let left = 100; left > 0 && grown() < 300; left--) await sleep(50)
    expect(grown()).toBeGreaterThanOrEqual(300)
    expect(starvedMillis(asleep) - before[1]!).toBeLessThan(100)
  })

  test('the timeout is extended by the time that a process is starved', async () => {
    const asleep = new FairTimeout(100, [start('setInterval(() => {}, 2 ** 30)')])
    const starved = new FairTimeout(100, busy(4))
    for (let left = 100; left > 0 && asleep.left > -100; left--) await sleep(50)
    expect(asleep.left).toBeLessThan(0)
    expect(starved.left).toBeGreaterThan(0)
  })
})

test('the starved time of a process that does not exist is zero', () => {
  expect(starvedMillis(2 ** 30)).toBe(0)
})
