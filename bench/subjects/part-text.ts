import type { EncodedRecord, Format } from '../../src/encode/encoding.ts'
import { discardingSubject } from './part-logger.ts'

const nothing = '' as EncodedRecord

/** All steps except the queue and the write: records are encoded and counted, but queued as an empty string. */
export const partText = discardingSubject(
  'sluice without the queue and the write: each record is encoded and discarded',
  (own, discarded) => {
    const format = own as Format
    return {
      key: 'discarded',
      target: undefined,
      encoder(rules) {
        const encoder = format.encoder(rules)
        return {
          encode(record) {
            // Kept until the next call, so that the compiler cannot remove the encoding.
            discarded.text = encoder.encode(record) as string
            return nothing
          },
        }
      },
    } satisfies Format
  },
)
