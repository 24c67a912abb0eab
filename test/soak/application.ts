import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArrivalCounts } from './arrivals.ts'
import { mismatchesOf, allowedTornLines, type RunStats } from './run-stats.ts'
import type { SoakCollector } from './collector.ts'
import { destinations, variationOf } from './destinations.ts'
import type { Action } from './faults.ts'
import { FileFollower } from './file-follower.ts'
import { startApplication, type ApplicationProcess } from './application-process.ts'
import type { Message, Sample } from './messages.ts'
import { PlantedFiles } from './planted.ts'
import { FairTimeout } from './fair-timeout.ts'
import { randomOf } from './random.ts'
import { standardOutput } from './standard-output.ts'

/** The settings of an application. */
export interface ApplicationSettings {
  readonly name: string
  readonly seed: number
  readonly directory: string
  readonly recordsPerSecond: number
  /** The URL of the proxy in front of the collector, without a path. */
  readonly url: string
  readonly collector: SoakCollector
  /** Environment variables of its processes. */
  readonly env: Readonly<Record<string, string>>
  /** Is called with each error, as a sentence. */
  readonly wrong: (sentence: string) => void
  readonly print: (line: string) => void
}

/** Totals of an application over all its processes and destinations. */
export interface Totals {
  readonly records: number
  readonly written: number
  readonly unknown: number
  readonly maybeDuplicated: number
  readonly dropped: Readonly<Record<string, number>>
}

/** The timeout of an exit, in ms. It includes the exit timeout of the logger and a blocked event loop. */
const EXIT_MILLIS = 10_000
/** The timeout of a reply that does not depend on destinations, in ms. */
const REPLY_MILLIS = 10_000
/** The time in which requests in flight arrive at the collector after a process was killed, in ms. */
const ARRIVAL_MILLIS = 500

/** An application: a sequence of processes. When a process exits, its statistics are compared with the records that arrived. */
export class Application {
  private readonly settings: ApplicationSettings
  private readonly followers = new Map<string, FileFollower>()
  private readonly past: RunStats[][] = []
  /** The ids of the past runs. */
  private readonly runs: string[] = []
  private readonly reading: NodeJS.Timeout
  private process: ApplicationProcess | undefined
  private readerStopped = false
  /** The number of killed writer processes. Each may have left a torn line. */
  private writersKilled = 0
  private readonly planted: PlantedFiles
  private count = 0
  /** Resolves when no process is exiting. */
  ending: Promise<void> = Promise.resolve()

  constructor(its: ApplicationSettings) {
    this.settings = its
    mkdirSync(join(its.directory, its.name))
    this.planted = new PlantedFiles(its.directory, its.name)
    for (const { name, sink } of destinations) {
      const path = join(its.directory, `${its.name}.${name}.log`)
      if (sink === 'file' || sink === 'rotated') this.followers.set(name, new FileFollower(path, sink === 'rotated'))
    }
    this.reading = setInterval(() => this.read(), 100)
  }

  async start(): Promise<void> {
    const { name, seed, directory, recordsPerSecond, url, env, wrong } = this.settings
    const run = `${name}.${++this.count}`
    const random = randomOf(seed).fork(run)
    const own = random.whole(0, 0xffffffff)
    const { socket } = variationOf(randomOf(own).fork('variation'))
    const output = standardOutput(socket, join(directory, `${run}.pipe`))
    const plan = { run, seed: own, recordsPerSecond, directory, application: name, url }
    const child = (this.process = await startApplication(plan, output, env))
    if (this.readerStopped) output.setStopped(true)
    void child.ended.then((end) => (this.process === child ? wrong(`${run} ended with ${end}`) : undefined))
  }

  /** Runs an action on the process, if there is one. */
  act(act: Action): void {
    const { process: child } = this
    if (child === undefined) return
    if (act.do === 'plant') {
      this.planted.plant(act.kind)
    } else if (act.do === 'end') {
      this.ending = this.end(act.how)
        .then(() => this.start())
        .catch((error: unknown) => this.settings.wrong(String(error)))
    } else {
      if (act.do === 'kill writer') this.writersKilled++
      if (act.do === 'reopen') for (const follower of this.followers.values()) follower.rename()
      child.send(act)
    }
  }

