import { AsyncLocalStorage } from 'node:async_hooks'
import type * as http from 'node:http'
import type { OtlpEncoding } from '../../encode/otlp/otlp-request.ts'
import type { EncodedBatch, ExporterHost, ExportResult } from '../../pipeline/exporter.ts'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { ExitSender, type WorkerExchange } from './exit-sender.ts'
import { beforeExit } from './before-exit.ts'
import type { RequestResult } from './request-result.ts'
import { post, type Exchange, type PostRequest } from './http.ts'
import { OtlpJob, type BatchPart } from './job.ts'
import type { OtlpSettings } from './options.ts'
import { nodeProxySettings, proxySecrets, type AgentOptions } from './proxy.ts'
import { RequestMaker, describeRequestError } from './request-maker.ts'
import { outcomeOf, type SentRequest } from './response.ts'
import { notAttempted } from '../retry/retrier.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { onAbort } from '../../record/on-abort.ts'

/** How long an idle connection is kept, in ms. Load balancers silently drop connections that have been idle for longer. */
const idleConnectionMillis = 30_000
/** How long before the deadline at exit a request of the worker times out, in ms, so that its outcome is known at the deadline. */
const workerMarginMillis = 25
/** The minimum time before the deadline at exit to start a request, in ms. With less, it could be sent but not answered. */
const minMillisAtExit = 2 * workerMarginMillis

/** A request in progress. */
interface InFlightRequest {
  readonly part: BatchPart
  readonly exchange: Exchange
  /** `exchange`, if the request was sent from the worker thread. */
  readonly workerExchange: WorkerExchange | undefined
}

/** The result of a batch that is exported after the shutdown. OpenTelemetry specification: it should be a failure. */
const resultAfterShutdown: ExportResult = { status: 'rejected', accepted: 0, reason: 'rejected' }

/**
 * Sends batches by OTLP/HTTP, with one attempt each. While the event loop runs, requests use the agent. While this thread is blocked,
 * a worker thread sends them; a request that the agent has in progress is canceled and sent again.
 *
 * Invariant: at most one request is in progress. Code that takes over a job increments `takeoverCount`. Asynchronous code that finds
 * another number after an `await` no longer changes the job.
 */
export class OtlpSender {
  private readonly name: string
  private readonly settings: OtlpSettings
  private readonly encoding: OtlpEncoding
  private readonly requestMaker: RequestMaker
  private readonly agent: http.Agent
  private readonly exitSender: ExitSender
  // Connections outlive the call that opened them, so they must not retain its async context.
  private readonly withoutContext = AsyncLocalStorage.snapshot()
  private host!: ExporterHost
  private job: OtlpJob | undefined
  private inFlight: InFlightRequest | undefined
  /** How often code has taken over a job; see the invariant of the class. */
  private takeoverCount = 0
  /** The signal of the pending `export`. */
  private signal: AbortSignal | undefined
  /** Until it ends, the request in progress keeps the process alive. See `keepAliveDuring`. */
  private keepAliveTimer: Delay | undefined
  private keepsProcessAlive = false
  private isClosed = false
  /** Cancels the call of the headers function that a natural exit of the process would make; undefined if there is no such function. */
  private cancelPreparation: (() => void) | undefined

  constructor(name: string, settings: OtlpSettings, encoding: OtlpEncoding) {
    // A custom agent does not use Node's proxy settings by itself.
    const proxyEnv = settings.agent === undefined ? nodeProxySettings() : undefined
    const options = withoutPrototype<AgentOptions>({ keepAlive: true, timeout: idleConnectionMillis, proxyEnv })
    this.name = name
    this.settings = settings
    this.encoding = encoding
    this.requestMaker = new RequestMaker(settings, encoding.contentType, proxySecrets(proxyEnv))
    this.exitSender = new ExitSender(proxyEnv)
    const { Agent } = process.getBuiltinModule(settings.url.protocol === 'https:' ? 'node:https' : 'node:http')
    this.agent = (settings.agent as http.Agent | undefined) ?? new Agent(options)
  }

  start(host: ExporterHost): void {
    this.host = host
    this.isClosed = false
    // At exit, headers must be available synchronously. If no request has called the headers function before, a natural exit calls it.
    const { headers } = this.settings
    if (!headers.hasFunction) return
    this.cancelPreparation = beforeExit(() => this.withoutContext(() => headers.prepare(host.exitTimeoutMillis)))
  }

  export(batch: EncodedBatch, signal: AbortSignal | undefined): Promise<ExportResult> {
    if (this.isClosed) return Promise.resolve(resultAfterShutdown)
    const job = this.startOrResume(batch)
    this.signal = signal
    onAbort(signal, this.abort)
    return new Promise((resolve) => {
      job.resolve = resolve
      this.withoutContext(() => void this.sendFromEventLoop(job))
    })
  }

