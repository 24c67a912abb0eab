import type { SpoolOwner } from './owner.ts'

/**
 * The size limit for all files of a directory, across its owners. An owner reserves space before it uses it, then checks the
 * reservations of the others, and withdraws its own if the total is too high. If two owners do this at the same time, both see
 * a total that is too high, so the used space stays within the limit without a lock.
 *
 * An owner without space states how much it needs, and owners that use more than an equal share release that much.
 */
export class DirectoryQuota {
  private readonly owner: SpoolOwner
  private readonly maxBytes: number
  /** How much is reserved at a time, in bytes, so that not every line has to check all directories. */
  private readonly stepBytes: number
  private reserved = 0

  constructor(owner: SpoolOwner, maxBytes: number, stepBytes: number) {
    this.owner = owner
    this.maxBytes = maxBytes
    this.stepBytes = stepBytes
  }

  /** Returns whether this owner may use `used` bytes in total. Throws the system's error. */
  allows(used: number): boolean {
    if (used <= this.reserved) return true
    const before = this.reserved
    this.owner.reserve({ reserved: used + this.stepBytes, wanted: 0 })
    const room = this.maxBytes - this.owner.others().reduce((sum, { reserved }) => sum + reserved, 0)
    this.reserved = used > room ? before : Math.min(used + this.stepBytes, room)
    this.owner.reserve({ reserved: this.reserved, wanted: used > room ? used - room : 0 })
    return used <= room
  }

  /** Releases unused space. Throws the system's error. */
  release(used: number): void {
    if (used === this.reserved) return
    this.reserved = used
    this.owner.reserve({ reserved: used, wanted: 0 })
  }

  /** Returns how many bytes this owner should release for others that have less. Throws the system's error. */
  excess(used: number): number {
    if (used === 0) return 0
    const others = this.owner.others()
    const wanted = others.reduce((sum, each) => sum + each.wanted, 0)
    return wanted === 0 ? 0 : Math.max(0, Math.min(wanted, used - Math.floor(this.maxBytes / (others.length + 1))))
  }
}