  stopReader(stopped: boolean): void {
    this.readerStopped = stopped
    this.process?.output.setStopped(stopped)
  }

  /** Waits until all queues are empty. Returns the resources of the process then. */
  async settle(timeoutMillis: number): Promise<Sample | undefined> {
    const { process: child } = this
    if (child === undefined) return undefined
    const timeout = new FairTimeout(timeoutMillis, [child.pid, process.pid])
    let flushed: Extract<Message, { type: 'flushed' }> | undefined
    do {
      flushed = await withTimeout(
        child.request({ do: 'flush', timeoutMillis }, 'flushed'),
        timeoutMillis + REPLY_MILLIS,
      )
    } while (flushed?.inTime !== true && timeout.left > 0)
    if (flushed?.inTime !== true) {
      const queued = child.stats().map(({ stats }, index) => `${destinations[index]!.name} ${stats.queued}`)
      const what = `${queued.join(', ')}; its threads: ${threadsOf(child.pid)}; ${child.stderr}`
      this.settings.wrong(`${child.run}: the queues did not become empty without faults: ${what}`)
    }
    return withTimeout(child.request({ do: 'sample' }, 'sample'), REPLY_MILLIS)
  }

  /** Waits until the spool files are empty, including those of earlier processes. */
  async unspool(timeoutMillis: number): Promise<void> {
    const timeout = new FairTimeout(timeoutMillis, [this.process?.pid ?? process.pid, process.pid])
    for (;;) {
      const reply = await withTimeout(
        this.process?.request({ do: 'spooled' }, 'spooled') ?? Promise.resolve(undefined),
        REPLY_MILLIS,
      )
      const left = this.planted.ofOwners(readdirSync(join(this.settings.directory, this.settings.name, 'spool')))
      if (reply?.queued === 0 && left.length <= 1) return
      if (timeout.left < 0) {
        return this.settings.wrong(
          `${this.settings.name}: ${reply?.queued} records are in the spool, in ${left.join(', ')}`,
        )
      }
      await sleep(250)
    }
  }

  /** Ends the process and checks its statistics. */
  async end(how: Extract<Action, { do: 'end' }>['how']): Promise<void> {
    const child = this.process!
    const start = performance.now()
    this.process = undefined
    if (how === 'SIGKILL' || how === 'SIGTERM') child.kill(how)
    else child.send({ do: how })
    const end = await this.endOf(child, how)
    const took = (performance.now() - start).toFixed(0)
    this.settings.print(
      `            ${child.run} ended by ${how} in ${took} ms, after ${child.stats()[0]!.next} records`,
    )
    if (end !== (how === 'exit' || how === 'shutdown' ? 0 : how))
      this.settings.wrong(`${child.run}: ${how} ended with ${end}`)
    // The reader has to read the rest.
    child.output.setStopped(false)
    await this.close(child, how)
  }

  /** Returns the exit code or signal. Kills the process if it does not exit in time. */
  private async endOf(child: ApplicationProcess, how: string): Promise<number | NodeJS.Signals> {
    for (const timeout = new FairTimeout(EXIT_MILLIS, [child.pid, process.pid]); timeout.left > 0;) {
      const end = await withTimeout(child.ended, timeout.left)
      if (end !== undefined) return end
    }
    const threads = threadsOf(child.pid)
    this.settings.wrong(
      `${child.run} did not end by ${how} in ${EXIT_MILLIS} ms; its threads: ${threads}; ${child.stderr}`,
    )
    child.kill('SIGKILL')
    return child.ended
  }

  /** Reads the rest of all destinations and reports errors. */
  finish(): void {
    clearInterval(this.reading)
    for (const [name, follower] of this.followers) this.addErrors(name, follower.end().wrong)
    this.closeSpools()
    this.addErrors('planted', this.planted.wrong())
    for (const { name, sink } of destinations)
      if (sink === 'collector' || sink === 'spool')
        this.addErrors(name, this.settings.collector.arrivals(this.settings.name, name).report().wrong)
  }

  /** Kills the remaining processes without checks. */
  kill(): void {
    clearInterval(this.reading)
    const child = this.process
    this.process = undefined
    child?.kill('SIGKILL')
    child?.output.kill()
  }

