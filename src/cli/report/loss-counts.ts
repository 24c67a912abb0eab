import type { ReportedLosses } from './reported-losses.ts'

/** Returns the counts of the reported losses, for JSON. */
export function lossCounts(losses: ReportedLosses): object {
  return {
    reports: losses.reports,
    droppedRecords: losses.dropped,
    droppedByReason: Object.fromEntries(losses.droppedByReason),
    droppedByLevel: Object.fromEntries(losses.droppedByLevel),
    droppedAttributes: losses.droppedAttributes,
    cutRecords: losses.cutRecords,
    cutCharacters: losses.cutCharacters,
    cutBytes: losses.cutBytes,
    cutItems: losses.cutItems,
    cutKeys: losses.cutKeys,
  }
}
