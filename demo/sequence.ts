import type { ProblemList } from './problems.ts'
import { rowAt } from './rows.ts'

/** What the client sent: requests 0, 1, …, each with rows 0, 1, … */
export interface Sending {
  readonly requests: number
  readonly rows: number
}

export interface SequenceCheck {
  see(record: unknown, line: number): void
  end(): void
}

interface Seen {
  starts: number
  ends: number
  latest: number
  readonly rows: Uint8Array
}

/** Whether each request has one start, then its rows once, in order and as they were sent, then one end. */
export function createSequenceCheck(sending: Sending, problems: ProblemList): SequenceCheck {
  const requests: Seen[] = Array.from({ length: sending.requests }, () => {
    return { starts: 0, ends: 0, latest: -1, rows: new Uint8Array(sending.rows) }
  })

  function see(record: unknown, line: number): void {
    const { message, attributes } = asObject(record)
    const { request, seq, row } = asObject(attributes)
    const seen = typeof request === 'number' ? requests[request] : undefined
    if (seen === undefined) problems.add('sequence', `line ${line} belongs to no request`)
    else if (message === 'upload started') seen.starts++
    else if (message === 'upload finished') seen.ends++
    else if (message !== 'row' || typeof seq !== 'number' || seen.rows[seq] === undefined) {
      problems.add('sequence', `line ${line} is no record of request ${Number(request)}`)
    } else seeRow(seen, Number(request), seq, asObject(row), line)
  }

  function seeRow(seen: Seen, request: number, seq: number, row: Record<string, unknown>, line: number): void {
    const where = `line ${line}: row ${seq} of request ${request}`
    if (seen.starts === 0) problems.add('sequence', `${where} stands before its start`)
    if (seen.ends > 0) problems.add('sequence', `${where} stands after its end`)
    if (seen.rows[seq] !== 0) problems.add('sequence', `${where} is there again`)
    else if (seq < seen.latest) problems.add('sequence', `${where} comes after row ${seen.latest}`)
    seen.rows[seq] = 1
    seen.latest = Math.max(seen.latest, seq)
    const changed = changedField(row, request, seq)
    if (changed !== undefined) problems.add('row', `${where}: the ${changed} is not what was sent`)
  }

  function end(): void {
    for (const [request, { starts, ends, rows }] of requests.entries()) {
      if (starts !== 1) problems.add('sequence', `request ${request} has ${starts} start records`)
      if (ends !== 1) problems.add('sequence', `request ${request} has ${ends} end records`)
      for (let seq = rows.indexOf(0); seq >= 0; seq = rows.indexOf(0, seq + 1)) {
        problems.add('sequence', `row ${seq} of request ${request} is missing`)
      }
    }
  }

  return { see, end }
}

const readable = ['name', 'email', 'amount', 'note'] as const

function changedField(row: Record<string, unknown>, request: number, seq: number): string | undefined {
  const sent = rowAt(request, seq)
  return readable.find((field) => row[field] !== sent[field])
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
