import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArrivalCounts } from './arrivals.ts'
import { disagreementsOf, tornBy, type LifeEnd } from './closing.ts'
import type { SoakCollector } from './collector.ts'
import { destinations, variationOf } from './destinations.ts'
import type { Act } from './faults.ts'
import { FileFollower } from './file-follower.ts'
import { startLife, type Life } from './life.ts'
import type { Said, Sample } from './messages.ts'
import { PlantedFiles } from './planted.ts'
import { Patience } from './patience.ts'
import { randomOf } from './random.ts'
import { standardOutput } from './standard-output.ts'

/** Where an application lives. */
export interface Surroundings {
  readonly name: string
  readonly seed: number
  readonly directory: string
  readonly recordsPerSecond: number
  /** In front of the collector, without a path. */
  readonly url: string
  readonly collector: SoakCollector
  /** What its processes are started with. */
  readonly env: Readonly<Record<string, string>>
  /** Takes what must not be. */
  readonly wrong: (sentence: string) => void
  readonly print: (line: string) => void
}

/** What an application has done so far, in all its lives and destinations. */
export interface Totals {
  readonly records: number
  readonly written: number
  readonly unknown: number
  readonly maybeDuplicated: number
  readonly dropped: Readonly<Record<string, number>>
}

/** How long a process may take to end, in ms of patience: its own seconds for the queues, and an event loop that was blocked. */
const END_MILLIS = 10_000
/** How long an answer may take of somebody who has nothing to wait for. */
const ANSWER_MILLIS = 10_000
/** What is on its way to the collector when a process dies arrives within this time. */
const ARRIVAL_MILLIS = 500

/** An application: processes one after the other, whose ledgers are closed when they end. */
export class ApplicationLives {
  private readonly its: Surroundings
  private readonly followers = new Map<string, FileFollower>()
  private readonly past: LifeEnd[][] = []
  /** What these were called. */
  private readonly runs: string[] = []
  private readonly reading: NodeJS.Timeout
  private life: Life | undefined
  private readerStopped = false
  /** Each of them may have left half a line. */
  private writersKilled = 0
  private readonly planted: PlantedFiles
  private count = 0
  /** Resolves when no process is being ended. */
  ending: Promise<void> = Promise.resolve()

  constructor(its: Surroundings) {
    this.its = its
    mkdirSync(join(its.directory, its.name))
    this.planted = new PlantedFiles(its.directory, its.name)
    for (const { name, sink } of destinations) {
      const path = join(its.directory, `${its.name}.${name}.log`)
      if (sink === 'file' || sink === 'rotated') this.followers.set(name, new FileFollower(path, sink === 'rotated'))
    }
    this.reading = setInterval(() => this.read(), 100)
  }

  async start(): Promise<void> {
    const { name, seed, directory, recordsPerSecond, url, env, wrong } = this.its
    const run = `${name}.${++this.count}`
    const random = randomOf(seed).fork(run)
    const own = random.whole(0, 0xffffffff)
    const { socket } = variationOf(randomOf(own).fork('variation'))
    const output = standardOutput(socket, join(directory, `${run}.pipe`))
    const plan = { run, seed: own, recordsPerSecond, directory, application: name, url }
    const life = (this.life = await startLife(plan, output, env))
    if (this.readerStopped) output.stop(true)
    void life.ended.then((end) => (this.life === life ? wrong(`${run} ended with ${end}`) : undefined))
  }

  /** Has something happen to the process, if there is one. */
  act(act: Act): void {
    const { life } = this
    if (life === undefined) return
    if (act.do === 'plant') {
      this.planted.plant(act.kind)
    } else if (act.do === 'end') {
      this.ending = this.end(act.how)
        .then(() => this.start())
        .catch((error: unknown) => this.its.wrong(String(error)))
    } else {
      if (act.do === 'kill writer') this.writersKilled++
      if (act.do === 'reopen') for (const follower of this.followers.values()) follower.rename()
      life.tell(act)
    }
  }

