import type { ExporterHarness } from './exporter-harness.ts'
import { pause } from './pause.ts'

/** One part of the contract, and how it is looked at. The lab is new for each, and shut down behind it. */
export interface ExporterCase {
  /** What an exporter does that keeps it. */
  readonly rule: string
  /** Whether there is anything to look at. */
  readonly applies: (lab: ExporterHarness) => boolean
  readonly run: (lab: ExporterHarness) => void | Promise<void>
}

/** What an exporter does behind its answer, it has begun by now, in ms. */
const settleMillis = 5
/** How long one that fails may try, in ms. */
const failMillis = 20

const always = (): boolean => true
const canSync = (lab: ExporterHarness): boolean => lab.has('exportSync')

/** What `Exporter` asks of those who write one, as far as it can be seen from outside. */
export const exporterCases: readonly ExporterCase[] = [
  {
    rule: 'takes a batch and says so once the destination has it',
    applies: always,
    async run(lab) {
      lab.start()
      await lab.deliver(1)
      await lab.checkArrived()
      await lab.deliver(20)
      await lab.checkArrived()
    },
  },
  {
    rule: 'keeps many batches apart and in order, and lets go of each when it has answered',
    applies: always,
    async run(lab) {
      lab.start()
      for (const count of [1, 2, 30, 3, 1, 50, 1]) await lab.deliver(count)
      await pause(settleMillis)
      await lab.call('flush')
      await lab.checkArrived()
    },
  },
  {
    rule: 'is told at any time whether the process must stay alive',
    applies: (lab) => lab.has('keepAlive'),
    async run(lab) {
      lab.start()
      lab.keepAlive(false)
      lab.keepAlive(true)
      const batch = lab.batch(3)
      const begun = lab.begin(batch)
      lab.keepAlive(false)
      lab.keepAlive(true)
      await lab.answered(batch, begun)
      lab.keepAlive(false)
      await lab.call('shutdown')
      lab.keepAlive(true)
      lab.keepAlive(false)
    },
  },
  {
    rule: 'flushes with and without records, and twice at once',
    applies: (lab) => lab.has('flush'),
    async run(lab) {
      lab.start()
      await lab.call('flush')
      await lab.deliver(3)
      await Promise.all([lab.call('flush'), lab.call('flush')])
      await lab.checkArrived()
    },
  },
  {
    rule: 'shuts down without having been started',
    applies: (lab) => lab.has('shutdown'),
    run: (lab) => lab.call('shutdown'),
  },
  {
    rule: 'shuts down without records, twice at once and once more',
    applies: (lab) => lab.has('shutdown'),
    async run(lab) {
      lab.start()
      await Promise.all([lab.call('shutdown'), lab.call('shutdown')])
      await lab.call('shutdown')
    },
  },
  {
    rule: 'has after its shutdown what it took before, and answers what comes later',
    applies: (lab) => lab.has('shutdown'),
    async run(lab) {
      lab.start()
      await lab.deliver(5)
      await lab.call('shutdown')
      await lab.checkArrived()
      const late = lab.batch(2)
      await lab.answered(late, lab.begin(late))
      if (canSync(lab)) lab.exportSync(lab.batch(2), 50, true)
      await lab.call('flush')
      await lab.checkArrived()
    },
  },
  {
    rule: 'answers soon when the signal of an export is aborted',
    applies: always,
    async run(lab) {
      lab.start()
      const controller = new AbortController()
      const batch = lab.batch(3)
      const begun = lab.begin(batch, controller.signal)
      controller.abort()
      await lab.answered(batch, begun)
      await lab.checkArrived()
    },
  },
  {
    rule: 'delivers without the event loop, and goes on with a batch that comes again',
    applies: canSync,
    async run(lab) {
      lab.start()
      for (const count of [1, 20]) {
        const batch = lab.batch(count)
        for (let tries = 0; tries < 50; tries++) {
          const result = lab.exportSync(batch, 500, false)
          if (result?.status !== 'retryable') break
          await pause(10)
        }
        batch.takeBack()
        if (batch.accepted < batch.numbers.length) {
          lab.fault(`exportSync took ${batch.accepted} of ${batch.numbers.length} records of a destination that works`)
        }
      }
      await pause(settleMillis)
      await lab.checkArrived()
    },
  },
  {
    rule: 'does not block when the deadline is over',
    applies: canSync,
    async run(lab) {
      lab.start()
      const batch = lab.batch(10)
      const result = lab.exportSync(batch, -1, false)
      if (result?.status === 'retryable') lab.exportSync(batch, 500, true)
      batch.takeBack()
      await pause(settleMillis)
      await lab.checkArrived()
    },
  },
  {
    rule: 'answers without the event loop for a batch whose export is unanswered',
    applies: canSync,
    async run(lab) {
      lab.start()
      const batch = lab.batch(20)
      const begun = lab.begin(batch)
      // Its answer replaces the other one; without one that settles the batch the other one is still to come.
      const result = batch.isOpen ? lab.exportSync(batch, 500, false) : undefined
      if (result === undefined || result.status === 'retryable') await lab.answered(batch, begun)
      await pause(settleMillis)
      await lab.call('flush')
      await lab.checkArrived()
    },
  },
  {
    rule: 'takes what it can when the process ends',
    applies: canSync,
    async run(lab) {
      lab.start()
      const batch = lab.batch(20)
      lab.exportSync(batch, 500, true)
      batch.takeBack()
      await pause(settleMillis)
      await lab.checkArrived()
    },
  },
  {
    rule: 'answers when the destination fails, and takes nothing that it does not have',
    applies: (lab) => lab.canFail,
    async run(lab) {
      lab.start()
      await lab.deliver(2)
      await lab.fail()
      const controller = new AbortController()
      const batch = lab.batch(5)
      const begun = lab.begin(batch, controller.signal)
      await pause(failMillis)
      controller.abort()
      await pause(settleMillis)
      // One that waits for better times is asked at the end, as the pipeline does.
      if (canSync(lab) && batch.isOpen) lab.exportSync(batch, 100, true)
      else await lab.answered(batch, begun)
      await pause(settleMillis)
      await lab.checkArrived()
    },
  },
  {
    rule: 'answers at the end of the process when the destination fails',
    applies: (lab) => lab.canFail && canSync(lab),
    async run(lab) {
      lab.start()
      await lab.fail()
      const batch = lab.batch(5)
      const result = lab.exportSync(batch, 100, false)
      if (result?.status === 'retryable') lab.exportSync(batch, 100, true)
      await pause(settleMillis)
      await lab.checkArrived()
    },
  },
]
