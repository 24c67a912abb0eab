import type { EncodedRecord, Format } from '../../src/encode/encoding.ts'
import { discardingSubject } from './part-logger.ts'

const nothing = '' as EncodedRecord

/** Everything but the queue and the write: records are counted there, but what enters is an empty text. */
export const partText = discardingSubject(
  'sluice without the queue and the write: the text of each record is made and thrown away',
  (own, discarded) => {
    const format = own as Format
    return {
      key: 'discarded',
      target: undefined,
      encoder(rules) {
        const encoder = format.encoder(rules)
        return {
          encode(record) {
            // Kept until the next one, so that making it cannot be left out.
            discarded.text = encoder.encode(record) as string
            return nothing
          },
        }
      },
    } satisfies Format
  },
)
