import { threadId } from 'node:worker_threads'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { keyOf } from '../fd/descriptor.ts'
import { gzipFile } from './gzip-file.ts'
import { OldFiles, type OldFile } from './old-files.ts'
import { isAlive } from './rotation-lock.ts'
import { errorCode, failureReport } from '../fd/write-errors.ts'
import { member } from '../../options/own-members.ts'

/** Settings for the rotated files of a path. */
export interface RotatedFilesSettings {
  readonly path: string
  /** The maximum number of rotated files. */
  readonly keep: number
  readonly compress: boolean
  /** Returns the `dev:ino` of the file that is written to now. */
  readonly current: () => string | undefined
  readonly report: (code: string, message: string) => void
  /**
   * How long a file's size must be unchanged before it is compressed, in ms.
   *
   * @defaultValue 5,000
   */
  readonly quietMillis?: number
}

/**
 * Deletes and compresses rotated files in the background, one at a time. This does not keep the process alive; work that is not
 * done when the process exits or crashes is done by the next process.
 *
 * A file is compressed only after its size has been unchanged for some seconds. Another process that has the file open detects
 * the rotation at its next write at the latest, and a write that is in progress ends within that time.
 */
export class RotatedFiles {
  private readonly settings: RotatedFilesSettings
  private readonly quietMillis: number
  private readonly stopped = new AbortController()
  /** Files to compress: the size and the `monotonic` time in ms since which it is unchanged. */
  private readonly observed = new Map<string, { readonly size: number; readonly since: number }>()
  private timer: Delay | undefined
  private isSweeping = false
  private sweepAgain = false

  constructor(settings: RotatedFilesSettings) {
    this.settings = settings
    this.quietMillis = member(settings, 'quietMillis') ?? 5_000
  }

  /** Starts a sweep of the rotated files. Never throws. */
  sweepSoon(): void {
    if (this.settings.keep === Infinity && !this.settings.compress) return
    if (this.isSweeping) this.sweepAgain = true
    else if (!this.stopped.signal.aborted) void this.sweep()
  }

  /** Stops all work in progress. */
  stop(): void {
    this.stopped.abort()
    this.timer?.cancel()
  }

  private async sweep(): Promise<void> {
    this.isSweeping = true
    this.timer?.cancel()
    try {
      do {
        this.sweepAgain = false
        await this.sweepDirectory()
        // Sweep again even after `stop`: a file that was rotated meanwhile counts toward `keep`.
      } while (this.sweepAgain)
    } catch (error) {
      this.reportFailure('list the rotated files', this.settings.path, error)
    }
    this.isSweeping = false
    if (this.observed.size > 0 && !this.stopped.signal.aborted) {
      this.timer = delay(this.quietMillis, () => this.sweepSoon())
    }
  }

  private async sweepDirectory(): Promise<void> {
    const files = await OldFiles.open(this.settings.path)
    try {
      await this.sweepFiles(files)
    } finally {
      files.close()
    }
  }

  private async sweepFiles(files: OldFiles): Promise<void> {
    const kept = await this.deleteOldest(files, await files.list())
    if (!this.settings.compress) return
    const beingCompressed = await this.findBeingCompressed(files, kept)
    for (const { name } of kept.filter(({ name, gzip }) => !gzip && !beingCompressed.has(name))) {
      if (this.sweepAgain || this.stopped.signal.aborted) return
      await this.compress(files, name)
    }
    for (const name of this.observed.keys()) if (!files.names.includes(name)) this.observed.delete(name)
  }

  /**
   * Deletes the oldest files over `keep`. A file and its compressed copy count as one: a process that stops between writing the
   * copy and deleting the original leaves both.
   */
  private async deleteOldest(files: OldFiles, old: readonly OldFile[]): Promise<readonly OldFile[]> {
    if (this.settings.keep === Infinity) return old
    // An empty file is a name that a process has reserved and not used, so it does not count.
    const times = [...new Set(old.filter(({ size }) => size > 0).map(({ stamp }) => stamp))]
    const oldest = times[times.length - this.settings.keep] ?? (this.settings.keep === 0 ? Infinity : -Infinity)
    for (const { name } of old.filter(({ stamp }) => stamp < oldest)) {
      this.observed.delete(name)
      await this.delete(files, name)
    }
    return old.filter(({ stamp }) => stamp >= oldest)
  }

  private async delete(files: OldFiles, name: string): Promise<void> {
    try {
      const stats = await files.stats(name)
      if (stats !== undefined && keyOf(stats) !== this.settings.current()) await files.delete(name)
    } catch (error) {
      this.reportFailure('delete the file', files.shown(name), error)
    }
  }

  /** Returns the files that another process is compressing now, and deletes temporary files that stopped processes left. */
  private async findBeingCompressed(files: OldFiles, kept: readonly OldFile[]): Promise<Set<string>> {
    const names = new Set(kept.map(({ name }) => name))
    const beingCompressed = new Set<string>()
    for (const temporary of files.names) {
      const [, name, pid] = /^\.(.+)\.gz\.(\d+)-\d+\.tmp$/.exec(temporary) ?? []
      if (name === undefined || !(names.has(name) || names.has(`${name}.gz`))) continue
      const isOwn = temporary === temporaryFor(name)
      if (!isOwn && isAlive(Number(pid))) beingCompressed.add(name)
      else await this.delete(files, temporary)
    }
    return beingCompressed
  }

  private async compress(files: OldFiles, name: string): Promise<void> {
    try {
      const stats = await files.stats(name)
      if (stats === undefined || keyOf(stats) === this.settings.current()) return
      const last = this.observed.get(name)
      if (last?.size !== stats.size) return void this.observed.set(name, { size: stats.size, since: monotonic() })
      if (monotonic() - last.since < this.quietMillis) return
      this.observed.delete(name)
      // The name was reserved by a process that stopped before the rename.
      if (stats.size === 0) return await files.delete(name)
      const done = await gzipFile(files, name, temporaryFor(name), this.stopped.signal)
      if (!done) this.observed.set(name, { size: stats.size, since: monotonic() })
    } catch (error) {
      this.reportFailure('compress the file', files.shown(name), error)
    }
  }

  private reportFailure(action: string, path: string, error: unknown): void {
    if (['ENOENT', 'ABORT_ERR'].includes(errorCode(error))) return
    const { code, reason } = failureReport(error, 'SLUICE_ROTATION_FAILED')
    this.settings.report(code, `file:${path}: cannot ${action}${reason}`)
  }
}

function temporaryFor(name: string): string {
  return `.${name}.gz.${process.pid}-${threadId}.tmp`
}
