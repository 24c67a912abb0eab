import { DescriptorWriter, type WriterEvents } from './descriptor-writer.ts'
import type { PagerCommand } from './pager-command.ts'
import { PagerProcess } from './pager-process.ts'
import { screenRows, type ScreenSize } from './screen-lines.ts'
import type { TextWriter } from '../../output/text-writer.ts'

/** When a pager is started. */
export interface PagingOptions {
  readonly command: PagerCommand
  readonly screen: ScreenSize
  /**
   * Whether the input is written by a running program. Then its lines are shown as they come, without a pager, once it is quiet with less
   * than a screen.
   */
  readonly isLive: boolean
  /** Called after the text if the pager could not be started. */
  readonly onMissing?: (() => void) | undefined
}

/** Milliseconds for which text is held back to see whether it is more than a screen. */
const holdMillis = 100
/** The rows of the screen that the prompts before and after the text need. */
const promptRows = 2
/** Text that is kept in case the shell does not find the pager. The buffer of the pipe is smaller, so a pager has read more. */
const maxKeptUnits = 1_048_576

/** Writes text to a terminal, or to a pager once it is more than a screen. */
export class PagedWriter implements TextWriter {
  private readonly options: PagingOptions
  private readonly events: WriterEvents
  private readonly terminal: DescriptorWriter
  private target: TextWriter | undefined
  private pager: PagerProcess | undefined
  /** Text that is held back, or that the pager may not have read; undefined once all text is certainly shown. */
  private kept: (string | Uint8Array)[] | undefined = []
  private keptUnits = 0
  private rows = 0
  private timer: NodeJS.Timeout | undefined
  private hasPagerQuit = false
  private isClosing = false
  private isPagerMissing = false

  /** @param fd - the descriptor of the terminal */
  constructor(fd: number, options: PagingOptions, events: WriterEvents) {
    this.options = options
    this.events = events
    this.terminal = new DescriptorWriter(fd, events)
  }

  get isClosed(): boolean {
    return this.hasPagerQuit || this.terminal.isClosed
  }

  write(text: string): void {
    this.keep(text)
    if (this.target !== undefined) this.target.write(text)
    else this.hold(text)
  }

  writeBytes(bytes: Uint8Array): void {
    this.keep(bytes)
    if (this.target !== undefined) this.target.writeBytes(bytes)
    else this.hold(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
  }

  flush(): void {
    this.target?.flush()
  }

  async close(): Promise<void> {
    this.isClosing = true
    if (this.target === undefined) this.writeToTerminal()
    await this.pager?.close()
    await this.terminal.close()
    // After the text, where it is seen.
    if (this.isPagerMissing) this.options.onMissing?.()
  }

  private keep(part: string | Uint8Array): void {
    if (this.kept === undefined) return
    this.kept.push(typeof part === 'string' ? part : part.slice())
    this.keptUnits += part.length
    if (this.keptUnits > maxKeptUnits && this.pager?.writer.isClosed === false) this.kept = undefined
  }

  private hold(text: string): void {
    const { rows, columns } = this.options.screen
    this.rows += screenRows(text, columns)
    if (this.rows > rows - promptRows) this.startPager()
    else this.timer ??= setTimeout(() => this.endHolding(), holdMillis)
  }

  private endHolding(): void {
    if (this.target !== undefined) return
    if (this.options.isLive) this.writeToTerminal()
    else this.startPager()
  }

  private startPager(): void {
    clearTimeout(this.timer)
    this.pager = PagerProcess.start(this.options.command, (wasMissing) => this.endPager(wasMissing))
    if (this.pager === undefined) this.showWithoutPager()
    else this.showKept(this.pager.writer)
  }

  private endPager(wasMissing: boolean): void {
    this.pager = undefined
    if (wasMissing && this.kept !== undefined) {
      this.showWithoutPager()
      return
    }
    this.hasPagerQuit = true
    // After the last text, it is normal that the user quits the pager.
    if (!this.isClosing) this.events.onClosed(undefined)
  }

  private showWithoutPager(): void {
    this.isPagerMissing = true
    this.writeToTerminal()
  }

  private writeToTerminal(): void {
    clearTimeout(this.timer)
    this.showKept(this.terminal)
    this.kept = undefined
  }

  private showKept(target: TextWriter): void {
    this.target = target
    for (const part of this.kept ?? []) {
      if (typeof part === 'string') target.write(part)
      else target.writeBytes(part)
    }
  }
}
