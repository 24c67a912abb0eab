import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.ts'
import { ApplicationLives } from './application-lives.ts'
import { soakCollector } from './collector.ts'
import { destinations } from './destinations.ts'
import type { Fault } from './faults.ts'
import { growthOf, heldText } from './held.ts'
import type { Sample } from './messages.ts'
import { Minutes } from './minutes.ts'
import { stepText } from './plan-text.ts'
import { applications, type Plan, type Step } from './plan.ts'
import { canFailWrites, compileWriteFaults, writeFaults, type WriteFaults } from './write-faults.ts'

/** What a run came to. */
export interface SoakResult {
  /** How many records were logged. */
  readonly records: number
  /** What must not be, in sentences. */
  readonly wrong: readonly string[]
}

/** How a run is made. */
export interface SoakSettings {
  /** By each application. */
  readonly recordsPerSecond: number
  readonly print: (line: string) => void
}

/** How long everything may take to arrive once nothing is wrong, in ms. */
const SETTLE_MILLIS = 30_000
/** What a killed process has left in a spool is found within a minute. */
const UNSPOOL_MILLIS = 90_000
const MINUTE_MILLIS = 60_000

/** Has applications log while all of a plan happens to them. */
export async function runSoak(plan: Plan, { recordsPerSecond, print }: SoakSettings): Promise<SoakResult> {
  const wrong: string[] = []
  const start = performance.now()
  const at = (): string => `${((performance.now() - start) / 1_000).toFixed(1)} s`
  function complain(sentence: string): void {
    wrong.push(sentence)
    print(`  WRONG at ${at()}: ${sentence}`)
  }

  const directory = mkdtempSync(join(tmpdir(), 'sluice-soak-'))
  const library = join(directory, 'write-faults.so')
  const canFail = canFailWrites()
  if (canFail) compileWriteFaults(library)
  else missing('a C compiler', 'writes')
  const collector = await soakCollector()
  const targets: Target[] = []
  for (const name of applications) {
    const proxy = await tcpProxy(collector.port)
    const writes = writeFaults(join(directory, `${name}.faults`))
    const lives = new ApplicationLives({
      name,
      seed: plan.seed,
      directory,
      recordsPerSecond,
      url: new URL(proxy.url).origin,
      collector,
      env: { ...writes.env, LD_PRELOAD: canFail ? library : '' },
      wrong: complain,
      print,
    })
    targets.push({ name, lives, proxy, writes })
  }
  let contender: ChildProcess | undefined
  const samples: Sample[] = []
  const minutes = new Minutes(print)
  let rowAt = performance.now()
  const rows = setInterval(row, MINUTE_MILLIS)

  try {
    await Promise.all(targets.map(({ lives }) => lives.start()))
    await happen()
    await settle()
    await Promise.all(targets.map(({ lives }) => lives.unspool(UNSPOOL_MILLIS)))
    await Promise.all(targets.map(({ lives }) => lives.end('shutdown')))
    row()
    for (const { lives } of targets) lives.finish()
    judge()
  } finally {
    clearInterval(rows)
    contender?.kill('SIGKILL')
    for (const { lives, proxy, writes } of targets) {
      lives.kill()
      writes.close()
      await proxy.refuse()
    }
    await collector.close()
    if (wrong.length === 0) rmSync(directory, { recursive: true, force: true })
    else print(`files are kept in ${directory}`)
  }
  return { records: targets.reduce((sum, { lives }) => sum + lives.totals().records, 0), wrong }

  async function happen(): Promise<void> {
    let paused = 0
    const begin = performance.now()
    for (const { when, step, isEnd } of eventsOf(plan)) {
      await sleep(Math.max(0, begin + when + paused - performance.now()))
      if (!isEnd) print(stepText(step))
      if ('act' in step) targets[step.application]!.lives.act(step.act)
      else if ('fault' in step) await toggle(targets[step.application]!, isEnd ? undefined : step.fault, step.fault.on)
      else if (isEnd) {
        const before = performance.now()
        await settle()
        paused += performance.now() - before
      }
    }
  }

  async function settle(): Promise<void> {
    await Promise.all(targets.map(({ lives }) => lives.ending))
    const held = await Promise.all(targets.map(({ lives }) => lives.settle(SETTLE_MILLIS)))
    if (held[0] === undefined) return
    samples.push(held[0])
    print(`            old holds ${heldText(held[0])}`)
  }

  async function toggle(target: Target, fault: Fault | undefined, on: Fault['on']): Promise<void> {
    const { name, lives, proxy, writes } = target
    switch (on) {
      case 'file':
      case 'stdout':
        return writes.set(on, fault?.on === on ? fault : undefined)
      case 'reader':
        return lives.stopReader(fault !== undefined)
      case 'proxy': {
        const mode = fault?.on === 'proxy' ? fault.mode : 'pass'
        // What a stalled connection has swallowed does not come back, so it must not go on.
        await proxy.refuse()
        if (mode === 'refuse') return
        proxy.mode = mode
        return proxy.listen()
      }
      case 'collector':
        return collector.answer(name, fault?.on === 'collector' ? fault.answer : undefined)
      case 'processor':
        contender?.kill('SIGKILL')
        contender = fault === undefined ? undefined : spawn(process.execPath, ['-e', 'for (;;) continue'])
    }
  }

  function row(): void {
    const seconds = (performance.now() - rowAt) / 1_000
    rowAt = performance.now()
    const { lives } = targets[0]!
    minutes.row(
      {
        totals: targets.map(({ lives }) => lives.totals()),
        duplicates: duplicates(),
        pid: lives.pid,
        sample: samples.at(-1),
      },
      seconds,
    )
  }

  /** Only the collector is told things twice. */
  function duplicates(): number {
    let count = 0
    for (const { name } of targets)
      for (const destination of destinations.filter(({ sink }) => sink === 'collector'))
        for (const life of Object.values(collector.arrivals(name, destination.name).report().lives))
          count += life.duplicates
    return count
  }

  function judge(): void {
    const growth = growthOf(samples)
    if (growth === undefined) print(`too short to say what grows: ${samples.length} calm moments`)
    else for (const sentence of growth) complain(`old: ${sentence}`)
  }

  function missing(what: string, which: string): void {
    if (process.env.CI === 'true') complain(`${what} is missing`)
    else print(`${what} is missing: nothing happens to ${which}`)
  }
}

interface Target {
  readonly name: string
  readonly lives: ApplicationLives
  readonly proxy: TcpProxy
  readonly writes: WriteFaults
}

interface Event {
  readonly when: number
  readonly step: Step
  readonly isEnd: boolean
}

/** When steps begin and when they end, in order. */
function eventsOf({ steps }: Plan): Event[] {
  return steps
    .flatMap((step): Event[] => [
      { when: step.at, step, isEnd: false },
      ...('until' in step ? [{ when: step.until, step, isEnd: true }] : []),
    ])
    .toSorted((one, other) => one.when - other.when)
}
