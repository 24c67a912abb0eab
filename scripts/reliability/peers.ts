import { existsSync, readFileSync } from 'node:fs'

/** Where `npm run faults:peers` leaves what it saw. */
export const peersPath = 'docs/reference/reliability-peers.json'

/** A logger as it was put through the rows. */
export interface PeerSubject {
  readonly name: string
  readonly version: string
  /** How it was set up, and why so. */
  readonly setup: string
}

/** What loggers made of a fault. */
export interface PeerRow {
  readonly row: number
  readonly fault: string
  /** By name, all that went wrong; nothing: it survives. */
  readonly wrong: Readonly<Record<string, readonly string[]>>
}

/** A run of all loggers. */
export interface PeerRun {
  readonly node: string
  readonly subjects: readonly PeerSubject[]
  readonly rows: readonly PeerRow[]
}

/** The last run; undefined where there was none. */
export function readPeers(): PeerRun | undefined {
  return existsSync(peersPath) ? (JSON.parse(readFileSync(peersPath, 'utf8')) as PeerRun) : undefined
}
