import { spawn } from 'node:child_process'
import { waitUntil } from '../wait-until.ts'

/** A program that runs in a pseudo-terminal. */
export interface TerminalSession {
  /** What the terminal has received, with `\n` as the end of a line. */
  readonly output: string
  /** Sends keys, such as `\x03` for Ctrl+C. */
  press(keys: string): void
  /** Waits until the terminal has received a text. */
  untilShown(text: string): Promise<void>
  /** The exit status of the program; 128 and the number of the signal that ended it. */
  readonly exitCode: Promise<number | null>
}

/** Starts the text of an ES module in a pseudo-terminal of script(1), with its width in columns. */
export function startInTerminal(
  program: string,
  env: Readonly<Record<string, string>> = {},
  columns = 80,
): TerminalSession {
  const inner = `stty cols ${columns}; exec "$NODE" --input-type=module --eval "$PROGRAM"`
  const child = spawn('script', ['--quiet', '--return', '--command', inner, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SHELL: '/bin/sh',
      TERM: 'xterm',
      NO_COLOR: '1',
      NODE: process.execPath,
      PROGRAM: program,
      ...env,
    },
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  let received = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (received += text))
  // All at once, because the end of a line can be divided between two reads.
  const output = () => received.replaceAll('\r\n', '\n')
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return {
    get output() {
      return output()
    },
    press: (keys) => void child.stdin.write(keys),
    untilShown: (text) => waitUntil(() => output().includes(text)),
    exitCode,
  }
}
