import { AsyncLocalStorage } from 'node:async_hooks'
import type * as http from 'node:http'
import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { ExitSender, type WorkerExchange } from './at-exit.ts'
import { beforeExit } from './before-exit.ts'
import type { RequestResult } from './request-result.ts'
import { post, type Exchange, type Post } from './http.ts'
import { OtlpJob, type RequestPart } from './job.ts'
import type { OtlpSettings } from './options.ts'
import { nodeProxySettings, proxySecrets, type AgentOptions } from './proxy.ts'
import { RequestMaker, describeRequestError } from './request-maker.ts'
import { outcomeOf, type SentRequest } from './response.ts'
import { notAttempted } from '../retry/retrier.ts'
import { ownCopy } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/** How long an idle connection is kept, in ms: shorter than the time after which load balancers silently drop it. */
const idleConnectionMillis = 30_000
/** How much earlier than its caller a worker times out, in ms, so that the outcome of the request is known. */
const workerMarginMillis = 25
/** The minimum time left at exit to start another request, in ms. With less, it could be sent but not answered. */
const minMillisAtExit = 2 * workerMarginMillis

/** A request in progress. */
interface InFlightRequest {
  readonly part: RequestPart
  readonly exchange: Exchange
  /** The exchange in the worker thread, if the worker sends it. */
  readonly inWorker: WorkerExchange | undefined
}

/** The result of a batch that is exported after the shutdown (EXP2). */
const afterShutdown: ExportResult = { status: 'rejected', accepted: 0, reason: 'rejected' }

/**
 * Sends batches by OTLP/HTTP, with one attempt each. In the event loop requests use the agent. Without it a worker thread sends
 * them, including those that the event loop had started, which are sent again.
 *
 * Invariant: at most one request is in progress. Code that takes over a job increments `runId`; asynchronous code that finds
 * another `runId` after waiting leaves the job alone.
 */
export class OtlpSender {
  private readonly name: string
  private readonly settings: OtlpSettings
  private readonly encoding: OtlpEncoding
  private readonly requests: RequestMaker
  private readonly agent: http.Agent
  private readonly exitSender: ExitSender
  // Connections outlive the call that opened them, so they must not retain its async context.
  private readonly withoutContext = AsyncLocalStorage.snapshot()
  private host!: ExporterHost
  private job: OtlpJob | undefined
  private inFlight: InFlightRequest | undefined
  private runId = 0
  private signal: AbortSignal | undefined
  private holdTimer: Delay | undefined
  private keepsProcessAlive = false
  private closed = false
  private stopPreparing: (() => void) | undefined

  constructor(name: string, settings: OtlpSettings, encoding: OtlpEncoding) {
    // A custom agent does not use Node's proxy settings by itself.
    const proxyEnv = settings.agent === undefined ? nodeProxySettings() : undefined
    const options = ownCopy<AgentOptions>({ keepAlive: true, timeout: idleConnectionMillis, proxyEnv })
    this.name = name
    this.settings = settings
    this.encoding = encoding
    this.requests = new RequestMaker(settings, encoding.contentType, proxySecrets(proxyEnv))
    this.exitSender = new ExitSender(proxyEnv)
    const { Agent } = process.getBuiltinModule(settings.url.protocol === 'https:' ? 'node:https' : 'node:http')
    this.agent = (settings.agent as http.Agent | undefined) ?? new Agent(options)
  }

  start(host: ExporterHost): void {
    this.host = host
    this.closed = false
    // A process that exits naturally may have records before any request has called the headers function.
    const { headers } = this.settings
    if (!headers.areRequested) return
    this.stopPreparing = beforeExit(() => this.withoutContext(() => headers.prepare(host.exitTimeoutMillis)))
  }

