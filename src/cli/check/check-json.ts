import { lossCounts } from '../report/loss-counts.ts'
import type { CheckRun } from './check-run.ts'
import type { SequenceCheck } from './sequence-check.ts'

const maxGaps = 1_000

/** Returns the result of a check as a line of JSON. */
export function checkJson(run: CheckRun): string {
  const result = {
    isFine: run.isFine,
    files: run.files.map((file) => ({
      file: file.file,
      records: file.records,
      formats: Object.fromEntries(file.byFormat),
      unreadable: file.unreadable ?? null,
      problems: Object.fromEntries(file.problems),
      examples: file.examples,
    })),
    sequence: run.sequence === undefined ? null : sequenceOf(run.sequence),
    losses: lossCounts(run.losses),
  }
  return `${JSON.stringify(result)}\n`
}

function sequenceOf({ key, withoutNumber, unchecked, isComplete, producers }: SequenceCheck): object {
  return {
    key,
    isComplete,
    withoutNumber,
    unchecked,
    producers: producers.map((sequence) => ({
      producer: sequence.producer,
      records: sequence.records,
      first: sequence.ranges.first,
      last: sequence.ranges.last,
      missing: sequence.missing,
      /** The first gaps only. */
      gaps: sequence.gaps(maxGaps),
      duplicates: sequence.duplicates,
      outOfOrder: sequence.outOfOrder,
    })),
  }
}
