import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { followSource } from '../../read/follow/follow-source.ts'
import { WakeUp } from '../../read/follow/wake-up.ts'
import { StreamSource } from '../../read/input/stream-source.ts'
import type { DuplicateFinder } from '../store/duplicate-finder.ts'
import type { RecordAdder } from '../store/record-adder.ts'
import { addLines } from './add-lines.ts'
import { ProgramOutput } from './program-output.ts'
import { SignalRelay } from './signal-relay.ts'
import { TextJoiner } from './text-joiner.ts'

/** The program that the viewer starts. */
export interface ChildOptions {
  readonly command: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly adder: RecordAdder
  readonly duplicates: DuplicateFinder
  readonly stdout: Writable
  readonly stderr: Writable
  /** Whether the terminal sends the signals of its keys, such as Ctrl+C, to the program too. */
  readonly isInTerminal: boolean
  /** Receives an error because of which the output is not read any more. It is still written to `stdout` or `stderr`. */
  readonly onReadError: (error: unknown) => void
}

/** How a program has ended. */
export interface ProgramEnd {
  /** Its exit code: 128 and the number of the signal if a signal ended it. */
  readonly code: number
  /** Whether the user has ended it by a signal, such as that of Ctrl+C. */
  readonly isInterrupted: boolean
}

/**
 * Starts a program. What it writes is written to `stdout` and `stderr` too, and its lines are records. Signals are passed on to it. Returns when
 * it has ended.
 *
 * @throws the system's error if it cannot be started.
 */
export async function runChild(options: ChildOptions): Promise<ProgramEnd> {
  const { command, environment, adder, duplicates, stdout, stderr, isInTerminal, onReadError } = options
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: environment, stdio: ['inherit', 'pipe', 'pipe'] })
  duplicates.begin()
  const relay = new SignalRelay(child, isInTerminal)
  try {
    const name = command.join(' ').slice(0, maxNameLength)
    const output = Promise.all([
      readStream(name, child.stdout, stdout, new ProgramOutput('stdout', adder, duplicates), onReadError),
      readStream(name, child.stderr, stderr, new ProgramOutput('stderr', adder, duplicates), onReadError),
    ])
    const code = await exitCodeOf(child)
    const { isEnding } = relay
    // A process that the program has started can write for longer.
    const isInterrupted = await Promise.race([output.then(() => false), relay.interrupted.then(() => true)])
    return { code, isInterrupted: isInterrupted || isEnding }
  } finally {
    relay.close()
    child.stdout.destroy()
    child.stderr.destroy()
    duplicates.flush()
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
  from: Readable,
  to: Writable,
  output: ProgramOutput,
  onError: (error: unknown) => void,
): Promise<void> {
  const copy = new PassThrough()
  from.pipe(copy)
  from.pipe(to, { end: false })
  // A terminal that was closed must not end the viewer, nor stop the program.
  to.on('error', () => from.unpipe(to))
  const items = followSource({ source: new StreamSource(copy), reopen: undefined }, {}, new WakeUp(undefined))
  try {
    await addLines(name, items, new TextJoiner(output), () => undefined)
  } catch (error) {
    // The program must not wait for a reader that has ended.
    from.unpipe(copy)
    onError(error)
  }
}
