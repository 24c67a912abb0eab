import { createHash } from 'node:crypto'

/** The attributes of every record of a run, by which a reader of the sink identifies it. */
export interface FaultRecord {
  readonly run: string
  readonly pid: number
  /** The sequence number within the process, from 0. */
  readonly seq: number
  /** A hash of the other attributes, which detects a mixture of two records. */
  readonly sha: string
  readonly pad: string
}

/** Creates a record. `padding` is the number of UTF-16 units of its padding. */
export function faultRecord(run: string, pid: number, seq: number, padding: number): FaultRecord {
  const pad = 'x'.repeat(padding)
  return { run, pid, seq, sha: shaOf(run, pid, seq, pad), pad }
}

/** Returns the record of a parsed line of any logger, or undefined if it is not a record or was changed. */
export function recordIn(line: unknown): FaultRecord | undefined {
  const { attributes } = (line ?? {}) as { attributes?: unknown }
  const { run, pid, seq, sha, pad } = (attributes ?? line ?? {}) as Partial<FaultRecord>
  if (typeof run !== 'string' || typeof pid !== 'number' || typeof seq !== 'number' || typeof pad !== 'string')
    return undefined
  return sha === shaOf(run, pid, seq, pad) ? { run, pid, seq, sha, pad } : undefined
}

function shaOf(run: string, pid: number, seq: number, pad: string): string {
  return createHash('sha256').update(`${run}/${pid}/${seq}/${pad}`).digest('hex').slice(0, 16)
}
