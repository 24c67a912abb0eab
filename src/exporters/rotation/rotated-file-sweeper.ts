import { threadId } from 'node:worker_threads'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { fileKeyOf } from '../fd/descriptor.ts'
import { gzipFile } from './gzip-file.ts'
import { RotatedFileDirectory, type RotatedFile } from './rotated-file-directory.ts'
import { processExists } from './rotation-lock.ts'
import { errorCode, failureReport } from '../fd/write-errors.ts'
import { member } from '../../options/own-members.ts'

/** Settings for the rotated files of a log. */
export interface SweeperSettings {
  /** The path of the log. */
  readonly path: string
  /** The maximum number of rotated files; Infinity for no limit. */
  readonly keep: number
  /** Whether rotated files are compressed. */
  readonly compress: boolean
  /** Returns the `dev:ino` of the file that is written to now. */
  readonly currentKey: () => string | undefined
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
 * A file is compressed only after its size has been unchanged for `quietMillis`. Another process that has the file open detects
 * the rotation at its next write at the latest, and a write that is in progress ends within that time.
 */
export class RotatedFileSweeper {
  private readonly settings: SweeperSettings
  private readonly quietMillis: number
  private readonly stopController = new AbortController()
  /** The files to compress, by name: their size, and since when it is unchanged, in ms of `monotonic()`. */
  private readonly observedSizes = new Map<string, { readonly size: number; readonly since: number }>()
  private timer: Delay | undefined
  private isSweeping = false
  /** Whether another sweep was requested during the current one. */
  private isSweepRequested = false

  constructor(settings: SweeperSettings) {
    this.settings = settings
    this.quietMillis = member(settings, 'quietMillis') ?? 5_000
  }

  /** Starts a sweep of the rotated files, after the one in progress if there is one. Never throws. */
  requestSweep(): void {
    if (this.settings.keep === Infinity && !this.settings.compress) return
    if (this.isSweeping) this.isSweepRequested = true
    else if (!this.stopController.signal.aborted) void this.sweep()
  }

  /** Stops compression. A sweep in progress still deletes files, and is repeated if that is requested. No other sweep starts. */
  stop(): void {
    this.stopController.abort()
    this.timer?.cancel()
  }

  private async sweep(): Promise<void> {
    this.isSweeping = true
    this.timer?.cancel()
    try {
      do {
        this.isSweepRequested = false
        await this.sweepDirectory()
        // Even after `stop`, sweep again if requested: a file that was rotated meanwhile counts toward `keep`.
      } while (this.isSweepRequested)
    } catch (error) {
      this.reportFailure('list the rotated files', this.settings.path, error)
    }
    this.isSweeping = false
    if (this.observedSizes.size > 0 && !this.stopController.signal.aborted) {
      this.timer = delay(this.quietMillis, () => this.requestSweep())
    }
  }

  private async sweepDirectory(): Promise<void> {
    const directory = await RotatedFileDirectory.open(this.settings.path)
    try {
      await this.sweepFiles(directory)
    } finally {
      directory.close()
    }
  }

  private async sweepFiles(directory: RotatedFileDirectory): Promise<void> {
    const keptFiles = await this.deleteOldest(directory, await directory.list())
    if (!this.settings.compress) return
    const beingCompressed = await this.findBeingCompressed(directory, keptFiles)
    for (const { name } of keptFiles.filter(({ name, isCompressed }) => !isCompressed && !beingCompressed.has(name))) {
      if (this.isSweepRequested || this.stopController.signal.aborted) return
      await this.compress(directory, name)
    }
    for (const name of this.observedSizes.keys()) if (!directory.names.includes(name)) this.observedSizes.delete(name)
  }

  /**
   * Deletes the oldest files over `keep`. A file and its compressed copy count as one: a process that stops between writing the
   * copy and deleting the original leaves both.
   */
  private async deleteOldest(
    directory: RotatedFileDirectory,
    rotatedFiles: readonly RotatedFile[],
  ): Promise<readonly RotatedFile[]> {
    if (this.settings.keep === Infinity) return rotatedFiles
    // An empty file is a name that a process has reserved and not used, so it does not count.
    const times = [...new Set(rotatedFiles.filter(({ size }) => size > 0).map(({ rotatedAt }) => rotatedAt))]
    // If `keep` is 0, Infinity: all files are deleted. If there are no more than `keep` files, -Infinity: none is deleted.
    const oldestKeptTime = times[times.length - this.settings.keep] ?? (this.settings.keep === 0 ? Infinity : -Infinity)
    for (const { name } of rotatedFiles.filter(({ rotatedAt }) => rotatedAt < oldestKeptTime)) {
      this.observedSizes.delete(name)
      await this.delete(directory, name)
    }
    return rotatedFiles.filter(({ rotatedAt }) => rotatedAt >= oldestKeptTime)
  }

  /** Deletes a file, unless it is written to now or not one of this log. A failure is reported. */
  private async delete(directory: RotatedFileDirectory, name: string): Promise<void> {
    try {
      const stats = await directory.stats(name)
      if (stats !== undefined && fileKeyOf(stats) !== this.settings.currentKey()) await directory.delete(name)
    } catch (error) {
      this.reportFailure('delete the file', directory.displayPath(name), error)
    }
  }

  /**
   * Returns the names of the files that another process or thread is compressing now. Deletes temporary files that ended processes and
   * earlier failures of this thread left.
   */
  private async findBeingCompressed(
    directory: RotatedFileDirectory,
    keptFiles: readonly RotatedFile[],
  ): Promise<Set<string>> {
    const names = new Set(keptFiles.map(({ name }) => name))
    const beingCompressed = new Set<string>()
    for (const temporary of directory.names) {
      const [, name, pid] = /^\.(.+)\.gz\.(\d+)-\d+\.tmp$/.exec(temporary) ?? []
      if (name === undefined || !(names.has(name) || names.has(`${name}.gz`))) continue
      // This thread is compressing nothing now, so a temporary file of its own is left from an earlier failure.
      const isFromThisThread = temporary === temporaryName(name)
      if (!isFromThisThread && processExists(Number(pid))) beingCompressed.add(name)
      else await this.delete(directory, temporary)
    }
    return beingCompressed
  }

  /** Compresses a file if its size has been unchanged for `quietMillis`. Otherwise remembers the size for the next sweep. */
  private async compress(directory: RotatedFileDirectory, name: string): Promise<void> {
    try {
      const stats = await directory.stats(name)
      if (stats === undefined || fileKeyOf(stats) === this.settings.currentKey()) return
      const observed = this.observedSizes.get(name)
      if (observed?.size !== stats.size)
        return void this.observedSizes.set(name, { size: stats.size, since: monotonic() })
      if (monotonic() - observed.since < this.quietMillis) return
      this.observedSizes.delete(name)
      // A process reserved the name and stopped before the rename.
      if (stats.size === 0) return await directory.delete(name)
      const isCompressed = await gzipFile(directory, name, temporaryName(name), this.stopController.signal)
      if (!isCompressed) this.observedSizes.set(name, { size: stats.size, since: monotonic() })
    } catch (error) {
      this.reportFailure('compress the file', directory.displayPath(name), error)
    }
  }

  private reportFailure(action: string, path: string, error: unknown): void {
    if (['ENOENT', 'ABORT_ERR'].includes(errorCode(error))) return
    const { code, reason } = failureReport(error, 'SLUICE_ROTATION_FAILED')
    this.settings.report(code, `file:${path}: cannot ${action}${reason}`)
  }
}

function temporaryName(name: string): string {
  return `.${name}.gz.${process.pid}-${threadId}.tmp`
}
