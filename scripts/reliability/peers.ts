import { existsSync, readFileSync } from 'node:fs'

/** The path of the results of `npm run faults:peers`, relative to the root of the repository. */
export const peersPath = 'docs/reference/reliability-peers.json'

/** A logger that was tested. */
export interface PeerSubject {
  readonly name: string
  readonly version: string
  /** How the logger was configured, and why. */
  readonly setup: string
}

/** The results of all loggers for one fault. */
export interface PeerRow {
  readonly row: number
  readonly fault: string
  /** The errors of each logger, by its name. An empty list means that the logger passed. */
  readonly wrong: Readonly<Record<string, readonly string[]>>
}

/** The results of one run with all loggers. */
export interface PeerRun {
  readonly node: string
  readonly subjects: readonly PeerSubject[]
  readonly rows: readonly PeerRow[]
}

/** Reads the results of the last run. Returns undefined when the file does not exist. */
export function readPeers(): PeerRun | undefined {
  return existsSync(peersPath) ? (JSON.parse(readFileSync(peersPath, 'utf8')) as PeerRun) : undefined
}
