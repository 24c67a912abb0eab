import { fsync, fsyncSync } from 'node:fs'
import type { ExporterHost } from '../../pipeline/exporter.ts'
import type { Descriptor } from '../fd/descriptor.ts'
import { errorCode } from '../fd/write-errors.ts'

/**
 * Creates the fsync calls of a writer's file. Failures are reported to the exporter's host.
 *
 * @param name - The file's name in diagnostics.
 */
export function fileSyncs(
  name: string,
  writer: { readonly descriptor: Descriptor | undefined },
  host: () => ExporterHost | undefined,
): FileSyncs {
  return new FileSyncs(
    () => writer.descriptor,
    (error) =>
      host()?.reportDiagnostic(
        'SLUICE_SYNC_FAILED',
        `${name}: cannot fsync (${errorCode(error)}); written records may be lost`,
      ),
  )
}

/**
 * The fsync calls of a file whose descriptor may change. Bytes written before a change are in the old file, so that file is
 * synced too, and closed when no fsync call uses it.
 */
export class FileSyncs {
  private readonly current: () => Descriptor | undefined
  private readonly onFailure: (error: unknown) => void
  /** Old files that are still open, each with the result of its fsync. */
  private readonly retired = new Map<Descriptor, Promise<boolean>>()
  /** The number of fsync calls in progress for each descriptor. */
  private readonly calls = new Map<Descriptor, number>()
  /** Whether syncing an old file has failed since this was last returned. */
  private retiredFailed = false

  /** @param current - Returns the descriptor that is written to. Only regular files are synced. */
  constructor(current: () => Descriptor | undefined, onFailure: (error: unknown) => void) {
    this.current = current
    this.onFailure = onFailure
  }

  /** Syncs a descriptor that is no longer written to, and then closes it. */
  retire(descriptor: Descriptor): void {
    if (descriptor.kind !== 'file') return descriptor.close()
    this.retired.set(descriptor, this.syncRetired(descriptor))
  }

  /** Syncs all bytes written so far to the disk. Returns whether that succeeded. */
  async sync(): Promise<boolean> {
    const current = this.current()
    const pending = [...this.retired.values(), ...(current === undefined ? [] : [this.syncAsync(current)])]
    const results = await Promise.all(pending)
    return this.succeededSinceLast() && results.every(Boolean)
  }

  /** Does the same synchronously. */
  syncNow(): boolean {
    const current = this.current()
    const open = [...this.retired.keys(), ...(current === undefined ? [] : [current])]
    const results = open.map((descriptor) => this.syncOne(descriptor))
    return this.succeededSinceLast() && results.every(Boolean)
  }

  private async syncRetired(descriptor: Descriptor): Promise<boolean> {
    const ok = await this.syncAsync(descriptor)
    if (!ok) this.retiredFailed = true
    return ok
  }

  private succeededSinceLast(): boolean {
    const ok = !this.retiredFailed
    this.retiredFailed = false
    return ok
  }

  private syncAsync(descriptor: Descriptor): Promise<boolean> {
    if (descriptor.kind !== 'file') return Promise.resolve(true)
    this.calls.set(descriptor, (this.calls.get(descriptor) ?? 0) + 1)
    return new Promise((resolve) =>
      fsync(descriptor.fd, (error) => {
        this.onSynced(descriptor)
        if (error !== null) this.onFailure(error)
        resolve(error === null)
      }),
    )
  }

  private syncOne({ fd, kind }: Descriptor): boolean {
    if (kind !== 'file') return true
    try {
      fsyncSync(fd)
      return true
    } catch (error) {
      this.onFailure(error)
      return false
    }
  }

  /** Closes an old file after its last fsync. If it were closed during a call, its number could already refer to another file. */
  private onSynced(descriptor: Descriptor): void {
    const left = this.calls.get(descriptor)! - 1
    if (left > 0) return void this.calls.set(descriptor, left)
    this.calls.delete(descriptor)
    if (this.retired.delete(descriptor)) descriptor.close()
  }
}