  stopReader(stopped: boolean): void {
    this.readerStopped = stopped
    this.life?.output.stop(stopped)
  }

  /** Waits until everything that was logged has left the queues. Returns what the process holds then. */
  async settle(timeoutMillis: number): Promise<Sample | undefined> {
    const { life } = this
    if (life === undefined) return undefined
    const patience = new Patience(timeoutMillis, [life.pid, process.pid])
    let flushed: Extract<Said, { said: 'flushed' }> | undefined
    do {
      flushed = await answerOf(life.ask({ do: 'flush', timeoutMillis }, 'flushed'), timeoutMillis + ANSWER_MILLIS)
    } while (flushed?.inTime !== true && patience.left > 0)
    if (flushed?.inTime !== true) {
      const queued = life.known().map(({ ledger }, index) => `${destinations[index]!.name} ${ledger.queued}`)
      const what = `${queued.join(', ')}; its threads: ${threadsOf(life.pid)}; ${life.stderr}`
      this.its.wrong(`${life.run}: not all left the queues when all was well: ${what}`)
    }
    return answerOf(life.ask({ do: 'sample' }, 'sample'), ANSWER_MILLIS)
  }

  /** Waits until nothing is left in the files of spools, those of earlier processes included. */
  async unspool(timeoutMillis: number): Promise<void> {
    const patience = new Patience(timeoutMillis, [this.life?.pid ?? process.pid, process.pid])
    for (;;) {
      const said = await answerOf(
        this.life?.ask({ do: 'spooled' }, 'spooled') ?? Promise.resolve(undefined),
        ANSWER_MILLIS,
      )
      const left = this.planted.ofOwners(readdirSync(join(this.its.directory, this.its.name, 'spool')))
      if (said?.waiting === 0 && left.length <= 1) return
      if (patience.left < 0) {
        return this.its.wrong(`${this.its.name}: ${said?.waiting} records wait in the spool, among ${left.join(', ')}`)
      }
      await sleep(250)
    }
  }

  /** Ends the process, and closes its ledger. */
  async end(how: Extract<Act, { do: 'end' }>['how']): Promise<void> {
    const life = this.life!
    const start = performance.now()
    this.life = undefined
    if (how === 'SIGKILL' || how === 'SIGTERM') life.kill(how)
    else life.tell({ do: how })
    const end = await this.endOf(life, how)
    const took = (performance.now() - start).toFixed(0)
    this.its.print(`            ${life.run} ended by ${how} in ${took} ms, after ${life.known()[0]!.next} records`)
    if (end !== (how === 'exit' || how === 'shutdown' ? 0 : how))
      this.its.wrong(`${life.run}: ${how} ended with ${end}`)
    // It has to read the rest.
    life.output.stop(false)
    await this.close(life, how)
  }

  /** How it has ended; it is killed when it does not. */
  private async endOf(life: Life, how: string): Promise<number | NodeJS.Signals> {
    for (const patience = new Patience(END_MILLIS, [life.pid, process.pid]); patience.left > 0;) {
      const end = await answerOf(life.ended, patience.left)
      if (end !== undefined) return end
    }
    const threads = threadsOf(life.pid)
    this.its.wrong(`${life.run} did not end by ${how} in ${END_MILLIS} ms; its threads: ${threads}; ${life.stderr}`)
    life.kill('SIGKILL')
    return life.ended
  }

  /** Reads the rest of everything; what must not be is told. */
  finish(): void {
    clearInterval(this.reading)
    for (const [name, follower] of this.followers) this.complain(name, follower.end().wrong)
    this.closeSpools()
    this.complain('planted', this.planted.wrong())
    for (const { name, sink } of destinations)
      if (sink === 'collector' || sink === 'spool')
        this.complain(name, this.its.collector.arrivals(this.its.name, name).report().wrong)
  }

