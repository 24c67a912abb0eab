import { finishedText } from '../encode/finished-text.ts'
import type { PipelineTarget } from '../handler/encoding-handler.ts'
import type { RecordCapture } from '../handler/record-capture.ts'
import type { RecordOwner } from '../pipeline/batch-buffer.ts'
import { notEncodedIndex, type Counters } from '../pipeline/counters.ts'
import type { HeldDestination, HeldRecord } from './held-record.ts'

/** The queues of the exporters that accept the severity of held records. All other exporters count these records as filtered. */
export class QueueDestination implements HeldDestination {
  private readonly targets: readonly PipelineTarget[]
  private readonly owners: readonly RecordOwner[]
  /** For each target, the index of its text among the texts of a record; -1 if it does not accept the record. */
  private readonly textIndexes: readonly number[]

  constructor(targets: readonly PipelineTarget[], owners: readonly RecordOwner[], textIndexes: readonly number[]) {
    this.targets = targets
    this.owners = owners
    this.textIndexes = textIndexes
  }

  count(): void {
    for (let i = 0; i < this.owners.length; i++) {
      const { counters } = this.owners[i]!
      counters.emitted++
      if (this.textIndexes[i]! < 0) counters.filtered++
      else counters.recorded++
    }
  }

  release(held: HeldRecord, text: string): void {
    // While records are captured, none is written to the exporters.
    if (this.targets[0]!.recordCapture !== undefined) return this.discard()
    for (let i = 0; i < this.targets.length; i++) {
      const textIndex = this.textIndexes[i]!
      if (textIndex >= 0) this.releaseTo(this.targets[i]!, this.owners[i]!, held, text, textIndex)
    }
  }

  discard(): void {
    for (let i = 0; i < this.owners.length; i++) {
      if (this.textIndexes[i]! < 0) continue
      const { counters } = this.owners[i]!
      counters.recorded--
      counters.expired++
      counters.filtered++
    }
  }

  private releaseTo(
    { processor }: PipelineTarget,
    owner: RecordOwner,
    { severity, lengths, truncatedFlags }: HeldRecord,
    text: string,
    textIndex: number,
  ): void {
    const { counters } = owner
    try {
      processor.push(finishedText(lengths === undefined ? text : partOf(text, lengths, textIndex)), severity, owner)
      if (truncatedFlags?.at(textIndex) === true) counters.truncated++
    } catch {
      countNotWritten(counters, severity)
    }
    counters.recorded--
    counters.released++
  }
}

/** A test that captures the records. They count as filtered from the start, like all captured records. */
export class CaptureDestination implements HeldDestination {
  private readonly owners: readonly RecordOwner[]
  private readonly recordCapture: RecordCapture

  constructor(owners: readonly RecordOwner[], recordCapture: RecordCapture) {
    this.owners = owners
    this.recordCapture = recordCapture
  }

  count(): void {
    for (let i = 0; i < this.owners.length; i++) {
      const { counters } = this.owners[i]!
      counters.emitted++
      counters.filtered++
    }
  }

  release({ severity }: HeldRecord, text: string): void {
    this.recordCapture.take(text, severity)
  }

  discard(): void {}
}

function partOf(text: string, lengths: readonly number[], index: number): string {
  let start = 0
  for (let i = 0; i < index; i++) start += lengths[i]!
  return text.slice(start, start + lengths[index]!)
}

/** Counts a record that could not be queued because the stack is exhausted, without calling a function. */
function countNotWritten(counters: Counters, severity: number): void {
  counters.accepted++
  counters.droppedTotal++
  counters.droppedByReason[notEncodedIndex]!++
  // One counter for each four severity numbers.
  counters.droppedByLevel[(severity - 1) >> 2]!++
}
