import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowAt } from '../../demo/rows.ts'
import { censorMark } from '../../demo/secrets.ts'
import type { SentUploads } from '../../demo/sequence.ts'

/** The lines that a perfect logger writes when two requests at a time are served, record by record in turn. */
export function perfectLines({ requests, rows }: SentUploads): string[] {
  const perRequest = Array.from({ length: requests }, (_, request) => requestLines(request, rows))
  const lines: string[] = []
  for (let first = 0; first < requests; first += 2) {
    const pair = perRequest.slice(first, first + 2)
    for (let i = 0; i < rows + 2; i++) lines.push(...pair.map((own) => own[i] ?? ''))
  }
  return lines
}

function requestLines(request: number, rows: number): string[] {
  const row = (seq: number): object => ({ ...rowAt(request, seq), password: censorMark, card: censorMark })
  return [
    line('upload started', { request, headers: { authorization: censorMark } }),
    ...Array.from({ length: rows }, (_, seq) => line('row', { request, seq, row: row(seq) })),
    line('upload finished', { request, receipt: { rows } }),
  ]
}

const line = (message: string, attributes: object): string =>
  JSON.stringify({ timestamp: '2026-11-21T09:56:03.123Z', level: 'info', message, attributes })

export interface LogFolder {
  write(content: string | Buffer): string
  remove(): void
}

export function createLogFolder(): LogFolder {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-reader-'))
  const path = join(folder, 'sluice.log')
  return {
    write(content) {
      writeFileSync(path, content)
      return path
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