  exportSync(batch: EncodedBatch, deadline: number, final: boolean): ExportResult {
    if (this.isClosed) return resultAfterShutdown
    const job = this.startOrResume(batch)
    const hasTime = deadline - this.host.monotonic() > (final ? minMillisAtExit : 0)
    const progress = hasTime ? this.withoutContext(() => this.sendFromWorker(job, deadline, final)) : 'not begun'
    if (progress === 'ended') return this.finish(job)
    if (final) {
      this.cancel(job)
      return this.finish(job)
    }
    // The worker continues with its request. A pending `export` waits for the job in the event loop.
    if (progress === 'under way' && job.resolve !== undefined)
      this.withoutContext(() => void this.sendFromEventLoop(job))
    return notAttempted
  }

  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    if (this.keepAliveTimer === undefined) this.inFlight?.exchange.keepAlive(keepsProcessAlive)
  }

  async shutdown(): Promise<void> {
    this.isClosed = true
    this.cancelPreparation?.()
    this.abort()
    if (this.settings.agent === undefined) this.agent.destroy()
    this.exitSender.close()
  }

  private startOrResume(batch: EncodedBatch): OtlpJob {
    if (this.job?.batch !== batch) this.job = new OtlpJob(batch, this.encoding, this.settings.maxRequestBytes)
    return this.job
  }

  /** Sends the rest of the job from the event loop, and finishes the job unless other code takes it over. */
  private async sendFromEventLoop(job: OtlpJob): Promise<void> {
    const takeoverCount = ++this.takeoverCount
    for (;;) {
      const part = this.inFlight?.part ?? job.nextPart()
      if (part === undefined) break
      const inFlight = this.inFlight ?? (await this.sendThroughAgent(job, part, takeoverCount))
      if (inFlight === undefined) break
      this.keepAliveDuring(inFlight)
      const result = await inFlight.exchange.result
      if (takeoverCount !== this.takeoverCount) return
      this.recordResult(job, inFlight, result)
    }
    if (takeoverCount === this.takeoverCount) this.finish(job)
  }

  /** Sends a part through the agent. Returns undefined if that fails, or if other code has taken over the job. */
  private async sendThroughAgent(
    job: OtlpJob,
    part: BatchPart,
    takeoverCount: number,
  ): Promise<InFlightRequest | undefined> {
    try {
      const request = await this.requestMaker.make(part.body)
      if (takeoverCount !== this.takeoverCount) return undefined
      this.inFlight = { part, exchange: post(request, this.agent), workerExchange: undefined }
      return this.inFlight
    } catch (error) {
      if (takeoverCount === this.takeoverCount)
        job.addOutcome(part, { kind: 'unanswered', mayHaveArrived: false, message: describeRequestError(error) })
      return undefined
    }
  }

  /**
   * Sends the rest of the job from the worker, and blocks meanwhile. Returns `ended` if no part remains to be sent, `under way` if the
   * deadline has passed while the worker has a request in progress, and `not begun` if the worker cannot send the request.
   */
  private sendFromWorker(job: OtlpJob, deadline: number, final: boolean): 'ended' | 'under way' | 'not begun' {
    for (;;) {
      const part = this.inFlight?.part ?? job.nextPart()
      if (part === undefined) return 'ended'
      let inFlight = this.inFlight
      if (inFlight?.workerExchange === undefined) {
        // Do not cancel the request before it is certain that the worker can send it.
        const request = this.requestForWorker(job, part, final)
        if (request === undefined) return 'not begun'
        this.takeoverCount++
        const result = inFlight?.exchange.cancel('sent again by the worker')
        if (result !== undefined && result.status !== undefined) {
          this.recordResult(job, inFlight!, result)
          continue
        }
        if (result?.mayHaveArrived === true) job.markResent(part)
        const remainingMillis = Math.max(1, deadline - this.host.monotonic() - workerMarginMillis)
        const { timeoutMillis } = request
        const workerTimeoutMillis = !final
          ? timeoutMillis
          : timeoutMillis === 0
            ? remainingMillis
            : Math.min(timeoutMillis, remainingMillis)
        const workerExchange = this.exitSender.begin({ ...request, timeoutMillis: workerTimeoutMillis })
        inFlight = this.inFlight = { part, exchange: workerExchange, workerExchange }
      }
      const result = inFlight.workerExchange!.wait(deadline)
      if (result === undefined) return 'under way'
      this.takeoverCount++
      this.recordResult(job, inFlight, result)
    }
  }

  /**
   * Creates a request for the worker. If that fails, or no worker can be started, returns undefined, and adds a diagnostic if the
   * process exits (`final`).
   */
  private requestForWorker(job: OtlpJob, part: BatchPart, final: boolean): PostRequest | undefined {
    let why = 'cannot be called while the process exits; call shutdown() before'
    if (this.exitSender.ensureReady()) {
      try {
        return this.requestMaker.makeSync(part.body)
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

  /** Cancels the request in progress and ends the job. */
  private cancel(job: OtlpJob): void {
    this.takeoverCount++
    const { inFlight } = this
    if (inFlight !== undefined) this.recordResult(job, inFlight, inFlight.exchange.cancel('aborted'))
    job.stop()
  }

  private recordResult(job: OtlpJob, { part }: InFlightRequest, result: RequestResult): void {
    this.inFlight = undefined
    this.keepAliveTimer?.cancel()
    this.keepAliveTimer = undefined
    const sentRequest: SentRequest = {
      contentType: this.encoding.contentType,
      records: part.records,
      secrets: this.requestMaker.secrets,
    }
    job.addOutcome(part, outcomeOf(result, sentRequest, Date.now()), result.status)
  }

  /** Passes the result of the job to a pending `export`, reports its diagnostics, and returns the result. */
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
   * Lets a request in progress keep the process alive for half of the exit timeout, even if `keepAlive` was called with false. If the
   * process exited at once, the worker would send the request again.
   */
  private keepAliveDuring({ exchange }: InFlightRequest): void {
    this.keepAliveTimer ??= delay(this.host.exitTimeoutMillis / 2, () => {
      this.keepAliveTimer = undefined
      if (!this.keepsProcessAlive) exchange.keepAlive(false)
    })
  }
}
