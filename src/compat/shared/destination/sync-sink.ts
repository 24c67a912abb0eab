import { fstatSync } from 'node:fs'
import { canInterleave, closeIfSameFile, identify, fileKeyIfOpen } from '../../../exporters/fd/descriptor.ts'
import { whenCollected } from '../../../lifecycle/dropped-loggers.ts'
import { reopenError, openFile } from './open-file.ts'
import type { DestinationOptions } from './options.ts'
import type { Sink, SinkEvents } from './sink.ts'
import { closeOrReport } from './close-reporting.ts'
import { syncIfFile, writeWhole } from './write-whole.ts'
import { withoutPrototype } from '../../../options/own-members.ts'
import { errorCode } from '../../../exporters/fd/write-errors.ts'

const newline = Buffer.from('\n')
const readerClosedMessage = 'a synchronous destination cannot be written to (EPIPE); later lines are lost'

interface SinkDescriptor {
  fd: number
  /** Identifies the file, because other code may close `fd`, whose number then refers to another file; undefined if it was not open. */
  fileKey: string | undefined
  /** Whether the descriptor is closed when the sink is garbage collected without `close()`. */
  closesWhenCollected: boolean
}

/** A sink that writes lines to the descriptor before `write` returns. */
export class SyncSink implements Sink {
  file: string | null
  private readonly descriptor: SinkDescriptor
  readonly queuedBytes = 0
  private readonly options: DestinationOptions
  private readonly events: SinkEvents
  /** Whether lines are dropped, because the sink or the reader of the pipe is closed. */
  private isClosed = false
  /** Whether the last write ended inside a line, so that the next write must begin with a line terminator. */
  private isLineIncomplete = false
  private keepsLinesWhole: boolean

  constructor(pathOrFd: string | number, options: DestinationOptions, events: SinkEvents) {
    this.options = withoutPrototype(options)
    this.events = events
    this.file = typeof pathOrFd === 'string' ? pathOrFd : null
    const isOpenedHere = typeof pathOrFd === 'string'
    const fd = isOpenedHere ? openFile(pathOrFd, options) : pathOrFd
    const descriptor: SinkDescriptor = { fd, fileKey: fileKeyIfOpen(fd), closesWhenCollected: isOpenedHere }
    this.descriptor = descriptor
    this.keepsLinesWhole = mayInterleave(descriptor.fd)
    if (isOpenedHere) whenCollected(this, () => closeCollected(descriptor))
    events.onOpen()
  }

  get fd(): number {
    return this.descriptor.fd
  }

  write(data: string | Uint8Array): void {
    if (this.isClosed) {
      this.events.onDrop(data)
      return
    }
    const lineBytes = typeof data === 'string' ? Buffer.from(data) : data
    const bytes = this.isLineIncomplete ? Buffer.concat([newline, lineBytes]) : lineBytes
    const { retryEAGAIN: retry = () => true } = this.options
    const { count, error } = writeWhole(this.fd, bytes, { retry, keepsLinesWhole: this.keepsLinesWhole })
    if (count > 0) this.isLineIncomplete = error !== undefined && bytes[count - 1] !== newline[0]
    if (error !== undefined) {
      this.handleError(error)
      this.events.onDrop(data)
      return
    }
    if (this.options.fsync === true) syncIfFile(this.fd)
    this.events.onWrite(count)
  }

  private handleError(error: NodeJS.ErrnoException): void {
    // After EPIPE, the reader has closed the pipe, so later writes cannot succeed.
    this.isClosed = errorCode(error) === 'EPIPE'
    if (!this.isClosed) this.events.onError(error)
    else this.events.reportDiagnostic({ code: 'SLUICE_READER_CLOSED', message: readerClosedMessage })
  }

  flush(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  flushSync(): void {
    syncIfFile(this.fd)
  }

  reopen(file?: string): void {
    if (this.file === null) throw reopenError()
    const old = { ...this.descriptor }
    this.descriptor.fd = openFile(file ?? this.file, this.options)
    this.descriptor.fileKey = fileKeyIfOpen(this.fd)
    this.keepsLinesWhole = mayInterleave(this.fd)
    this.file = file ?? this.file
    closeOrReport(old, this.events)
    // An empty file does not contain the incomplete line.
    this.isLineIncomplete &&= fstatSync(this.fd).size > 0
    this.events.onOpen()
  }

  close(): Promise<void> {
    this.isClosed = true
    syncIfFile(this.fd)
    if (this.fd > 2) closeOrReport(this.descriptor, this.events)
    this.descriptor.closesWhenCollected = false
    return Promise.resolve()
  }
}

/**
 * Returns whether lines of other writers to the same pipe or socket can interleave. False for an invalid descriptor, which the first
 * write reports.
 */
function mayInterleave(fd: number): boolean {
  try {
    return canInterleave(identify(fd).kind)
  } catch {
    return false
  }
}

/** Closes the descriptor of a sink that was garbage collected. */
function closeCollected({ fd, fileKey, closesWhenCollected }: SinkDescriptor): void {
  if (closesWhenCollected) closeIfSameFile(fd, fileKey)
}
