import { member } from '../options/own-members.ts'
import type { EncodedRecord } from '../encode/encoding.ts'
import { OverflowPolicy, type Backpressure } from './overflow-policy.ts'
import { BoundedQueue } from './bounded-queue.ts'
import { RecordOwner } from './batch-buffer.ts'
import type { Exporter } from './exporter.ts'
import { asExporter } from './guarded-exporter.ts'
import { doneWithin } from './flush-waiters.ts'
import type { PipelineHost } from './host.ts'
import type { Producer } from './producer.ts'
import { Counters } from './counters.ts'
import { ExportLoop, type ExportOperation } from './export-loop.ts'

/** How a flush ended for one pipeline. */
export interface Flushed {
  readonly ok: boolean
  /** Records that still wait. */
  readonly pending: number
}

const defaultQueueBytes = 16 * 1024 * 1024
// For how long a call blocks at a time where the policy is `block`, in ms.
const blockMillis = 100
// An exporter is given this long to close even when nothing is left of the time, in ms.
const leastClosingMillis = 100

/** The pipeline of one destination: who may put records into its bounded queue, and when they have left it. */
export class BatchProcessor {
  readonly exporter: Exporter
  readonly host: PipelineHost
  readonly lanes: Set<Producer> = new Set()
  /** Called with each export that has ended. They must not throw. */
  readonly observers: Set<(operation: ExportOperation) => void> = new Set()
  /** The most records that may wait. */
  readonly maxQueueSize: number
  private readonly queue: BoundedQueue
  private readonly exportLoop: ExportLoop
  private readonly admission: OverflowPolicy
  private readonly relief: Backpressure
  private readonly maxBytes: number
  /** How many records gave way to others. */
  private shed = 0
  private closing: Promise<void> | undefined
  private closed = false

  constructor(exporter: Exporter, host: PipelineHost) {
    const { delivery } = exporter
    this.exporter = exporter
    this.host = host
    this.maxBytes = delivery.maxQueueBytes ?? defaultQueueBytes
    this.maxQueueSize = delivery.maxQueueSize ?? Infinity
    const buffers = member(exporter.encoding, 'binary') === true ? host.binaryBuffers : host.buffers
    this.queue = new BoundedQueue(buffers, delivery.maxExportBatchSize ?? Infinity, exporter.batchBytes)
    this.admission = new OverflowPolicy(this.queue, {
      maxBytes: this.maxBytes,
      maxRecords: this.maxQueueSize,
      onFull: delivery.onFull ?? 'dropLowest',
    })
    this.relief = { now: () => void this.relieve(0), wait: () => this.relieve(blockMillis) }
    exporter.start?.(host)
    this.exportLoop = new ExportLoop(
      exporter,
      host,
      this.queue,
      (operation) => {
        for (const observer of this.observers) observer(operation)
      },
      () => this.noticeLosses(),
      () => [...this.lanes].reduce((sum, { unreported: untold }) => sum + untold, 0),
    )
  }

  /** What waits, in bytes; what is with the exporter included. */
  get queuedBytes(): number {
    return this.queue.bytes
  }

  /** The same in records. */
  get queuedRecords(): number {
    return this.queue.records
  }

  /** How many of these the exporter has. */
  get inFlight(): number {
    return this.queue.heldRecords
  }

  /** Whether records are queued that a drain cannot export, because the exporter has no `exportSync`. */
  get needsEventLoop(): boolean {
    return this.exporter.exportSync === undefined && this.queue.records > 0
  }

  /** How many exports have ended, and how long they took together, in ms. */
  get exports(): { readonly count: number; readonly millis: number } {
    return this.exportLoop.ended
  }

  /** Takes one record. Throws only on an exhausted stack, and then before anything was counted. */
  push(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const { counters } = owner
    // A chunk of its own is made inside `add`: that must not end half way.
    if (typeof text !== 'string' && !stackReaches(1_000)) throw new RangeError('the stack is exhausted')
    if (!this.queue.fits(text.length)) this.handOut()
    if (counters.closed || this.closing !== undefined) {
      counters.accepted++
      counters.drop('shutdown', severity)
    } else if (this.admission.isEasy(text.length)) {
      this.enter(text, severity, owner)
    } else {
      this.enterAtBound(text, severity, owner)
    }
  }

  /** Waits until every record that is here now has left, at most `timeoutMillis`. Never rejects. */
  async flush(timeoutMillis: number): Promise<Flushed> {
    const { queue, exporter, host, exportLoop } = this
    const deadline = host.monotonic() + timeoutMillis
    let ok = false
    try {
      host.flushing?.(timeoutMillis)
      this.noticeLosses()
      const upTo = queue.cut()
      exportLoop.pump(true)
      if (queue.oldest <= upTo) await exportLoop.waiters.wait(upTo, timeoutMillis)
      ok = queue.oldest > upTo
      exportLoop.rest()
      if (ok && exporter.flush !== undefined) {
        ok = await doneWithin(host, Math.max(0, deadline - host.monotonic()), () =>
          asExporter(host, () => exporter.flush!()),
        )
      }
    } catch {
      // no memory for a chunk's bytes, or an exhausted stack: the records wait
    }
    return { ok, pending: queue.records }
  }

  /**
   * Writes what waits without the event loop until `deadline`, in ms of the host's clock. `final`: the process ends, so
   * what is left is dropped and told.
   */
  drain(deadline: number, final: boolean): Flushed {
    this.noticeLosses()
    const ran = this.exportLoop.drain(deadline, final)
    return { ok: ran && this.queue.records === 0, pending: this.queue.records }
  }

  /** From now on nothing waits: the event loop will not turn again. */
  writeAtOnce(): void {
    this.exportLoop.writeThrough()
  }

