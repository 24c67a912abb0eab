import type { ErrorList } from './error-list.ts'
import { rowAt } from './rows.ts'

/** The uploads that the client sent: requests 0, 1, …, each with rows 0, 1, … */
export interface SentUploads {
  readonly requests: number
  readonly rows: number
}

export interface SequenceCheck {
  check(record: unknown, line: number): void
  end(): void
}

interface RequestState {
  starts: number
  ends: number
  latest: number
  readonly rows: Uint8Array
}

/** Checks that each request has one start, then each row once, unchanged and in order, then one end. */
export function createSequenceCheck(sent: SentUploads, errors: ErrorList): SequenceCheck {
  const requests: RequestState[] = Array.from({ length: sent.requests }, () => {
    return { starts: 0, ends: 0, latest: -1, rows: new Uint8Array(sent.rows) }
  })

  function check(record: unknown, line: number): void {
    const { message, attributes } = asObject(record)
    const { request, seq, row } = asObject(attributes)
    const state = typeof request === 'number' ? requests[request] : undefined
    if (state === undefined) errors.add('sequence', `line ${line} belongs to no request`)
    else if (message === 'upload started') state.starts++
    else if (message === 'upload finished') state.ends++
    else if (message !== 'row' || typeof seq !== 'number' || state.rows[seq] === undefined) {
      errors.add('sequence', `line ${line} is not a record of request ${Number(request)}`)
    } else checkRow(state, Number(request), seq, asObject(row), line)
  }

  function checkRow(
    state: RequestState,
    request: number,
    seq: number,
    row: Record<string, unknown>,
    line: number,
  ): void {
    const where = `line ${line}: row ${seq} of request ${request}`
    if (state.starts === 0) errors.add('sequence', `${where} is before its start`)
    if (state.ends > 0) errors.add('sequence', `${where} is after its end`)
    if (state.rows[seq] !== 0) errors.add('sequence', `${where} is duplicated`)
    else if (seq < state.latest) errors.add('sequence', `${where} is after row ${state.latest}`)
    state.rows[seq] = 1
    state.latest = Math.max(state.latest, seq)
    const changed = changedField(row, request, seq)
    if (changed !== undefined) errors.add('row', `${where}: the ${changed} differs from what was sent`)
  }

  function end(): void {
    for (const [request, { starts, ends, rows }] of requests.entries()) {
      if (starts !== 1) errors.add('sequence', `request ${request} has ${starts} start records`)
      if (ends !== 1) errors.add('sequence', `request ${request} has ${ends} end records`)
      for (let seq = rows.indexOf(0); seq >= 0; seq = rows.indexOf(0, seq + 1)) {
        errors.add('sequence', `row ${seq} of request ${request} is missing`)
      }
    }
  }

  return { check, end }
}

const readable = ['name', 'email', 'amount', 'note'] as const

function changedField(row: Record<string, unknown>, request: number, seq: number): string | undefined {
  const sent = rowAt(request, seq)
  return readable.find((field) => row[field] !== sent[field])
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
