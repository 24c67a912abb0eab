import type { SpoolOwner } from './owner.ts'

/**
 * The bound for all files of a directory, across its owners. An owner states how much it may take before it takes it, and only
 * then looks what the others have stated; if that is too much together it takes its statement back. So two that do so at
 * once both see too much, and the sum of what is taken stays within the bound without a lock.
 *
 * An owner without room states how much it wants, and those that have more than an equal share give that up.
 */
export class DirectoryQuota {
  private readonly owner: SpoolOwner
  private readonly maxBytes: number
  /** How much is reserved at a time, so that not each line looks at all directories, in bytes. */
  private readonly stepBytes: number
  private reserved = 0

  constructor(owner: SpoolOwner, maxBytes: number, stepBytes: number) {
    this.owner = owner
    this.maxBytes = maxBytes
    this.stepBytes = stepBytes
  }

  /** Whether this owner may take `used` bytes in all. Throws what the system says. */
  allows(used: number): boolean {
    if (used <= this.reserved) return true
    const before = this.reserved
    this.owner.reserve({ reserved: used + this.stepBytes, wanted: 0 })
    const room = this.maxBytes - this.owner.others().reduce((sum, { reserved }) => sum + reserved, 0)
    this.reserved = used > room ? before : Math.min(used + this.stepBytes, room)
    this.owner.reserve({ reserved: this.reserved, wanted: used > room ? used - room : 0 })
    return used <= room
  }

  /** Gives back what is not used. Throws what the system says. */
  release(used: number): void {
    if (used === this.reserved) return
    this.reserved = used
    this.owner.reserve({ reserved: used, wanted: 0 })
  }

  /** How many of its bytes this owner should give up for others that have less. Throws what the system says. */
  excess(used: number): number {
    if (used === 0) return 0
    const others = this.owner.others()
    const wanted = others.reduce((sum, each) => sum + each.wanted, 0)
    return wanted === 0 ? 0 : Math.max(0, Math.min(wanted, used - Math.floor(this.maxBytes / (others.length + 1))))
  }
}
