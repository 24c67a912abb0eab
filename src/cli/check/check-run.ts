import { ReportedLosses } from '../report/reported-losses.ts'
import { FileCheck } from './file-check.ts'
import { SequenceCheck } from './sequence-check.ts'

/** The checks of all files of one run. */
export class CheckRun {
  readonly files: FileCheck[] = []
  readonly losses: ReportedLosses = new ReportedLosses()
  readonly sequence: SequenceCheck | undefined

  /** @param sequenceKey - the key of the attribute that numbers the records */
  constructor(sequenceKey: string | undefined) {
    this.sequence = sequenceKey === undefined ? undefined : new SequenceCheck(sequenceKey)
  }

  /** Begins the check of a file. */
  addFile(file: string): FileCheck {
    const check = new FileCheck(file, this)
    this.files.push(check)
    return check
  }

  /** Whether all lines are valid, no record was dropped and the sequence is complete. Cut data is not an error: limits are intended. */
  get isFine(): boolean {
    return (
      this.files.every(({ problemCount, unreadable }) => problemCount === 0 && unreadable === undefined) &&
      this.losses.dropped === 0 &&
      this.sequence?.isComplete !== false
    )
  }
}