  get pid(): number | undefined {
    return this.process?.pid
  }

  totals(): Totals {
    const runs = [...this.past, ...(this.process === undefined ? [] : [this.process.stats()])]
    const stats = runs.flat().map(({ stats }) => stats)
    const dropped: Record<string, number> = {}
    for (const {
      dropped: { byReason },
    } of stats)
      for (const [reason, count] of Object.entries(byReason)) dropped[reason] = (dropped[reason] ?? 0) + count
    const sum = (count: (stats: RunStats['stats']) => number) => stats.reduce((all, stats) => all + count(stats), 0)
    return {
      records: runs.reduce((all, [first]) => all + first!.next, 0),
      written: sum(({ written }) => written),
      unknown: sum(({ unknown }) => unknown),
      maybeDuplicated: sum(({ maybeDuplicated }) => maybeDuplicated),
      dropped,
    }
  }

  private read(): void {
    for (const follower of this.followers.values()) follower.poll()
  }

  private async close(child: ApplicationProcess, how: string): Promise<void> {
    const stats = child.stats()
    this.past.push([...stats])
    this.runs.push(child.run)
    const [piped] = await Promise.all([withTimeout(child.output.report, REPLY_MILLIS), sleep(ARRIVAL_MILLIS)])
    this.read()
    if (piped === undefined)
      return this.settings.wrong(`${child.run}: another process still has its standard output open`)
    if (how !== 'SIGKILL' && !stats[0]!.isFinal) this.settings.wrong(`${child.run}: ${how} sent no final statistics`)
    this.addErrors(child.run, child.wrong)
    this.addErrors(`${child.run}: stdout`, piped.wrong)
    destinations.forEach(({ name, sink }, index) => {
      if (sink === 'spool') return
      const end = stats[index]!
      const sentences = mismatchesOf(sink, end, this.arrivedAt(name, child.run, piped.runs[child.run]))
      this.addErrors(`${child.run}, ended by ${how}: ${name}`, sentences)
      if (sink === 'collector') return
      const { torn, tornLines } = sink === 'stdout' ? piped : this.followers.get(name)!.report()
      const ends = sink === 'stdout' ? [end] : this.past.map((life) => life[index]!)
      const byWriters = name === 'process' ? this.writersKilled : 0
      const explained = ends.reduce((sum, end) => sum + allowedTornLines(end), byWriters)
      if (torn > explained)
        this.addErrors(`${child.run}: ${name}: ${torn} torn lines, ${explained} explained`, tornLines.slice(-5))
    })
  }

  /** Checks the spools. A later process sends what an earlier one has spooled, so this runs at the end. */
  private closeSpools(): void {
    destinations.forEach(({ name, sink }, index) => {
      if (sink !== 'spool') return
      this.past.forEach((ends, life) => {
        const sentences = mismatchesOf(sink, ends[index]!, this.arrivedAt(name, this.runs[life]!, undefined))
        this.addErrors(`${this.runs[life]}: ${name}`, sentences)
      })
    })
  }

  private arrivedAt(name: string, run: string, piped: ArrivalCounts | undefined): ArrivalCounts | undefined {
    const { sink } = destinations.find((destination) => destination.name === name)!
    if (sink === 'stdout') return piped
    const arrivals =
      sink === 'file' || sink === 'rotated'
        ? this.followers.get(name)!
        : this.settings.collector.arrivals(this.settings.name, name)
    return arrivals.report().runs[run]
  }

  private addErrors(where: string, sentences: readonly string[]): void {
    for (const sentence of sentences) this.settings.wrong(`${where}: ${sentence}`)
  }
}

/** Resolves with undefined if a promise takes longer than the given ms. */
function withTimeout<T>(promise: Promise<T>, millis: number): Promise<T | undefined> {
  return Promise.race([promise, sleep(millis, undefined, { ref: false })])
}

/** Describes the state of each thread of a process, for diagnosis (proc(5)). */
function threadsOf(pid: number): string {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((id) => {
      const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'latin1').split(') ')[1]!.split(' ')
      return `${stat[0]} ${readFileSync(`/proc/${pid}/task/${id}/wchan`, 'latin1')} ${stat[11]}`
    })
    return threads.join(', ')
  } catch {
    return 'none'
  }
}
