import type { ExporterHarness } from './exporter-harness.ts'
import { pause } from './pause.ts'

/** A rule of the contract and its check. Each case gets a new harness, which is shut down afterwards. */
export interface ExporterCase {
  /** The rule that a conforming exporter follows. */
  readonly rule: string
  /** Returns whether the case applies to the exporter. */
  readonly applies: (harness: ExporterHarness) => boolean
  readonly run: (harness: ExporterHarness) => void | Promise<void>
}

/** The time in ms after which work that an exporter continues after its result has started. */
const settleMillis = 5
/** How long a failing exporter may try, in ms. */
const failMillis = 20

const always = (): boolean => true
const canSync = (harness: ExporterHarness): boolean => harness.has('exportSync')

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
      await harness.call('flush')
      await harness.checkArrived()
    },
  },
  {
    rule: 'accepts calls of keepAlive at any time',
    applies: (harness) => harness.has('keepAlive'),
    async run(harness) {
      harness.start()
      harness.keepAlive(false)
      harness.keepAlive(true)
      const batch = harness.batch(3)
      const begun = harness.begin(batch)
      harness.keepAlive(false)
      harness.keepAlive(true)
      await harness.answered(batch, begun)
      harness.keepAlive(false)
      await harness.call('shutdown')
      harness.keepAlive(true)
      harness.keepAlive(false)
    },
  },
  {
    rule: 'flushes with and without records, and twice concurrently',
    applies: (harness) => harness.has('flush'),
    async run(harness) {
      harness.start()
      await harness.call('flush')
      await harness.deliver(3)
      await Promise.all([harness.call('flush'), harness.call('flush')])
      await harness.checkArrived()
    },
  },
  {
    rule: 'shuts down without having been started',
    applies: (harness) => harness.has('shutdown'),
    run: (harness) => harness.call('shutdown'),
  },
  {
    rule: 'shuts down without records, twice concurrently and again afterwards',
    applies: (harness) => harness.has('shutdown'),
    async run(harness) {
      harness.start()
      await Promise.all([harness.call('shutdown'), harness.call('shutdown')])
      await harness.call('shutdown')
    },
  },
  {
    rule: 'has delivered what it accepted before its shutdown, and returns results for later batches',
    applies: (harness) => harness.has('shutdown'),
    async run(harness) {
      harness.start()
      await harness.deliver(5)
      await harness.call('shutdown')
      await harness.checkArrived()
      const late = harness.batch(2)
      await harness.answered(late, harness.begin(late))
      if (canSync(harness)) harness.exportSync(harness.batch(2), 50, true)
      await harness.call('flush')
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a result soon after the signal of an export is aborted',
    applies: always,
    async run(harness) {
      harness.start()
      const controller = new AbortController()
      const batch = harness.batch(3)
      const begun = harness.begin(batch, controller.signal)
      controller.abort()
      await harness.answered(batch, begun)
      await harness.checkArrived()
    },
  },
  {
    rule: 'delivers synchronously, and continues with a batch that is passed again',
    applies: canSync,
    async run(harness) {
      harness.start()
      for (const count of [1, 20]) {
        const batch = harness.batch(count)
        for (let tries = 0; tries < 50; tries++) {
          const result = harness.exportSync(batch, 500, false)
          if (result?.status !== 'retryable') break
          await pause(10)
        }
        batch.takeBack()
        if (batch.accepted < batch.numbers.length) {
          harness.fault(
            `exportSync accepted ${batch.accepted} of ${batch.numbers.length} records although the destination works`,
          )
        }
      }
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'does not block after the deadline',
    applies: canSync,
    async run(harness) {
      harness.start()
      const batch = harness.batch(10)
      const result = harness.exportSync(batch, -1, false)
      if (result?.status === 'retryable') harness.exportSync(batch, 500, true)
      batch.takeBack()
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a synchronous result for a batch whose export is pending',
    applies: canSync,
    async run(harness) {
      harness.start()
      const batch = harness.batch(20)
      const begun = harness.begin(batch)
      // Its result replaces that of `export`, unless it is `retryable`: then the result of `export` is still pending.
      const result = batch.isOpen ? harness.exportSync(batch, 500, false) : undefined
      if (result === undefined || result.status === 'retryable') await harness.answered(batch, begun)
      await pause(settleMillis)
      await harness.call('flush')
      await harness.checkArrived()
    },
  },
  {
    rule: 'accepts what it can when the process exits',
    applies: canSync,
    async run(harness) {
      harness.start()
      const batch = harness.batch(20)
      harness.exportSync(batch, 500, true)
      batch.takeBack()
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a result when the destination fails, and accepts only what is delivered',
    applies: (harness) => harness.canFail,
    async run(harness) {
      harness.start()
      await harness.deliver(2)
      await harness.fail()
      const controller = new AbortController()
      const batch = harness.batch(5)
      const begun = harness.begin(batch, controller.signal)
      await pause(failMillis)
      controller.abort()
      await pause(settleMillis)
      // An exporter that waits for the destination to recover is called synchronously at exit, as the pipeline does.
      if (canSync(harness) && batch.isOpen) harness.exportSync(batch, 100, true)
      else await harness.answered(batch, begun)
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
  {
    rule: 'returns a synchronous result at exit when the destination fails',
    applies: (harness) => harness.canFail && canSync(harness),
    async run(harness) {
      harness.start()
      await harness.fail()
      const batch = harness.batch(5)
      const result = harness.exportSync(batch, 100, false)
      if (result?.status === 'retryable') harness.exportSync(batch, 100, true)
      await pause(settleMillis)
      await harness.checkArrived()
    },
  },
]
