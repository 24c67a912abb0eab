import { followFile } from '../../read/follow/follow-file.ts'
import { isFollowEvent } from '../../read/follow/follow-item.ts'
import { LinkedAbort } from '../../read/linked-abort.ts'
import { MergeWindow } from '../../read/follow/merge-window.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { release, textItem, type HeldItem } from './held-item.ts'
import { newReader, type FileReading } from './read-files.ts'

/** The number of existing lines of each file that are read first. */
const defaultTail = 10

/** The files to follow, the options of following, and its callbacks. */
export interface Following extends FileReading {
  /** The number of existing lines of each file that are read first; undefined for the default. */
  readonly tail: number | undefined
  readonly syncWindowMillis: number
  /** Called with a sentence about what happened to a file, such as a rotation. */
  readonly onEvent: (file: string, message: string) => void
  /** Ends following when it is aborted. */
  readonly signal: AbortSignal
}

/** Reads all files at once, and new lines as they are written, until the signal is aborted. Several files are merged by time. */
export async function followFiles(following: Following): Promise<void> {
  const { files, sink, flush, onQuiet, syncWindowMillis, signal } = following
  const afterRelease = (): void => {
    flush()
    onQuiet()
  }
  if (files.length === 1) {
    await follow(files[0]!, following, sink, afterRelease)
    return
  }
  const merge = new TimedMerge(syncWindowMillis, sink, afterRelease)
  const ended = new LinkedAbort(signal)
  const all = { ...following, signal: ended.signal }
  try {
    await Promise.all(files.map((file) => follow(file, all, merge.sinkOf(file), () => merge.schedule())))
  } finally {
    // One file has failed, or all have ended.
    ended.release()
    ended.abort()
    merge.end()
  }
}

/** Passes the records of a file to a sink. */
async function follow(file: string, following: Following, sink: RecordSink, onPassed: () => void): Promise<void> {
  const { signal, tail = defaultTail, onEvent } = following
  const reader = newReader(file, following, sink)
  for await (const item of followFile(file, { signal, tail })) {
    if (!isFollowEvent(item)) reader.read(item)
    else if (item.event === 'quiet') reader.flush()
    else onEvent(file, item.message)
    onPassed()
    if (following.isDone()) break
  }
  reader.flush()
  onPassed()
}

/** Holds the records of several files for the window in which they are merged, and passes them to a sink. */
class TimedMerge {
  readonly #window: MergeWindow<HeldItem>
  readonly #afterRelease: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(windowMillis: number, sink: RecordSink, afterRelease: () => void) {
    this.#window = new MergeWindow({ windowMillis, onItem: (item) => release(item, sink) })
    this.#afterRelease = afterRelease
  }

  /** Returns the sink for the records of a file. */
  sinkOf(file: string): RecordSink {
    return {
      record: (record: ReadRecord) => this.#add(file, { record, isText: false }),
      text: (bytes: Uint8Array, origin: RecordOrigin) => this.#add(file, textItem(bytes, origin)),
    }
  }

  /** Passes on what is due, and waits for the next record that will be. */
  schedule(): void {
    this.#window.release(performance.now())
    this.#afterRelease()
    clearTimeout(this.#timer)
    const next = this.#window.nextReleaseAt
    if (next !== undefined) this.#timer = setTimeout(() => this.schedule(), Math.max(0, next - performance.now()))
  }

  /** Passes on everything that is held. */
  end(): void {
    clearTimeout(this.#timer)
    this.#window.flush()
    this.#afterRelease()
  }

  #add(file: string, item: HeldItem): void {
    this.#window.add(file, item.record.time, item, performance.now())
  }
}