  export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    if (this.closed) return Promise.resolve(afterShutdown)
    const job = this.startOrResume(batch)
    this.signal = signal
    onAbort(signal, this.abort)
    return new Promise((resolve) => {
      job.resolve = resolve
      this.withoutContext(() => void this.run(job))
    })
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    if (this.closed) return afterShutdown
    const job = this.startOrResume(batch)
    const hasTime = deadline - this.host.monotonic() > (final ? minMillisAtExit : 0)
    const state = hasTime ? this.withoutContext(() => this.runSync(job, deadline, final)) : 'not begun'
    if (state === 'ended') return this.finish(job)
    if (final) {
      this.cancel(job)
      return this.finish(job)
    }
    // The worker continues with its request. A pending `export` waits for the job in the event loop.
    if (state === 'under way' && job.resolve !== undefined) this.withoutContext(() => void this.run(job))
    return notAttempted
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    if (this.holdTimer === undefined) this.inFlight?.exchange.keepAlive(keepsProcessAlive)
  }

  async shutdown(): Promise<void> {
    this.closed = true
    this.stopPreparing?.()
    this.abort()
    if (this.settings.agent === undefined) this.agent.destroy()
    this.exitSender.close()
  }

  private startOrResume(batch: EncodedBatch): OtlpJob {
    if (this.job?.batch !== batch) this.job = new OtlpJob(batch, this.encoding, this.settings.maxRequestBytes)
    return this.job
  }

  private async run(job: OtlpJob): Promise<void> {
    const runId = ++this.runId
    for (;;) {
      const part = this.inFlight?.part ?? job.next()
      if (part === undefined) break
      const inFlight = this.inFlight ?? (await this.sendThroughAgent(job, part, runId))
      if (inFlight === undefined) break
      this.holdProcess(inFlight)
      const answer = await inFlight.exchange.answer
      if (runId !== this.runId) return
      this.recordAnswer(job, inFlight, answer)
    }
    if (runId === this.runId) this.finish(job)
  }

  /** Sends a part through the agent. Returns undefined if that fails, or if other code has taken over the job. */
  private async sendThroughAgent(job: OtlpJob, part: RequestPart, runId: number): Promise<InFlightRequest | undefined> {
    try {
      const request = await this.requests.make(part.body)
      if (runId !== this.runId) return undefined
      this.inFlight = { part, exchange: post(request, this.agent), inWorker: undefined }
      return this.inFlight
    } catch (error) {
      if (runId === this.runId)
        job.take(part, { kind: 'unanswered', mayHaveArrived: false, message: describeRequestError(error) })
      return undefined
    }
  }

  /**
   * Sends the job synchronously. Returns `under way` if the time is over and the worker continues, and `not begun` if nothing
   * can be done without the event loop.
   */
  private runSync(job: OtlpJob, deadline: number, final: boolean): 'ended' | 'under way' | 'not begun' {
    for (;;) {
      const part = this.inFlight?.part ?? job.next()
      if (part === undefined) return 'ended'
      let inFlight = this.inFlight
      if (inFlight?.inWorker === undefined) {
        // Do not cancel the request before it is certain that the worker can send it.
        const request = this.requestForWorker(job, part, final)
        if (request === undefined) return 'not begun'
        this.runId++
        const answer = inFlight?.exchange.cancel('sent again by the worker')
        if (answer !== undefined && answer.status !== undefined) {
          this.recordAnswer(job, inFlight!, answer)
          continue
        }
        if (answer?.mayHaveArrived === true) job.repeat(part)
        const left = Math.max(1, deadline - this.host.monotonic() - workerMarginMillis)
        const { timeoutMillis } = request
        const time = !final ? timeoutMillis : timeoutMillis === 0 ? left : Math.min(timeoutMillis, left)
        const inWorker = this.exitSender.begin({ ...request, timeoutMillis: time })
        inFlight = this.inFlight = { part, exchange: inWorker, inWorker }
      }
      const answer = inFlight.inWorker!.wait(deadline)
      if (answer === undefined) return 'under way'
      this.runId++
      this.recordAnswer(job, inFlight, answer)
    }
  }

  private requestForWorker(job: OtlpJob, part: RequestPart, final: boolean): Post | undefined {
    let why = 'cannot be called while the process exits; call shutdown() before'
    if (this.exitSender.isReady) {
      try {
        return this.requests.makeSync(part.body)
      } catch (error) {
        why = describeRequestError(error)
      }
    }
    if (final) job.diagnostics.push({ code: 'SLUICE_OTLP_UNAVAILABLE', message: why })
    return undefined
  }

  private readonly abort = (): void => {
    const { job } = this
    if (job === undefined) return
    this.cancel(job)
    this.finish(job)
  }

  private cancel(job: OtlpJob): void {
    this.runId++
    const { inFlight } = this
    if (inFlight !== undefined) this.recordAnswer(job, inFlight, inFlight.exchange.cancel('aborted'))
    job.stop()
  }

  private recordAnswer(job: OtlpJob, { part }: InFlightRequest, answer: RequestResult): void {
    this.inFlight = undefined
    this.holdTimer?.cancel()
    this.holdTimer = undefined
    const sent: SentRequest = {
      contentType: this.encoding.contentType,
      records: part.records,
      secrets: this.requests.secrets,
    }
    job.take(part, outcomeOf(answer, sent, Date.now()), answer.status)
  }

  private finish(job: OtlpJob): ExportResult {
    this.job = undefined
    this.signal?.removeEventListener('abort', this.abort)
    this.signal = undefined
    const result = job.result()
    job.resolve?.(result)
    // Report last: the handler may log, flush and shut down.
    for (const { code, message } of job.diagnostics) {
      this.host.reportDiagnostic(code, `${this.name} ${message}`)
    }
    return result
  }

  /**
   * Keeps a process that is about to exit alive for a request in progress, for half of the exit timeout. If it exited at once,
   * it would have to send the batch again.
   */
  private holdProcess({ exchange }: InFlightRequest): void {
    this.holdTimer ??= delay(this.host.exitTimeoutMillis / 2, () => {
      this.holdTimer = undefined
      if (!this.keepsProcessAlive) exchange.keepAlive(false)
    })
  }
}
