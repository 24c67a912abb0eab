import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.ts'
import { Application } from './application.ts'
import { soakCollector } from './collector.ts'
import { destinations } from './destinations.ts'
import type { Fault } from './faults.ts'
import { growthOf, resourcesText } from './growth.ts'
import type { Sample } from './messages.ts'
import { Minutes } from './minutes.ts'
import { stepText } from './plan-text.ts'
import { applications, type Plan, type Step } from './plan.ts'
import { canFailWrites, compileWriteFaults, writeFaults, type WriteFaults } from './write-faults.ts'

/** The result of a run. */
export interface SoakResult {
  /** The number of logged records. */
  readonly records: number
  /** Errors, as sentences. */
  readonly wrong: readonly string[]
}

/** The settings of a run. */
export interface SoakSettings {
  /** The rate of each application. */
  readonly recordsPerSecond: number
  readonly print: (line: string) => void
}

/** The time in which all records must arrive once there are no faults, in ms. */
const SETTLE_MILLIS = 30_000
/** The timeout for the replay of spools, in ms. The spool of a killed process is claimed within a minute. */
const UNSPOOL_MILLIS = 90_000
const MINUTE_MILLIS = 60_000

/** Runs applications while the steps of a plan are executed. */
export async function runSoak(plan: Plan, { recordsPerSecond, print }: SoakSettings): Promise<SoakResult> {
  const wrong: string[] = []
  const start = performance.now()
  const at = (): string => `${((performance.now() - start) / 1_000).toFixed(1)} s`
  function addError(sentence: string): void {
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
    const application = new Application({
      name,
      seed: plan.seed,
      directory,
      recordsPerSecond,
      url: new URL(proxy.url).origin,
      collector,
      env: { ...writes.env, LD_PRELOAD: canFail ? library : '' },
      wrong: addError,
      print,
    })
    targets.push({ name, application, proxy, writes })
  }
  let contender: ChildProcess | undefined
  const samples: Sample[] = []
  const minutes = new Minutes(print)
  let rowAt = performance.now()
  const rows = setInterval(row, MINUTE_MILLIS)

  try {
    await Promise.all(targets.map(({ application }) => application.start()))
    await runSteps()
    await settle()
    await Promise.all(targets.map(({ application }) => application.unspool(UNSPOOL_MILLIS)))
    await Promise.all(targets.map(({ application }) => application.end('shutdown')))
    row()
    for (const { application } of targets) application.finish()
    checkGrowth()
  } finally {
    clearInterval(rows)
    contender?.kill('SIGKILL')
    for (const { application, proxy, writes } of targets) {
      application.kill()
      writes.close()
      await proxy.refuse()
    }
    await collector.close()
    if (wrong.length === 0) rmSync(directory, { recursive: true, force: true })
    else print(`files are kept in ${directory}`)
  }
  return { records: targets.reduce((sum, { application }) => sum + application.totals().records, 0), wrong }

  async function runSteps(): Promise<void> {
    let paused = 0
    const begin = performance.now()
    for (const { when, step, isEnd } of eventsOf(plan)) {
      await sleep(Math.max(0, begin + when + paused - performance.now()))
      if (!isEnd) print(stepText(step))
      if ('act' in step) targets[step.application]!.application.act(step.act)
      else if ('fault' in step) await toggle(targets[step.application]!, isEnd ? undefined : step.fault, step.fault.on)
      else if (isEnd) {
        const before = performance.now()
        await settle()
        paused += performance.now() - before
      }
    }
  }

  async function settle(): Promise<void> {
    await Promise.all(targets.map(({ application }) => application.ending))
    const samplesNow = await Promise.all(targets.map(({ application }) => application.settle(SETTLE_MILLIS)))
    if (samplesNow[0] === undefined) return
    samples.push(samplesNow[0])
    print(`            resources of old: ${resourcesText(samplesNow[0])}`)
  }

  async function toggle(target: Target, fault: Fault | undefined, on: Fault['on']): Promise<void> {
    const { name, application, proxy, writes } = target
    switch (on) {
      case 'file':
      case 'stdout':
        return writes.set(on, fault?.on === on ? fault : undefined)
      case 'reader':
        return application.stopReader(fault !== undefined)
      case 'proxy': {
        const mode = fault?.on === 'proxy' ? fault.mode : 'pass'
        // Close stalled connections, because the data that they swallowed is lost.
        await proxy.refuse()
        if (mode === 'refuse') return
        proxy.mode = mode
        return proxy.listen()
      }
      case 'collector':
        return collector.respondWith(name, fault?.on === 'collector' ? fault.response : undefined)
      case 'processor':
        contender?.kill('SIGKILL')
        contender = fault === undefined ? undefined : spawn(process.execPath, ['-e', 'for (;;) continue'])
    }
  }

  function row(): void {
    const seconds = (performance.now() - rowAt) / 1_000
    rowAt = performance.now()
    const { application } = targets[0]!
    minutes.row(
      {
        totals: targets.map(({ application }) => application.totals()),
        duplicates: duplicates(),
        pid: application.pid,
        sample: samples.at(-1),
      },
      seconds,
    )
  }

  /** Only requests to the collector are repeated. */
  function duplicates(): number {
    let count = 0
    for (const { name } of targets)
      for (const destination of destinations.filter(({ sink }) => sink === 'collector'))
        for (const run of Object.values(collector.arrivals(name, destination.name).report().runs))
          count += run.duplicates
    return count
  }

  function checkGrowth(): void {
    const growth = growthOf(samples)
    if (growth === undefined) print(`too few samples to measure growth: ${samples.length} calm moments`)
    else for (const sentence of growth) addError(`old: ${sentence}`)
  }

  function missing(what: string, which: string): void {
    if (process.env.CI === 'true') addError(`${what} is missing`)
    else print(`${what} is missing: no faults of ${which}`)
  }
}

interface Target {
  readonly name: string
  readonly application: Application
  readonly proxy: TcpProxy
  readonly writes: WriteFaults
}

interface Event {
  readonly when: number
  readonly step: Step
  readonly isEnd: boolean
}

/** Returns the starts and ends of steps, in order. */
function eventsOf({ steps }: Plan): Event[] {
  return steps
    .flatMap((step): Event[] => [
      { when: step.at, step, isEnd: false },
      ...('until' in step ? [{ when: step.until, step, isEnd: true }] : []),
    ])
    .toSorted((one, other) => one.when - other.when)
}
