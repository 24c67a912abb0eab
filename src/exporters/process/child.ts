import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { readSync, writevSync } from 'node:fs'
import type { Socket } from 'node:net'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { errorCode, writeFailureKind } from '../fd/write-errors.ts'
import { FrameReader, type Frame } from './writer-frames.ts'
import type { WriterSettings } from './writer-settings.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/** Events of a writer process. */
export interface ChildEvents {
  /** A frame has been read. The caller of `receive` may be in an inconsistent state, so no user code may run. */
  onFrame(frame: Frame): void
  /** Bytes were read in the event loop, and `onFrame` was called for each complete frame. User code may run. */
  onFramesRead(): void
  /** The process has ended or closed its socket, and all its frames were read. Called at most once, and not after `close`. */
  onEnded(child: WriterChild): void
  /**
   * The process has exited, or could not be started, or was started without a socket. In the last case, its exit is not reported.
   *
   * @param why - The signal or exit code; if `hasExited` is false, the system's error code or a text.
   * @param hasExited - Whether the process was started and has exited.
   */
  onExit(why: string, hasExited: boolean): void
}

/** How long `close` waits for the process to exit, in ms. */
const closeTimeoutMillis = 2_000
/** The maximum payload of a frame from the writer process, in bytes. */
const maxPayloadBytes = 65_536

/**
 * A writer process and the socket to it. The socket is read and written with non-blocking system calls, which also works while
 * the event loop does not run. While the event loop runs, frames are also read in it.
 *
 * Invariant: every frame is sent completely. The rest of an abandoned frame is sent before anything else.
 */
export class WriterChild {
  /** Whether the process accepts frames. Frames that it sent before it ended may still be unread. */
  isAlive = true
  private readonly childProcess: ChildProcess
  private readonly socket: Socket
  private readonly fd: number
  private readonly events: ChildEvents
  private readonly reader: FrameReader
  private readonly startedAt = monotonic()
  private readonly readBuffer = Buffer.allocUnsafe(4096)
  /** The bytes of `post` calls that the socket has not accepted yet. */
  private unsentBytes: Uint8Array | undefined
  /** Whether nothing more is read from the socket. */
  private hasEnded = false

  private constructor(childProcess: ChildProcess, socket: Socket, fd: number, events: ChildEvents) {
    this.childProcess = childProcess
    this.socket = socket
    this.fd = fd
    this.events = events
    this.reader = new FrameReader((frame) => events.onFrame(frame), maxPayloadBytes)
    socket.on('data', (bytes) => {
      this.parseFrames(bytes)
      events.onFramesRead()
    })
    for (const event of ['end', 'error', 'close']) socket.on(event, () => this.markEnded())
    childProcess.unref()
    socket.unref()
  }

  /**
   * Starts a writer process. It runs in its own session, so that signals of a terminal or to the process group do not reach it.
   * It inherits only the destination `fd`, standard error for its last message, and the environment variables of
   * `childEnvironment`.
   *
   * @param program - The path of the writer's program.
   * @returns Undefined if the process cannot be started. Then `onExit` was called, or will be.
   */
  static start(
    program: string,
    settings: WriterSettings,
    fd: number | undefined,
    events: ChildEvents,
  ): WriterChild | undefined {
    try {
      // Load it only here, so that programs with other exporters do not load it.
      const { spawn } = process.getBuiltinModule('node:child_process')
      const options = withoutPrototype<SpawnOptions>({
        cwd: '/',
        detached: true,
        env: childEnvironment(),
        stdio: ['ignore', fd ?? 'ignore', 2, 'pipe'],
        windowsHide: true,
      })
      // Not `JSON.stringify`, which would call a `toJSON` that another library has added to `Object.prototype`.
      const settingsText = new JsonWalk().json(settings)!
      const child = spawn(process.execPath, [program, settingsText], options)
      child.on('error', (error) => events.onExit(errorCode(error), false))
      // `stdio` is missing, contrary to the types, if the system has no free descriptor.
      const socket = (member(child, 'stdio') as readonly unknown[] | undefined)?.[3] as Socket | undefined
      const socketFd = socket === undefined ? undefined : descriptorOf(socket)
      const hasStarted = member(child, 'pid') !== undefined
      if (hasStarted && socketFd !== undefined) {
        child.on('exit', (code, signal) => events.onExit(signal ?? `exit code ${code}`, true))
        return new WriterChild(child, socket!, socketFd, events)
      }
      socket?.on('error', () => {}).destroy()
      if (hasStarted) events.onExit('no file descriptor for its socket', false)
    } catch (error) {
      events.onExit(errorCode(error), false)
    }
    return undefined
  }