  /**
   * Reports the lane's losses if there are any, and calls back when none of its records is queued: at once, or after a later
   * export. For a lane that gets no more records.
   */
  whenEmpty(producer: Producer, isEmpty: () => void): void {
    try {
      this.noticeLosses()
    } catch {
      // The report could not be encoded. This runs in a callback of the garbage collector, where an error would end the process.
    }
    const check = (): void => {
      if (producer.owner.counters.queued > 0) return
      this.observers.delete(check)
      isEmpty()
    }
    this.observers.add(check)
    check()
  }

  /** Takes a lane off. Records of it that have not left by now may still arrive, but for its ledger they are unknown. */
  leave(producer: Producer): void {
    this.lanes.delete(producer)
    const { counters } = producer.owner
    if (counters.queued === 0) return
    this.queue.transferOwnership(counters, new RecordOwner(new Counters(), producer.owner.source))
    counters.unknown += counters.queued
    counters.queued = 0
  }

  /** Flushes, drops what is left, and closes the exporter. Never rejects. */
  shutdown(timeoutMillis: number): Promise<void> {
    if (this.closing === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.closing = promise
      void this.close(timeoutMillis).then(resolve, () => resolve())
    }
    return this.closing
  }

  private async close(timeoutMillis: number): Promise<void> {
    const { host, exporter } = this
    const deadline = host.monotonic() + timeoutMillis
    const left = () => Math.max(0, deadline - host.monotonic())
    const { ok } = await this.flush(timeoutMillis)
    // A notice of losses came behind what was flushed.
    if (ok && this.queue.records > 0) await this.flush(left())
    this.closed = true
    this.exportLoop.end()
    await doneWithin(host, Math.max(left(), leastClosingMillis), () => exporter.shutdown?.())
  }

  private enter(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const full = this.queue.add(text, severity, owner)
    owner.counters.accepted++
    owner.counters.queued++
    const { schedule } = this.exportLoop
    if (full || this.queue.bytes >= schedule.maxBytes || (severity >= urgentSeverity && schedule.isHastenable)) {
      this.entered(full)
    }
  }

  /** What comes after a record was counted: nothing here may throw. */
  private entered(full: boolean): void {
    if (full) this.handOut()
    const { schedule } = this.exportLoop
    try {
      if (schedule.isHastenable) {
        if (stackReaches(framesToSchedule)) schedule.hasten()
      } else if (stackReaches(this.exportLoop.exportsAtOnce ? framesToExport : framesToSchedule))
        this.exportLoop.handOver()
    } catch {
      // no memory for a chunk's bytes: it stays open, and the next record tries again
    }
  }

  /** Closes the open chunk and hands it over if the exporter is free. User code may run here. */
  private handOut(): void {
    try {
      // A write must not be cut short by an exhausted stack: then the next record sees to it.
      if (!stackReaches(framesToExport)) return
      this.queue.cut()
      this.exportLoop.pump(false)
    } catch {
      // no memory for the chunk's bytes: it stays open, and the next record tries again
    }
  }

  private enterAtBound(text: EncodedRecord, severity: number, owner: RecordOwner): void {
    const { counters } = owner
    const { name } = this.exporter
    if (text.length > this.maxBytes) {
      counters.accepted++
      counters.drop('too_large', severity)
      return this.host.reportDiagnostic('SLUICE_RECORD_TOO_LARGE', `a record for ${name} is longer than maxQueueBytes`)
    }
    const before = this.shed
    const mayEnter = this.admission.admit(text.length, severity, this.relief, this.giveWay)
    if (mayEnter && this.closing === undefined) {
      this.enter(text, severity, owner)
    } else {
      counters.accepted++
      counters.drop(mayEnter ? 'shutdown' : 'queue_full', severity)
    }
    if (mayEnter && this.shed === before) return
    // Told last: whoever is told may log, and must not take the room that was just made.
    this.host.reportDiagnostic('SLUICE_QUEUE_FULL', `the queue of ${name} is full; records are lost`)
  }

  private readonly giveWay = (owner: RecordOwner, severity: number): void => {
    this.shed++
    owner.counters.queued--
    owner.counters.drop('queue_full', severity)
    owner.onLeft?.(false)
  }

  /** Writes what the destination takes within `millis`. Returns false if there is no hope that it takes more. */
  private relieve(millis: number): boolean {
    if (this.exporter.exportSync === undefined) return false
    const until = this.host.monotonic() + millis
    const before = this.queue.records
    if (!this.exportLoop.drain(until, false)) return false
    // One that gives up before the time is over does not wait for a reader: it fails.
    return this.queue.records < before || this.host.monotonic() >= until
  }

  /** Losses are told in the stream once the destination takes records again and there is room. */
  private noticeLosses(): void {
    for (const producer of this.lanes) {
      if (this.closed || !this.exportLoop.healthy || this.queue.bytes > this.maxBytes / 2) return
      const notice = producer.dropReport()
      if (notice === undefined || !this.admission.isEasy(notice.text.length)) continue
      const { counters } = notice.owner
      this.queue.add(notice.text, notice.severity, notice.owner)
      counters.emitted++
      counters.accepted++
      counters.queued++
      notice.entered()
      this.exportLoop.handOver()
    }
  }
}

/** An export has some hundred frames, and a system call that makes an error. */
const framesToExport = 200
/** To ask for the end of the turn takes some ten. Looking for more of them would cost the first call of each turn 3 µs. */
const framesToSchedule = 50

/** ERROR: such records are often the last ones of a process, and do not wait for others. */
const urgentSeverity = 17

/** Whether there is stack enough for so many frames. */
function stackReaches(depth: number): boolean {
  try {
    return depth === 0 || stackReaches(depth - 1)
  } catch {
    return false
  }
}
