import { discardingSubject } from './part-logger.ts'

/** Everything but the write. */
export const partDiscard = discardingSubject(
  'sluice without the write: an exporter that takes batches and throws them away',
  (own) => own,
)
