import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { followSource } from '../../read/follow/follow-source.ts'
import { WakeUp } from '../../read/follow/wake-up.ts'
import { StreamSource } from '../../read/input/stream-source.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import { standardSeverities } from '../../record/severity.ts'
import { DerivedRecord, noChanges } from '../../read/formats/derived-record.ts'
import { withoutColors } from '../../read/formats/without-colors.ts'
import type { RecordAdder } from '../store/record-adder.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { textLineRecord } from '../../read/text-line-record.ts'
import { addLines } from './add-lines.ts'

/** The program that the viewer starts. */
export interface ChildOptions {
  readonly command: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly adder: RecordAdder
  readonly stdout: Writable
  readonly stderr: Writable
}

const passedSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Starts a program. What it writes is written to the terminal too, and its lines are records. Signals are passed on to it. Returns its exit
 * code when it has ended: 128 and the number of the signal if a signal ended it.
 *
 * @throws the system's error if it cannot be started.
 */
export async function runChild({ command, environment, adder, stdout, stderr }: ChildOptions): Promise<number> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: environment, stdio: ['inherit', 'pipe', 'pipe'] })
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of passedSignals) process.on(signal, pass)
  try {
    const name = command.join(' ').slice(0, maxNameLength)
    const [code] = await Promise.all([
      exitCodeOf(child),
      readStream(name, 'stdout', child.stdout, stdout, adder),
      readStream(name, 'stderr', child.stderr, stderr, adder),
    ])
    return code
  } finally {
    for (const signal of passedSignals) process.off(signal, pass)
  }
}

const maxNameLength = 100

async function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
}

async function readStream(
  name: string,
  stream: 'stdout' | 'stderr',
  from: Readable,
  to: Writable,
  adder: RecordAdder,
): Promise<void> {
  const copy = new PassThrough()
  from.pipe(copy)
  from.pipe(to, { end: false })
  // A terminal that was closed must not end the viewer, nor stop the program.
  to.once('error', () => from.unpipe(to))
  const items = followSource({ source: new StreamSource(copy), reopen: undefined }, {}, new WakeUp(undefined))
  await addLines(name, items, new StreamSink(stream, adder), () => undefined)
}

/** Adds to records which stream they were written to, and a level to lines of text: `info`, or `error` if it is standard error. */
class StreamSink implements RecordSink {
  private readonly stream: 'stdout' | 'stderr'
  private readonly adder: RecordAdder
  private readonly textLevel: Pick<ReadRecord, 'severityNumber' | 'level'>

  constructor(stream: 'stdout' | 'stderr', adder: RecordAdder) {
    this.stream = stream
    this.adder = adder
    const level = stream === 'stdout' ? 'info' : 'error'
    this.textLevel = { level, severityNumber: standardSeverities[level] }
  }

  record(record: ReadRecord): void {
    this.adder.add(record, { ...record.origin, stream: this.stream })
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    const record = textLineRecord(bytes, origin)
    const message = withoutColors(record.message ?? '')
    // Programs separate parts of their output by empty lines.
    if (message.trim() === '') return
    this.record(new DerivedRecord(record, { ...noChanges, ...this.textLevel, message }))
  }
}
