import type { ExporterHarness } from './exporter-harness.ts'
import { pause } from './pause.ts'

/** A rule of the contract and its check. Each case gets a new harness, whose exporter is shut down after `run`. */
export interface ExporterCase {
  /** The rule that a conforming exporter follows. */
  readonly rule: string
  /** Returns whether the case applies to the exporter. */
  readonly applies: (harness: ExporterHarness) => boolean
  readonly run: (harness: ExporterHarness) => void | Promise<void>
}

/** How long to wait, in ms, for the result of an aborted export, or for work that an exporter wrongly continues after a result. */
const settleMillis = 5
/** After how long the export to a failing destination is aborted, in ms. */
const abortAfterMillis = 20

const always = (): boolean => true
const hasExportSync = (harness: ExporterHarness): boolean => harness.hasMethod('exportSync')

/** The rules of the `Exporter` contract that can be checked from outside. */
export const exporterCases: readonly ExporterCase[] = [
  {
    rule: 'accepts a batch, and reports it as accepted when the destination has it',
    applies: always,
    async run(harness) {
      harness.start()
      await harness.deliver(1)
      await harness.checkArrived()
      await harness.deliver(20)
      await harness.checkArrived()
    },
  },
  {
    rule: 'delivers many batches in order, and does not use a batch after its result',
    applies: always,
    async run(harness) {
      harness.start()
      for (const count of [1, 2, 30, 3, 1, 50, 1]) await harness.deliver(count)
      await pause(settleMillis)
      await harness.callAndWait('flush')
      await harness.checkArrived()
    },
  },
  {
    rule: 'accepts calls of keepAlive at any time',
    applies: (harness) => harness.hasMethod('keepAlive'),
    async run(harness) {
      harness.start()
      harness.keepAlive(false)
      harness.keepAlive(true)
      const batch = harness.createBatch(3)
      const returned = harness.startExport(batch)
      harness.keepAlive(false)
      harness.keepAlive(true)
      await harness.awaitResult(batch, returned)
      harness.keepAlive(false)
      await harness.callAndWait('shutdown')
      harness.keepAlive(true)
      harness.keepAlive(false)
    },
  },
  {
    rule: 'flushes with and without records, and twice concurrently',
    applies: (harness) => harness.hasMethod('flush'),
    async run(harness) {
      harness.start()
      await harness.callAndWait('flush')
      await harness.deliver(3)
      await Promise.all([harness.callAndWait('flush'), harness.callAndWait('flush')])
      await harness.checkArrived()
    },
  },
  {
    rule: 'shuts down without having been started',
    applies: (harness) => harness.hasMethod('shutdown'),
    run: (harness) => harness.callAndWait('shutdown'),
  },
  {
    rule: 'shuts down without records, twice concurrently and again afterwards',
    applies: (harness) => harness.hasMethod('shutdown'),
    async run(harness) {
      harness.start()
      await Promise.all([harness.callAndWait('shutdown'), harness.callAndWait('shutdown')])
      await harness.callAndWait('shutdown')
    },
  },
  {
    rule: 'has delivered what it accepted before its shutdown, and returns results for later batches',
    applies: (harness) => harness.hasMethod('shutdown'),
    async run(harness) {
      harness.start()
      await harness.deliver(5)
      await harness.callAndWait('shutdown')
      await harness.checkArrived()
      const late = harness.createBatch(2)
      await harness.awaitResult(late, harness.startExport(late))
      if (hasExportSync(harness)) harness.exportSync(harness.createBatch(2), { millisToDeadline: 50, isExit: true })
      await harness.callAndWait('flush')
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a result soon after the signal of an export is aborted',
    applies: always,
    async run(harness) {
      harness.start()
      const controller = new AbortController()
      const batch = harness.createBatch(3)
      const returned = harness.startExport(batch, controller.signal)
      controller.abort()
      await harness.awaitResult(batch, returned)
      await harness.checkArrived()
    },
  },
  {
    rule: 'delivers synchronously, and continues with a batch that is passed again',
    applies: hasExportSync,
    async run(harness) {
      harness.start()
      for (const count of [1, 20]) {
        const batch = harness.createBatch(count)
        for (let tries = 0; tries < 50; tries++) {
          const result = harness.exportSync(batch, { millisToDeadline: 500, isExit: false })
          if (result?.status !== 'retryable') break
          await pause(10)
        }
        batch.takeBack()
        if (batch.acceptedCount < batch.recordNumbers.length) {
          harness.addFault(
            `exportSync accepted ${batch.acceptedCount} of ${batch.recordNumbers.length} records although the destination works`,
          )
        }
      }
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'does not block after the deadline',
    applies: hasExportSync,
    async run(harness) {
      harness.start()
      const batch = harness.createBatch(10)
      const result = harness.exportSync(batch, { millisToDeadline: -1, isExit: false })
      if (result?.status === 'retryable') harness.exportSync(batch, { millisToDeadline: 500, isExit: true })
      batch.takeBack()
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a synchronous result for a batch whose export is pending',
    applies: hasExportSync,
    async run(harness) {
      harness.start()
      const batch = harness.createBatch(20)
      const returned = harness.startExport(batch)
      // The result of `exportSync` replaces that of `export`, unless it is `retryable`: then that of `export` is still pending.
      const result = batch.isExportPending
        ? harness.exportSync(batch, { millisToDeadline: 500, isExit: false })
        : undefined
      if (result === undefined || result.status === 'retryable') await harness.awaitResult(batch, returned)
      await pause(settleMillis)
      await harness.callAndWait('flush')
      await harness.checkArrived()
    },
  },
  {
    rule: 'accepts what it can when the process exits',
    applies: hasExportSync,
    async run(harness) {
      harness.start()
      const batch = harness.createBatch(20)
      harness.exportSync(batch, { millisToDeadline: 500, isExit: true })
      batch.takeBack()
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a result when the destination fails, and accepts only what is delivered',
    applies: (harness) => harness.canDestinationFail,
    async run(harness) {
      harness.start()
      await harness.deliver(2)
      await harness.failDestination()
      const controller = new AbortController()
      const batch = harness.createBatch(5)
      const returned = harness.startExport(batch, controller.signal)
      await pause(abortAfterMillis)
      controller.abort()
      await pause(settleMillis)
      // An exporter that waits for the destination to recover is called synchronously at exit, as the pipeline does.
      if (hasExportSync(harness) && batch.isExportPending)
        harness.exportSync(batch, { millisToDeadline: 100, isExit: true })
      else await harness.awaitResult(batch, returned)
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a synchronous result at exit when the destination fails',
    applies: (harness) => harness.canDestinationFail && hasExportSync(harness),
    async run(harness) {
      harness.start()
      await harness.failDestination()
      const batch = harness.createBatch(5)
      const result = harness.exportSync(batch, { millisToDeadline: 100, isExit: false })
      if (result?.status === 'retryable') harness.exportSync(batch, { millisToDeadline: 100, isExit: true })
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
]
