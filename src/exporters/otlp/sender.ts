import { AsyncLocalStorage } from 'node:async_hooks'
import type * as http from 'node:http'
import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { ExitSender, type WorkerExchange } from './at-exit.ts'
import { beforeExit } from './before-exit.ts'
import type { Answer } from './answer.ts'
import { post, type Exchange, type Post } from './http.ts'
import { OtlpJob, type Part } from './job.ts'
import type { OtlpSettings } from './options.ts'
import { nodeProxySettings, proxySecrets, type AgentOptions } from './proxy.ts'
import { RequestMaker, unmade } from './request-maker.ts'
import { outcomeOf, type Sent } from './response.ts'
import { notAttempted } from '../retry/retrier.ts'
import { ownCopy } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/** How long a connection without a request is kept, in ms: shorter than what a balancer forgets it in without a word. */
const idleConnectionMillis = 30_000
/** A worker gives up so long before its caller, in ms: then it is known what became of the request. */
const workerMarginMillis = 25
/** What the end of the process must have left for another request, in ms: with less it could only be sent and not heard of. */
const leastMillisAtEnd = 2 * workerMarginMillis

/** A request that is under way. */
interface Flight {
  readonly part: Part
  readonly exchange: Exchange
  /** Where a thread of its own sends it. */
  readonly inWorker: WorkerExchange | undefined
}

/** The answer to a batch that is given after the shutdown (EXP2). */
const afterShutdown: ExportResult = { status: 'rejected', accepted: 0, reason: 'rejected' }

/**
 * Sends batches by OTLP/HTTP, one try each. In the event loop a batch goes through the agent; without it a worker sends, and
 * what the event loop has begun begins again there.
 *
 * Invariant: at most one request is under way. Who goes on with a job counts `turn` up, and whoever waits for something
 * since before then lets the job be.
 */
export class OtlpSender {
  private readonly name: string
  private readonly settings: OtlpSettings
  private readonly encoding: OtlpEncoding
  private readonly requests: RequestMaker
  private readonly agent: http.Agent
  private readonly atExit: ExitSender
  // Connections outlive the call that opened them: they must not hold on to its context.
  private readonly outside = AsyncLocalStorage.snapshot()
  private host!: ExporterHost
  private job: OtlpJob | undefined
  private flight: Flight | undefined
  private turn = 0
  private signal: AbortSignal | undefined
  private hold: Delay | undefined
  private alive = false
  private closed = false
  private stopPreparing: (() => void) | undefined

  constructor(name: string, settings: OtlpSettings, encoding: OtlpEncoding) {
    // An agent does not take Node's proxy from the environment by itself.
    const proxyEnv = settings.agent === undefined ? nodeProxySettings() : undefined
    const options = ownCopy<AgentOptions>({ keepAlive: true, timeout: idleConnectionMillis, proxyEnv })
    this.name = name
    this.settings = settings
    this.encoding = encoding
    this.requests = new RequestMaker(settings, encoding.contentType, proxySecrets(proxyEnv))
    this.atExit = new ExitSender(proxyEnv)
    const { Agent } = process.getBuiltinModule(settings.url.protocol === 'https:' ? 'node:https' : 'node:http')
    this.agent = (settings.agent as http.Agent | undefined) ?? new Agent(options)
  }

  start(host: ExporterHost): void {
    this.host = host
    this.closed = false
    // A process that comes to its end by itself may have records before any request has asked for headers.
    const { headers } = this.settings
    if (!headers.isAsked) return
    this.stopPreparing = beforeExit(() => this.outside(() => headers.prepare(host.exitTimeoutMillis)))
  }

