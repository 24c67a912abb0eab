/**
 * The independent reader: judges a log file by its bytes and by what was sent, and imports nothing of src.
 * Also a command: `node demo/reader.ts <file> <requests> <rows per request>`.
 */
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { createNeedleCounter } from './needles.ts'
import { createProblemList } from './problems.ts'
import type { Problem, ProblemList } from './problems.ts'
import { canary, censorMark, disguises, secretsPlanted } from './secrets.ts'
import { createSequenceCheck } from './sequence.ts'
import type { Sending } from './sequence.ts'

export interface Verdict {
  readonly bytes: number
  readonly lines: number
  readonly planted: number
  readonly marks: number
  /** Planted secrets found in the bytes, in whatever form. */
  readonly leaks: number
  /** Empty for a file that keeps every promise. */
  readonly problems: readonly Problem[]
}

export interface ReaderOptions {
  readonly chunkBytes?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (bytes: number) => void
}

export async function readLog(path: string, sending: Sending, options: ReaderOptions = {}): Promise<Verdict> {
  const problems = createProblemList()
  const secrets = createSecretCheck(sending, problems)
  const lines = createLineCheck(sending, problems)
  const { chunkBytes = 1 << 20, signal, onProgress } = options
  let bytes = 0
  const file: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: chunkBytes, signal })
  for await (const chunk of file) {
    bytes += chunk.length
    secrets.push(chunk)
    lines.push(chunk)
    onProgress?.(bytes)
  }
  return { bytes, lines: lines.end(), ...secrets.end(), problems: problems.all() }
}

// Over the bytes, not the parsed records: a secret must not be there in any place or form.
function createSecretCheck(sending: Sending, problems: ProblemList) {
  const forms = disguises(canary)
  const needles = createNeedleCounter([Buffer.from(censorMark), ...forms.map((form) => form.bytes)])

  function end(): Pick<Verdict, 'planted' | 'marks' | 'leaks'> {
    const planted = secretsPlanted(sending)
    const [marks = 0, ...found] = needles.counts
    for (const [index, count] of found.entries()) {
      if (count > 0) problems.add('secret', `planted secrets in the file ${forms[index]?.name}: ${count}`)
    }
    if (marks !== planted) problems.add('mark', `${planted} secrets were planted, ${marks} censor marks found`)
    return { planted, marks, leaks: found.reduce((sum, count) => sum + count, 0) }
  }

  return { push: (chunk: Buffer) => needles.push(chunk), end }
}

const LINE_FEED = 10

function createLineCheck(sending: Sending, problems: ProblemList) {
  const sequence = createSequenceCheck(sending, problems)
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
    if (!isUtf8(whole)) problems.add('line', `no valid UTF-8 after line ${lines}`)
    for (const line of whole.toString().split('\n')) readLine(line)
  }

  function readLine(line: string): void {
    lines++
    let record: unknown
    try {
      record = JSON.parse(line)
    } catch {
      problems.add('line', `line ${lines} does not parse: ${JSON.stringify(line.slice(0, 60))}`)
      return
    }
    sequence.see(record, lines)
  }

  function end(): number {
    if (unfinished.length > 0) {
      problems.add('line', 'the last line has no end')
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
  if (verdict.problems.length > 0) process.exitCode = 1
}
