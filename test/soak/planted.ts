import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kinds of files that are planted in the directories of an application. */
export const plantedKinds = [
  'linked directory',
  'linked heartbeat',
  'linked segment',
  'damaged segment',
  'linked lock',
] as const
export type PlantedKind = (typeof plantedKinds)[number]

const segment = '0000000001.1.0.crc32.jsonl'
/** A line that no application logged. The collector reports an error if it receives it. */
const line = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"planted"}}]}]}]}\n'

/** Links and damaged files in the directories of an application, and a check of their effects. */
export class PlantedFiles {
  private readonly spool: string
  private readonly lock: string
  private readonly outside: string
  /** Names that remain in the spool. */
  private readonly names = new Set(['quarantine'])

  constructor(directory: string, application: string) {
    this.spool = join(directory, application, 'spool')
    this.lock = join(directory, `.${application}.rotated.log.rotation`)
    this.outside = join(directory, `${application}.outside`)
    mkdirSync(this.outside)
    writeFileSync(join(this.outside, 'alive'), 'precious')
    writeFileSync(join(this.outside, segment), line)
  }

  plant(kind: PlantedKind): void {
    const name = `free-${randomBytes(6).toString('hex')}`
    const path = join(this.spool, name)
    try {
      if (kind === 'linked lock') return symlinkSync(join(this.outside, 'alive'), this.lock)
      if (kind === 'linked directory') {
        this.names.add(name)
        return symlinkSync(this.outside, path)
      }
      mkdirSync(path, { mode: 0o700, recursive: true })
      if (kind === 'damaged segment') writeFileSync(join(path, segment), `${line}${line.slice(0, 40)}`)
      else if (kind === 'linked heartbeat') symlinkSync(join(this.outside, 'alive'), join(path, 'alive'))
      else symlinkSync(join(this.outside, segment), join(path, segment))
    } catch {
      // The spool has no directory yet, or the lock is held.
    }
  }

  /** Filters out the names that belong to no owner or that an owner cannot remove. */
  ofOwners(names: readonly string[]): string[] {
    return names.filter((name) => !this.names.has(name) && !this.holdsLink(name))
  }

  /** Returns an error if files outside the spool were changed. */
  wrong(): string[] {
    const found = readdirSync(this.outside).map((name) => readFileSync(join(this.outside, name), 'utf8'))
    return JSON.stringify(found) === JSON.stringify([line, 'precious'])
      ? []
      : [`files outside of the spool were changed: ${JSON.stringify(found)}`]
  }

  /** A directory that contains a link with the name of a segment is claimed, and not removed. */
  private holdsLink(name: string): boolean {
    try {
      return readdirSync(join(this.spool, name), { withFileTypes: true }).some((entry) => entry.isSymbolicLink())
    } catch {
      return false
    }
  }
}
