import { closeSync, fstatSync } from 'node:fs'
import { canInterleave, identify } from '../../../exporters/fd/descriptor.ts'
import { whenCollected } from '../../../lifecycle/dropped-loggers.ts'
import { notAFile, openFile } from './open-file.ts'
import type { DestinationOptions } from './options.ts'
import type { Sink, SinkEvents } from './sink.ts'
import { syncIfFile, writeWhole } from './write-whole.ts'
import { ownCopy } from '../../../options/own-members.ts'
import { errorCode } from '../../../exporters/fd/write-errors.ts'

const newline = Buffer.from('\n')
const readerGone = 'a synchronous destination cannot be written to (EPIPE); later lines are lost'

/** A sink that writes lines to the descriptor before `write` returns. */
export class SyncSink implements Sink {
  file: string | null
  /** A descriptor that was opened here is closed when the sink is dropped without `close()`. */
  private readonly opened: { fd: number; isOwn: boolean }
  readonly queuedBytes = 0
  private readonly options: DestinationOptions
  private readonly events: SinkEvents
  private closed = false
  /** Whether the last write ended inside a line, so that the next write must begin with a line terminator. */
  private isLineIncomplete = false
  private keepsLinesWhole: boolean

  constructor(pathOrFd: string | number, options: DestinationOptions, events: SinkEvents) {
    this.options = ownCopy(options)
    this.events = events
    this.file = typeof pathOrFd === 'string' ? pathOrFd : null
    const isOwn = typeof pathOrFd === 'string'
    const opened = { fd: isOwn ? openFile(pathOrFd, options) : pathOrFd, isOwn }
    this.opened = opened
    this.keepsLinesWhole = isSharable(opened.fd)
    if (isOwn) whenCollected(this, () => closeDropped(opened))
    events.opened()
  }

  get fd(): number {
    return this.opened.fd
  }

  write(data: string | Uint8Array): void {
    if (this.closed) {
      this.events.dropped(data)
      return
    }
    const text = typeof data === 'string' ? Buffer.from(data) : data
    const bytes = this.isLineIncomplete ? Buffer.concat([newline, text]) : text
    const { retryEAGAIN: retry = () => true } = this.options
    const { count, error } = writeWhole(this.fd, bytes, { retry, keepsLinesWhole: this.keepsLinesWhole })
    if (count > 0) this.isLineIncomplete = error !== undefined && bytes[count - 1] !== newline[0]
    if (error !== undefined) {
      this.handleError(error)
      this.events.dropped(data)
      return
    }
    if (this.options.fsync === true) syncIfFile(this.fd)
    this.events.wrote(count)
  }

  private handleError(error: NodeJS.ErrnoException): void {
    // The reader has closed the pipe, so later writes cannot succeed.
    this.closed = errorCode(error) === 'EPIPE'
    if (!this.closed) this.events.failed(error)
    else this.events.reportDiagnostic({ code: 'SLUICE_READER_CLOSED', message: readerGone })
  }

  flush(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  flushSync(): void {
    syncIfFile(this.fd)
  }

  reopen(file?: string): void {
    if (this.file === null) throw notAFile()
    const old = this.fd
    this.opened.fd = openFile(file ?? this.file, this.options)
    this.keepsLinesWhole = isSharable(this.fd)
    this.file = file ?? this.file
    closeSync(old)
    this.isLineIncomplete &&= fstatSync(this.fd).size > 0
    this.events.opened()
  }

  close(): Promise<void> {
    this.closed = true
    syncIfFile(this.fd)
    if (this.fd > 2) closeSync(this.fd)
    this.opened.isOwn = false
    return Promise.resolve()
  }
}

/** Returns whether other processes can write to the same pipe or socket. The first write reports an invalid descriptor. */
function isSharable(fd: number): boolean {
  try {
    return canInterleave(identify(fd).kind)
  } catch {
    return false
  }
}

function closeDropped({ fd, isOwn }: { readonly fd: number; readonly isOwn: boolean }): void {
  if (!isOwn) return
  try {
    closeSync(fd)
  } catch {
    // the descriptor was closed by other code
  }
}
