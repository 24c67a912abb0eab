import { fsync, fsyncSync } from 'node:fs'
import type { ExporterHost } from '../../pipeline/exporter.ts'
import type { Descriptor } from '../fd/descriptor.ts'
import { errorCode } from '../fd/write-errors.ts'

/**
 * Creates the `FileSyncs` of a writer. Failures are reported to the exporter's host.
 *
 * @param name - The file's name in diagnostics.
 */
export function createFileSyncs(
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
 * Makes the fsync calls of a writer whose file may change. Bytes written before a change are in the old file, so that file is
 * synced too, and closed when no fsync call uses it.
 */
export class FileSyncs {
  private readonly currentDescriptor: () => Descriptor | undefined
  private readonly onFailure: (error: unknown) => void
  /** Old files that are still open, each with the result of its fsync. */
  private readonly retired = new Map<Descriptor, Promise<boolean>>()
  /** The number of fsync calls in progress for each descriptor. */
  private readonly callsInProgress = new Map<Descriptor, number>()
  /** Whether syncing an old file has failed since `takeRetiredResult` was called. */
  private hasRetiredFailed = false

  /** @param currentDescriptor - Returns the descriptor that is written to. Only regular files are synced. */
  constructor(currentDescriptor: () => Descriptor | undefined, onFailure: (error: unknown) => void) {
    this.currentDescriptor = currentDescriptor
    this.onFailure = onFailure
  }

  /** Syncs a descriptor that is no longer written to, and then closes it. */
  retire(descriptor: Descriptor): void {
    if (descriptor.kind !== 'file') return descriptor.close()
    this.retired.set(descriptor, this.syncRetired(descriptor))
  }

  /** Syncs all bytes written so far to the disk. Returns whether that succeeded. */
  async sync(): Promise<boolean> {
    const current = this.currentDescriptor()
    const pending = [...this.retired.values(), ...(current === undefined ? [] : [this.syncAsync(current)])]
    const results = await Promise.all(pending)
    return this.takeRetiredResult() && results.every(Boolean)
  }

  /** As `sync`, but synchronous. */
  syncNow(): boolean {
    const current = this.currentDescriptor()
    const openDescriptors = [...this.retired.keys(), ...(current === undefined ? [] : [current])]
    const results = openDescriptors.map((descriptor) => this.syncDescriptorNow(descriptor))
    return this.takeRetiredResult() && results.every(Boolean)
  }

  private async syncRetired(descriptor: Descriptor): Promise<boolean> {
    const isSynced = await this.syncAsync(descriptor)
    if (!isSynced) this.hasRetiredFailed = true
    return isSynced
  }

  /** Returns whether no sync of an old file has failed since the last call. */
  private takeRetiredResult(): boolean {
    const isSuccessful = !this.hasRetiredFailed
    this.hasRetiredFailed = false
    return isSuccessful
  }

  private syncAsync(descriptor: Descriptor): Promise<boolean> {
    if (descriptor.kind !== 'file') return Promise.resolve(true)
    this.callsInProgress.set(descriptor, (this.callsInProgress.get(descriptor) ?? 0) + 1)
    return new Promise((resolve) =>
      fsync(descriptor.fd, (error) => {
        this.onSynced(descriptor)
        if (error !== null) this.onFailure(error)
        resolve(error === null)
      }),
    )
  }

  private syncDescriptorNow({ fd, kind }: Descriptor): boolean {
    if (kind !== 'file') return true
    try {
      fsyncSync(fd)
      return true
    } catch (error) {
      this.onFailure(error)
      return false
    }
  }

  /** Closes an old file after its last fsync call. If closed during a call, the descriptor's number could refer to another file. */
  private onSynced(descriptor: Descriptor): void {
    const remainingCalls = this.callsInProgress.get(descriptor)! - 1
    if (remainingCalls > 0) return void this.callsInProgress.set(descriptor, remainingCalls)
    this.callsInProgress.delete(descriptor)
    if (this.retired.delete(descriptor)) descriptor.close()
  }
}