  /** How long ago the process was started, in ms. */
  get ageMillis(): number {
    return monotonic() - this.startedAt
  }

  /**
   * Writes what the socket accepts without blocking: first the rest of posted frames, then `parts`. Returns how many bytes of
   * `parts` were written.
   */
  write(parts: readonly Uint8Array[]): number {
    if (!this.isAlive || !this.isOpen()) return 0
    try {
      while (this.unsentBytes !== undefined) {
        const written = writevSync(this.fd, [this.unsentBytes])
        this.unsentBytes = written < this.unsentBytes.length ? this.unsentBytes.subarray(written) : undefined
      }
      return parts.length === 0 ? 0 : writevSync(this.fd, parts)
    } catch (error) {
      // Do not close the socket: frames that the process has sent must still be read.
      if (writeFailureKind(error) !== 'busy') this.isAlive = false
      return 0
    }
  }

  /** Sends complete frames, or the rest of one, before what is written later. The bytes must not change afterwards. */
  post(bytes: Uint8Array): void {
    this.unsentBytes = this.unsentBytes === undefined ? bytes : Buffer.concat([this.unsentBytes, bytes])
    this.write([])
  }

  /** Reads the available frames without the event loop. */
  receive(): void {
    while (!this.hasEnded) {
      if (!this.isOpen()) return this.markEnded()
      try {
        const length = readSync(this.fd, this.readBuffer)
        if (length === 0) return this.markEnded()
        this.parseFrames(this.readBuffer.subarray(0, length))
      } catch (error) {
        if (writeFailureKind(error) !== 'busy') this.markEnded()
        return
      }
    }
  }

  /**
   * Returns whether the descriptor still belongs to the socket. When the other end closes, Node closes the descriptor and emits
   * the event later in the turn; until then the number may be reused for another file.
   */
  private isOpen(): boolean {
    if (descriptorOf(this.socket) === this.fd) return true
    this.isAlive = false
    return false
  }

  /** Sets whether the socket keeps the process alive. */
  keepAlive(keepsProcessAlive: boolean): void {
    if (keepsProcessAlive) this.socket.ref()
    else this.socket.unref()
  }

  /** Lets the process write what it has received and exit. Resolves when it has exited, or after a time limit. */
  async close(): Promise<void> {
    const { childProcess } = this
    this.isAlive = false
    this.hasEnded = true
    this.socket.destroy()
    if (childProcess.exitCode !== null || childProcess.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    childProcess.once('exit', () => resolve())
    childProcess.ref()
    const timer = delay(closeTimeoutMillis, resolve)
    timer.keepAlive(true)
    await promise
    timer.cancel()
    childProcess.unref()
  }

  /** Parses frames. Kills the process if they are invalid, because the user may have configured the wrong program. */
  private parseFrames(bytes: Uint8Array): void {
    try {
      this.reader.push(bytes)
    } catch {
      this.childProcess.kill('SIGKILL')
      this.markEnded()
    }
  }

  /** Closes the socket and calls `onEnded`, once. */
  private markEnded(): void {
    this.isAlive = false
    if (this.hasEnded) return
    this.hasEnded = true
    this.socket.destroy()
    this.events.onEnded(this)
  }
}

/** Returns the descriptor of a socket. Node has no public way to get it. */
function descriptorOf(socket: Socket): number | undefined {
  const handle = member(socket as { _handle?: { readonly fd?: unknown } | null }, '_handle')
  const fd = handle ? member(handle, 'fd') : undefined
  return typeof fd === 'number' && fd >= 0 ? fd : undefined
}

/** Returns the child's environment: the variables that the system's loader may need to start Node, and `NODE_NO_WARNINGS`. */
function childEnvironment(): NodeJS.ProcessEnv {
  const names = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot']
  const loaderVariables = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(process.env, name) ? [[name, process.env[name]]] : [])),
  )
  // The child shares this process's standard error, where Node's warnings about an inherited permission model are unexpected.
  return withoutPrototype({ ...loaderVariables, NODE_NO_WARNINGS: '1' })
}