  /** Ends processes that are left, without a word. */
  kill(): void {
    clearInterval(this.reading)
    const life = this.life
    this.life = undefined
    life?.kill('SIGKILL')
    life?.output.kill()
  }

  get pid(): number | undefined {
    return this.life?.pid
  }

  totals(): Totals {
    const lives = [...this.past, ...(this.life === undefined ? [] : [this.life.known()])]
    const ledgers = lives.flat().map(({ ledger }) => ledger)
    const dropped: Record<string, number> = {}
    for (const {
      dropped: { byReason },
    } of ledgers)
      for (const [reason, count] of Object.entries(byReason)) dropped[reason] = (dropped[reason] ?? 0) + count
    const sum = (count: (ledger: LifeEnd['ledger']) => number) =>
      ledgers.reduce((all, ledger) => all + count(ledger), 0)
    return {
      records: lives.reduce((all, [first]) => all + first!.next, 0),
      written: sum(({ written }) => written),
      unknown: sum(({ unknown }) => unknown),
      maybeDuplicated: sum(({ maybeDuplicated }) => maybeDuplicated),
      dropped,
    }
  }

  private read(): void {
    for (const follower of this.followers.values()) follower.poll()
  }

  private async close(life: Life, how: string): Promise<void> {
    const known = life.known()
    this.past.push([...known])
    this.runs.push(life.run)
    const [piped] = await Promise.all([answerOf(life.output.report, ANSWER_MILLIS), sleep(ARRIVAL_MILLIS)])
    this.read()
    if (piped === undefined) return this.its.wrong(`${life.run}: somebody still has its standard output`)
    if (how !== 'SIGKILL' && !known[0]!.told) this.its.wrong(`${life.run}: ${how} left no last word`)
    this.complain(life.run, life.wrong)
    this.complain(`${life.run}: stdout`, piped.wrong)
    destinations.forEach(({ name, sink }, index) => {
      if (sink === 'spool') return
      const end = known[index]!
      const sentences = disagreementsOf(sink, end, this.arrivedAt(name, life.run, piped.lives[life.run]))
      this.complain(`${life.run}, ended by ${how}: ${name}`, sentences)
      if (sink === 'collector') return
      const { torn, tornLines } = sink === 'stdout' ? piped : this.followers.get(name)!.report()
      const ends = sink === 'stdout' ? [end] : this.past.map((life) => life[index]!)
      const byWriters = name === 'process' ? this.writersKilled : 0
      const explained = ends.reduce((sum, end) => sum + tornBy(end), byWriters)
      if (torn > explained)
        this.complain(`${life.run}: ${name}: ${torn} torn lines, ${explained} explained`, tornLines.slice(-5))
    })
  }

  /** What a life has left in a spool, another one has sent: it is all there only now. */
  private closeSpools(): void {
    destinations.forEach(({ name, sink }, index) => {
      if (sink !== 'spool') return
      this.past.forEach((ends, life) => {
        const sentences = disagreementsOf(sink, ends[index]!, this.arrivedAt(name, this.runs[life]!, undefined))
        this.complain(`${this.runs[life]}: ${name}`, sentences)
      })
    })
  }

  private arrivedAt(name: string, run: string, piped: ArrivalCounts | undefined): ArrivalCounts | undefined {
    const { sink } = destinations.find((destination) => destination.name === name)!
    if (sink === 'stdout') return piped
    const arrivals =
      sink === 'file' || sink === 'rotated'
        ? this.followers.get(name)!
        : this.its.collector.arrivals(this.its.name, name)
    return arrivals.report().lives[run]
  }

  private complain(where: string, sentences: readonly string[]): void {
    for (const sentence of sentences) this.its.wrong(`${where}: ${sentence}`)
  }
}

/** What it says in so many ms; else undefined. */
function answerOf<T>(answer: Promise<T>, millis: number): Promise<T | undefined> {
  return Promise.race([answer, sleep(millis, undefined, { ref: false })])
}

/** What each thread of a process is doing, for whoever looks for what holds it up (proc(5)). */
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
