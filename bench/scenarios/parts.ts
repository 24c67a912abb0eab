import type { BurstVariant } from '../methods/burst/variant.ts'
import { partRecord } from '../subjects/part-record.ts'
import type { Scenario } from './scenario.ts'

const burst: Omit<BurstVariant, 'subjects'> = {
  to: 'null',
  records: 100_000,
  warmUp: 200_000,
  perTurn: Infinity,
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) {
      const { message, attributes } = partRecord(i)
      log.attributes(message, attributes)
    }
  },
}

/** Compares the whole with variants without some of its steps, which limit what improving those steps can gain. */
export const parts: Scenario = {
  description: 'The cost of the steps of logging a record: a message and three attributes',
  method: 'burst',
  figures: ['loop', 'drain', 'cpu', 'memory'],
  compared: ['loop', 'drain', 'cpu'],
  targets: [],
  variants: {
    written: { ...burst, subjects: ['sluice', 'part-push'], expected: partRecord },
    discarded: { ...burst, subjects: ['part-discard', 'part-text', 'part-disabled', 'empty'] },
  },
}
