import type { SpoolOwner } from './owner.ts'

/**
 * The size limit for the segments of all owners in a directory. An owner reserves space before it uses it, then checks the
 * reservations of the others, and withdraws its own if the total is too high. If two owners do this at the same time, at least
 * one sees the other's reservation, so the used space stays within the limit without a lock.
 *
 * An owner that lacks space also writes how much it lacks, and owners that use more than an equal share release up to that much.
 */
export class DirectoryQuota {
  private readonly owner: SpoolOwner
  private readonly maxBytes: number
  /** How much more than the used space is reserved, in bytes, so that not every line has to check all directories. */
  private readonly stepBytes: number
  private reservedBytes = 0

  constructor(owner: SpoolOwner, maxBytes: number, stepBytes: number) {
    this.owner = owner
    this.maxBytes = maxBytes
    this.stepBytes = stepBytes
  }

  /**
   * Reserves space so that this owner may use `usedBytes` in total. Returns whether that succeeded; otherwise the previous
   * reservation remains. Throws the system's error.
   */
  tryReserve(usedBytes: number): boolean {
    if (usedBytes <= this.reservedBytes) return true
    const previousBytes = this.reservedBytes
    this.owner.reserve({ reservedBytes: usedBytes + this.stepBytes, additionalBytesNeeded: 0 })
    const others = this.owner.otherReservations()
    const available = this.maxBytes - others.reduce((sum, { reservedBytes }) => sum + reservedBytes, 0)
    this.reservedBytes = usedBytes > available ? previousBytes : Math.min(usedBytes + this.stepBytes, available)
    this.owner.reserve({
      reservedBytes: this.reservedBytes,
      additionalBytesNeeded: usedBytes > available ? usedBytes - available : 0,
    })
    return usedBytes <= available
  }

  /** Reduces the reservation to the used space. Throws the system's error. */
  release(usedBytes: number): void {
    if (usedBytes === this.reservedBytes) return
    this.reservedBytes = usedBytes
    this.owner.reserve({ reservedBytes: usedBytes, additionalBytesNeeded: 0 })
  }

  /** Returns how many bytes this owner should release for others that lack space. Throws the system's error. */
  excessBytes(usedBytes: number): number {
    if (usedBytes === 0) return 0
    const others = this.owner.otherReservations()
    const bytesNeededByOthers = others.reduce((sum, { additionalBytesNeeded }) => sum + additionalBytesNeeded, 0)
    const equalShare = Math.floor(this.maxBytes / (others.length + 1))
    return bytesNeededByOthers === 0 ? 0 : Math.max(0, Math.min(bytesNeededByOthers, usedBytes - equalShare))
  }
}
