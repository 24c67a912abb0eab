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
}

/**
 * Starts a program. What it writes is written to `stdout` and `stderr` too, and its lines are records. Signals are passed on to it. Returns its
 * exit code when it has ended: 128 and the number of the signal if a signal ended it.
 *
 * @throws the system's error if it cannot be started.
 */
export async function runChild(options: ChildOptions): Promise<number> {
  const { command, environment, adder, duplicates, stdout, stderr, isInTerminal } = options
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: environment, stdio: ['inherit', 'pipe', 'pipe'] })
  duplicates.begin()
  const relay = new SignalRelay(child, isInTerminal)
  try {
    const name = command.join(' ').slice(0, maxNameLength)
    const output = Promise.all([
      readStream(name, child.stdout, stdout, new ProgramOutput('stdout', adder, duplicates)),
      readStream(name, child.stderr, stderr, new ProgramOutput('stderr', adder, duplicates)),
    ])
    const code = await exitCodeOf(child)
    // A process that the program has started can write for longer.
    await Promise.race([output, relay.interrupted])
    return code
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

async function readStream(name: string, from: Readable, to: Writable, output: ProgramOutput): Promise<void> {
  const copy = new PassThrough()
  from.pipe(copy)
  from.pipe(to, { end: false })
  // A terminal that was closed must not end the viewer, nor stop the program.
  to.on('error', () => from.unpipe(to))
  const items = followSource({ source: new StreamSource(copy), reopen: undefined }, {}, new WakeUp(undefined))
  await addLines(name, items, new TextJoiner(output), () => undefined)
}
