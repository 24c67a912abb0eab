/**
 * The independent reader: compares a log file with what was sent, and imports nothing from src.
 * It is also a command: `node demo/reader.ts <file> <requests> <rows per request>`.
 */
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { createNeedleCounter } from './needles.ts'
import { createErrorList } from './error-list.ts'
import type { LogFileError, ErrorList } from './error-list.ts'
import { canary, censorMark, encodedForms, secretsPlanted } from './secrets.ts'
import { createSequenceCheck } from './sequence.ts'
import type { SentUploads } from './sequence.ts'

export interface Verdict {
  readonly bytes: number
  readonly lines: number
  readonly planted: number
  readonly marks: number
  /** The number of planted secrets in the bytes, in any encoding. */
  readonly leaks: number
  /** The errors in the file. */
  readonly errors: readonly LogFileError[]
}

export interface ReaderOptions {
  readonly chunkBytes?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (bytes: number) => void
}

export async function readLog(path: string, sent: SentUploads, options: ReaderOptions = {}): Promise<Verdict> {
  const errors = createErrorList()
  const secrets = createSecretCheck(sent, errors)
  const lines = createLineCheck(sent, errors)
  const { chunkBytes = 1 << 20, signal, onProgress } = options
  let bytes = 0
  const file: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: chunkBytes, signal })
  for await (const chunk of file) {
    bytes += chunk.length
    secrets.push(chunk)
    lines.push(chunk)
    onProgress?.(bytes)
  }
  return { bytes, lines: lines.end(), ...secrets.end(), errors: errors.all() }
}

// Search the bytes, not the parsed records, to find a secret anywhere and in any encoding.
function createSecretCheck(sent: SentUploads, errors: ErrorList) {
  const forms = encodedForms(canary)
  const needles = createNeedleCounter([Buffer.from(censorMark), ...forms.map((form) => form.bytes)])

  function end(): Pick<Verdict, 'planted' | 'marks' | 'leaks'> {
    const planted = secretsPlanted(sent)
    const [marks = 0, ...found] = needles.counts
    for (const [index, count] of found.entries()) {
      if (count > 0) errors.add('secret', `planted secrets in the file (${forms[index]?.name}): ${count}`)
    }
    if (marks !== planted) errors.add('mark', `${planted} secrets were planted, ${marks} censor marks found`)
    return { planted, marks, leaks: found.reduce((sum, count) => sum + count, 0) }
  }

  return { push: (chunk: Buffer) => needles.push(chunk), end }
}

const LINE_FEED = 10

function createLineCheck(sent: SentUploads, errors: ErrorList) {
  const sequence = createSequenceCheck(sent, errors)
  let lines = 0
  let unfinished: Buffer[] = []

  function push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(LINE_FEED)
    if (end >= 0) {
      read(Buffer.concat([...unfinished, chunk.subarray(0, end)]))
      unfinished = []
    }
    if (end + 1 < chunk.length) unfinished.push(chunk.subarray(end + 1))
  }

  function read(whole: Buffer): void {
    if (!isUtf8(whole)) errors.add('line', `invalid UTF-8 after line ${lines}`)
    for (const line of whole.toString().split('\n')) readLine(line)
  }

  function readLine(line: string): void {
    lines++
    let record: unknown
    try {
      record = JSON.parse(line)
    } catch {
      errors.add('line', `line ${lines} does not parse: ${JSON.stringify(line.slice(0, 60))}`)
      return
    }
    sequence.check(record, lines)
  }

  function end(): number {
    if (unfinished.length > 0) {
      errors.add('line', 'the last line is incomplete')
      read(Buffer.concat(unfinished))
    }
    sequence.end()
    return lines
  }

  return { push, end }
}

if (process.argv[1] === import.meta.filename) {
  const [path = '', requests = '', rows = ''] = process.argv.slice(2)
  const verdict = await readLog(path, { requests: Number(requests), rows: Number(rows) })
  console.log(JSON.stringify(verdict, null, 2))
  if (verdict.errors.length > 0) process.exitCode = 1
}
