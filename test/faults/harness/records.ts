import { createHash } from 'node:crypto'

/** What every record of a run carries, so that whoever reads the sink knows it again. */
export interface FaultRecord {
  readonly run: string
  readonly pid: number
  /** From 0, one more with each record of a process. */
  readonly seq: number
  /** Of all the others: a record that was put together from two is none. */
  readonly sha: string
  readonly pad: string
}

/** The next record of a process. `padding`: UTF-16 units that are there to make it longer. */
export function faultRecord(run: string, pid: number, seq: number, padding: number): FaultRecord {
  const pad = 'x'.repeat(padding)
  return { run, pid, seq, sha: shaOf(run, pid, seq, pad), pad }
}

/** The record of a line, wherever its logger puts attributes; undefined when the line is none or was changed. */
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
