import { discardingSubject } from './bound-logger.ts'

/** Everything but the write. */
export const boundDiscard = discardingSubject(
  'sluice without the write: an exporter that takes batches and throws them away',
  (own) => own,
)
