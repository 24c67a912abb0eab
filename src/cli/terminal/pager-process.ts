import type { ChildProcess } from 'node:child_process'
import { member } from '../../options/own-members.ts'
import { DescriptorWriter } from './descriptor-writer.ts'
import type { PagerCommand } from './pager-command.ts'

/** Exit statuses of a shell that could not run a command. */
const [notExecutable, notFound] = [126, 127]

/** A running pager. */
export class PagerProcess {
  /** Writes to the pager. */
  readonly writer: DescriptorWriter
  private readonly child: ChildProcess
  private readonly exit: Promise<void>

  private constructor(child: ChildProcess, fd: number, onQuit: (wasMissing: boolean) => void) {
    this.child = child
    this.exit = new Promise((resolve) => void child.once('exit', () => resolve()))
    // The pager reads keys, and Ctrl+C is one of them, so this process must not end before the pager has restored the terminal.
    process.on('SIGINT', ignoreSignal)
    // If the pager was quit, the event `exit` follows.
    this.writer = new DescriptorWriter(fd, { onClosed: () => {} })
    child.once('exit', (code) => {
      process.off('SIGINT', ignoreSignal)
      this.writer.discard()
      onQuit(code === notFound || code === notExecutable)
    })
  }

  /**
   * Starts a pager.
   *
   * @param onQuit - called when the pager has ended, with whether the shell has not found it
   * @returns undefined if the pager cannot be started, for example because it is not installed
   */
  static start(
    { program, args, variables }: PagerCommand,
    onQuit: (wasMissing: boolean) => void,
  ): PagerProcess | undefined {
    try {
      const { spawn } = process.getBuiltinModule('node:child_process')
      const child = spawn(program, args, {
        stdio: ['pipe', 'inherit', 'inherit'],
        env: { ...process.env, ...variables },
      })
      child.on('error', () => {})
      child.stdin.on('error', () => {})
      const fd = child.pid === undefined ? undefined : descriptorOf(child.stdin)
      if (fd !== undefined) return new PagerProcess(child, fd, onQuit)
      child.kill()
      return undefined
    } catch {
      return undefined // Process creation is not permitted.
    }
  }

  /** Ends the text, and waits until the pager has been quit. */
  async close(): Promise<void> {
    this.writer.flush()
    this.child.stdin?.end()
    await this.exit
  }
}

function ignoreSignal(): void {
  // The pager handles it.
}

/** Returns the descriptor of a socket. Node has no public way to get it. */
function descriptorOf(socket: object): number | undefined {
  const handle = member(socket as { _handle?: { readonly fd?: unknown } | null }, '_handle')
  const fd = handle ? member(handle, 'fd') : undefined
  return typeof fd === 'number' && fd >= 0 ? fd : undefined
}
