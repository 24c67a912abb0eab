import { discardingSubject } from './part-logger.ts'

/** All steps except the write. */
export const partDiscard = discardingSubject(
  'sluice without the write: an exporter that discards batches',
  (own) => own,
)
