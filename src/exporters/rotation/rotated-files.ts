import { threadId } from 'node:worker_threads'
import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { keyOf } from '../fd/descriptor.ts'
import { gzipFile } from './gzip-file.ts'
import { OldFiles, type OldFile } from './old-files.ts'
import { isAlive } from './rotation-lock.ts'
import { errorCode, failureReport } from '../fd/write-errors.ts'
import { member } from '../../options/own-members.ts'

/** What becomes of the old files of a path. */
export interface RotatedFilesSettings {
  readonly path: string
  /** How many there may be. */
  readonly keep: number
  readonly compress: boolean
  /** The `dev:ino` of the file that is written to at the moment. */
  readonly current: () => string | undefined
  readonly report: (code: string, message: string) => void
  /** How long a file must have kept its size before it is compressed, in ms. Default 5,000. */
  readonly quietMillis?: number
}

/**
 * Deletes and compresses old files, in the background and one at a time. Nothing here keeps the process alive; what is left
 * when it ends, and what another one left that died, is found by the next.
 *
 * A file is compressed only after it has kept its size for some seconds: another process that has it open finds out that it
 * was put aside with its next write at the latest, and one that is in the middle of a write ends it in that time.
 */
export class RotatedFiles {
  private readonly settings: RotatedFilesSettings
  private readonly quietMillis: number
  private readonly stopped = new AbortController()
  /** Files that wait to be compressed: their size, and since when they have it, in ms of `monotonic`. */
  private readonly quiet = new Map<string, { readonly size: number; readonly since: number }>()
  private timer: Delay | undefined
  private sweeping = false
  private again = false

  constructor(settings: RotatedFilesSettings) {
    this.settings = settings
    this.quietMillis = member(settings, 'quietMillis') ?? 5_000
  }

  /** Looks through the old files soon. Never throws. */
  sweepSoon(): void {
    if (this.settings.keep === Infinity && !this.settings.compress) return
    if (this.sweeping) this.again = true
    else if (!this.stopped.signal.aborted) void this.sweep()
  }

  /** Ends all that is under way. */
  stop(): void {
    this.stopped.abort()
    this.timer?.cancel()
  }

  private async sweep(): Promise<void> {
    this.sweeping = true
    this.timer?.cancel()
    try {
      do {
        this.again = false
        await this.lookThrough()
        // Also where it was stopped meanwhile: a file that was put aside since counts for `keep`.
      } while (this.again)
    } catch (error) {
      this.failed('look through the old files of', this.settings.path, error)
    }
    this.sweeping = false
    if (this.quiet.size > 0 && !this.stopped.signal.aborted) {
      this.timer = delay(this.quietMillis, () => this.sweepSoon())
    }
  }

  private async lookThrough(): Promise<void> {
    const files = await OldFiles.open(this.settings.path)
    try {
      await this.lookThroughAll(files)
    } finally {
      files.close()
    }
  }

  private async lookThroughAll(files: OldFiles): Promise<void> {
    const kept = await this.deleteOldest(files, await files.list())
    if (!this.settings.compress) return
    const busy = await this.underWay(files, kept)
    for (const { name } of kept.filter(({ name, gzip }) => !gzip && !busy.has(name))) {
      if (this.again || this.stopped.signal.aborted) return
      await this.compress(files, name)
    }
    for (const name of this.quiet.keys()) if (!files.names.includes(name)) this.quiet.delete(name)
  }

  /** A file and its compressed form, where a process died between the two, count as one. */
  private async deleteOldest(files: OldFiles, old: readonly OldFile[]): Promise<readonly OldFile[]> {
    if (this.settings.keep === Infinity) return old
    // What is empty is a name that somebody has reserved and not used, so it takes the place of none.
    const stamps = [...new Set(old.filter(({ size }) => size > 0).map(({ stamp }) => stamp))]
    const oldest = stamps[stamps.length - this.settings.keep] ?? (this.settings.keep === 0 ? Infinity : -Infinity)
    for (const { name } of old.filter(({ stamp }) => stamp < oldest)) {
      this.quiet.delete(name)
      await this.delete(files, name)
    }
    return old.filter(({ stamp }) => stamp >= oldest)
  }

  private async delete(files: OldFiles, name: string): Promise<void> {
    try {
      const stats = await files.stats(name)
      if (stats !== undefined && keyOf(stats) !== this.settings.current()) await files.delete(name)
    } catch (error) {
      this.failed('delete', files.shown(name), error)
    }
  }

  /** The files that a process is compressing; what dead ones left of that is deleted. */
  private async underWay(files: OldFiles, kept: readonly OldFile[]): Promise<Set<string>> {
    const names = new Set(kept.map(({ name }) => name))
    const busy = new Set<string>()
    for (const temporary of files.names) {
      const [, name, pid] = /^\.(.+)\.gz\.(\d+)-\d+\.tmp$/.exec(temporary) ?? []
      if (name === undefined || !(names.has(name) || names.has(`${name}.gz`))) continue
      const isOwn = temporary === temporaryFor(name)
      if (!isOwn && isAlive(Number(pid))) busy.add(name)
      else await this.delete(files, temporary)
    }
    return busy
  }

  private async compress(files: OldFiles, name: string): Promise<void> {
    try {
      const stats = await files.stats(name)
      if (stats === undefined || keyOf(stats) === this.settings.current()) return
      const known = this.quiet.get(name)
      if (known?.size !== stats.size) return void this.quiet.set(name, { size: stats.size, since: monotonic() })
      if (monotonic() - known.since < this.quietMillis) return
      this.quiet.delete(name)
      // A name that was reserved by a process that died before the rename.
      if (stats.size === 0) return await files.delete(name)
      const done = await gzipFile(files, name, temporaryFor(name), this.stopped.signal)
      if (!done) this.quiet.set(name, { size: stats.size, since: monotonic() })
    } catch (error) {
      this.failed('compress', files.shown(name), error)
    }
  }

  private failed(action: string, path: string, error: unknown): void {
    if (['ENOENT', 'ABORT_ERR'].includes(errorCode(error))) return
    const { code, reason } = failureReport(error, 'SLUICE_ROTATION_FAILED')
    this.settings.report(code, `file:${path}: cannot ${action} it${reason}`)
  }
}

function temporaryFor(name: string): string {
  return `.${name}.gz.${process.pid}-${threadId}.tmp`
}