  export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    if (this.closed) return Promise.resolve(afterShutdown)
    const job = this.jobOf(batch)
    this.signal = signal
    onAbort(signal, this.giveUp)
    return new Promise((resolve) => {
      job.resolve = resolve
      this.outside(() => void this.run(job))
    })
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    if (this.closed) return afterShutdown
    const job = this.jobOf(batch)
    const hasTime = deadline - this.host.monotonic() > (final ? leastMillisAtEnd : 0)
    const state = hasTime ? this.outside(() => this.runSync(job, deadline, final)) : 'not begun'
    if (state === 'ended') return this.end(job)
    if (final) {
      this.cancel(job)
      return this.end(job)
    }
    // What the worker has goes on. Whoever waits for the job's end waits for it in the event loop.
    if (state === 'under way' && job.resolve !== undefined) this.outside(() => void this.run(job))
    return notAttempted
  }

  keepAlive(alive: boolean): void {
    this.alive = alive
    if (this.hold === undefined) this.flight?.exchange.keepAlive(alive)
  }

  async shutdown(): Promise<void> {
    this.closed = true
    this.stopPreparing?.()
    this.giveUp()
    if (this.settings.agent === undefined) this.agent.destroy()
    this.atExit.close()
  }

  private jobOf(batch: EncodedBatch): OtlpJob {
    if (this.job?.batch !== batch) this.job = new OtlpJob(batch, this.encoding, this.settings.maxRequestBytes)
    return this.job
  }

  private async run(job: OtlpJob): Promise<void> {
    const turn = ++this.turn
    for (;;) {
      const part = this.flight?.part ?? job.next()
      if (part === undefined) break
      const flight = this.flight ?? (await this.takeOff(job, part, turn))
      if (flight === undefined) break
      this.holdProcess(flight)
      const answer = await flight.exchange.answer
      if (turn !== this.turn) return
      this.land(job, flight, answer)
    }
    if (turn === this.turn) this.end(job)
  }

  /** Sends a part through the agent. Returns undefined where that fails, or where somebody else goes on with the job. */
  private async takeOff(job: OtlpJob, part: Part, turn: number): Promise<Flight | undefined> {
    try {
      const request = await this.requests.make(part.body)
      if (turn !== this.turn) return undefined
      this.flight = { part, exchange: post(request, this.agent), inWorker: undefined }
      return this.flight
    } catch (error) {
      if (turn === this.turn) job.take(part, { kind: 'unanswered', mayHaveArrived: false, told: unmade(error) })
      return undefined
    }
  }

  /** `under way`: the time is over, and the worker goes on. `not begun`: nothing can be done without the event loop. */
  private runSync(job: OtlpJob, deadline: number, final: boolean): 'ended' | 'under way' | 'not begun' {
    for (;;) {
      const part = this.flight?.part ?? job.next()
      if (part === undefined) return 'ended'
      let flight = this.flight
      if (flight?.inWorker === undefined) {
        // Nothing is given up before it is known that the worker can go on with it.
        const request = this.requestForWorker(job, part, final)
        if (request === undefined) return 'not begun'
        this.turn++
        const answer = flight?.exchange.cancel('it was sent in another way')
        if (answer !== undefined && answer.status !== undefined) {
          this.land(job, flight!, answer)
          continue
        }
        if (answer?.mayHaveArrived === true) job.repeat(part)
        const left = Math.max(1, deadline - this.host.monotonic() - workerMarginMillis)
        const { timeoutMillis } = request
        const time = !final ? timeoutMillis : timeoutMillis === 0 ? left : Math.min(timeoutMillis, left)
        const inWorker = this.atExit.begin({ ...request, timeoutMillis: time })
        flight = this.flight = { part, exchange: inWorker, inWorker }
      }
      const answer = flight.inWorker!.wait(deadline)
      if (answer === undefined) return 'under way'
      this.turn++
      this.land(job, flight, answer)
    }
  }

  private requestForWorker(job: OtlpJob, part: Part, final: boolean): Post | undefined {
    let why = 'cannot be called at the end of the process: shut the logger down before'
    if (this.atExit.isReady) {
      try {
        return this.requests.makeSync(part.body)
      } catch (error) {
        why = unmade(error)
      }
    }
    if (final) job.troubles.push({ code: 'SLUICE_OTLP_UNAVAILABLE', message: why })
    return undefined
  }

  private readonly giveUp = (): void => {
    const { job } = this
    if (job === undefined) return
    this.cancel(job)
    this.end(job)
  }

  private cancel(job: OtlpJob): void {
    this.turn++
    const { flight } = this
    if (flight !== undefined) this.land(job, flight, flight.exchange.cancel('its time was over'))
    job.stop()
  }

  private land(job: OtlpJob, { part }: Flight, answer: Answer): void {
    this.flight = undefined
    this.hold?.cancel()
    this.hold = undefined
    const sent: Sent = { contentType: this.encoding.contentType, records: part.records, secrets: this.requests.secrets }
    job.take(part, outcomeOf(answer, sent, Date.now()), answer.status)
  }

  private end(job: OtlpJob): ExportResult {
    this.job = undefined
    this.signal?.removeEventListener('abort', this.giveUp)
    this.signal = undefined
    const result = job.result()
    job.resolve?.(result)
    // Told last: whoever is told may log, flush and shut down.
    for (const { code, message } of job.troubles) {
      this.host.reportDiagnostic(code, `${this.name} ${message}`)
    }
    return result
  }

  /**
   * A process that is about to end waits for an answer that is on its way, for half of the time that it may be held up:
   * ended at once, it would have to send the batch again.
   */
  private holdProcess({ exchange }: Flight): void {
    this.hold ??= delay(this.host.exitTimeoutMillis / 2, () => {
      this.hold = undefined
      if (!this.alive) exchange.keepAlive(false)
    })
  }
}
