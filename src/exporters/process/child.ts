import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { readSync, writevSync } from 'node:fs'
import type { Socket } from 'node:net'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { errorCode, writeFailureKind } from '../fd/write-errors.ts'
import { FrameReader, type Frame } from './writer-frames.ts'
import type { WriterSettings } from './writer-settings.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** Events of a writer process. */
export interface ChildEvents {
  /** A frame has arrived. The listener's state may be inconsistent, so no user code may run. */
  frame(frame: Frame): void
  /** Frames have arrived in the event loop. */
  onFrames(): void
  /** The process has ended or closed its socket, and all its frames were delivered. Called once. */
  onEnded(child: WriterChild): void
  /**
   * The process has exited, with a signal or an exit code as the reason, or, if `isStarted` is false, could not be started,
   * with the system's error code as the reason.
   */
  onExit(why: string, isStarted: boolean): void
}

/** How long `close` waits for the process to exit, in ms. */
const maxCloseMillis = 2_000
/** The maximum payload of a frame from the writer process, in bytes. */
const maxPayloadBytes = 65_536

/**
 * A writer process and the socket to it. The socket is read and written with non-blocking system calls, so this works while the
 * event loop does not run. In the event loop, frames are read automatically.
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
  private readonly buffer = Buffer.allocUnsafe(4096)
  private unsent: Uint8Array | undefined
  private hasEnded = false

  private constructor(childProcess: ChildProcess, socket: Socket, fd: number, events: ChildEvents) {
    this.childProcess = childProcess
    this.socket = socket
    this.fd = fd
    this.events = events
    this.reader = new FrameReader((frame) => events.frame(frame), maxPayloadBytes)
    socket.on('data', (bytes) => {
      this.read(bytes)
      events.onFrames()
    })
    for (const event of ['end', 'error', 'close']) socket.on(event, () => this.markEnded())
    childProcess.unref()
    socket.unref()
  }

  /**
   * Starts a writer process. It runs in its own session, so that signals of a terminal or to the process group do not reach it.
   * It inherits only the destination `fd`, standard error for final messages, and no environment variables except those of the
   * loader.
   *
   * @returns Undefined if the process cannot be started. Then `died` was called, or will be.
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
      const options = ownCopy<SpawnOptions>({
        cwd: '/',
        detached: true,
        env: loaderEnvironment(),
        stdio: ['ignore', fd ?? 'ignore', 2, 'pipe'],
        windowsHide: true,
      })
      const child = spawn(process.execPath, [program, new JsonWalk().json(settings)!], options)
      child.on('error', (error) => events.onExit(errorCode(error), false))
      child.on('exit', (code, signal) => events.onExit(signal ?? `exit code ${code}`, true))
      // The types declare it, but it is missing if the system has no free descriptor.
      const socket = (member(child, 'stdio') as readonly unknown[] | undefined)?.[3] as Socket | undefined
      const handle = socket === undefined ? undefined : handleOf(socket)
      const hasStarted = member(child, 'pid') !== undefined
      if (hasStarted && handle !== undefined) return new WriterChild(child, socket!, handle, events)
      socket?.on('error', () => {}).destroy()
      if (hasStarted) events.onExit('no file descriptor for its socket', false)
    } catch (error) {
      events.onExit(errorCode(error), false)
    }
    return undefined
  }

  /** How long the process has been running, in ms. */
  get age(): number {
    return monotonic() - this.startedAt
  }

  /** Writes what the socket accepts without blocking. Returns the number of bytes written. */
  write(parts: readonly Uint8Array[]): number {
    if (!this.isAlive || !this.isOpen()) return 0
    try {
      while (this.unsent !== undefined) {
        const written = writevSync(this.fd, [this.unsent])
        this.unsent = written < this.unsent.length ? this.unsent.subarray(written) : undefined
      }
      return parts.length === 0 ? 0 : writevSync(this.fd, parts)
    } catch (error) {
      // Frames that the process has sent must still be read.
      if (writeFailureKind(error) !== 'busy') this.isAlive = false
      return 0
    }
  }

  /** Sends complete frames, or the rest of one, before anything else. The bytes must not change afterwards. */
  post(bytes: Uint8Array): void {
    this.unsent = this.unsent === undefined ? bytes : Buffer.concat([this.unsent, bytes])
    this.write([])
  }

  /** Reads the available frames without the event loop. */
  receive(): void {
    while (!this.hasEnded) {
      if (!this.isOpen()) return this.markEnded()
      try {
        const length = readSync(this.fd, this.buffer)
        if (length === 0) return this.markEnded()
        this.read(this.buffer.subarray(0, length))
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
    if (handleOf(this.socket) === this.fd) return true
    this.isAlive = false
    return false
  }

  /** Sets whether the socket keeps the process alive. */
  keepAlive(alive: boolean): void {
    if (alive) this.socket.ref()
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
    const timer = delay(maxCloseMillis, resolve)
    timer.keepAlive(true)
    await promise
    timer.cancel()
    childProcess.unref()
  }

  /** Parses frames. Kills the process if they are invalid, because a user can configure the wrong program. */
  private read(bytes: Uint8Array): void {
    try {
      this.reader.push(bytes)
    } catch {
      this.childProcess.kill('SIGKILL')
      this.markEnded()
    }
  }

  private markEnded(): void {
    this.isAlive = false
    if (this.hasEnded) return
    this.hasEnded = true
    this.socket.destroy()
    this.events.onEnded(this)
  }
}

/** Returns the descriptor of a socket. Node has no public way to get it. */
function handleOf(socket: Socket): number | undefined {
  const handle = member(socket as { _handle?: { readonly fd?: unknown } | null }, '_handle')
  const fd = handle ? member(handle, 'fd') : undefined
  return typeof fd === 'number' && fd >= 0 ? fd : undefined
}

/** Returns the environment variables that the system's loader may need to start Node, and no others. */
function loaderEnvironment(): NodeJS.ProcessEnv {
  const names = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot']
  const found = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(process.env, name) ? [[name, process.env[name]]] : [])),
  )
  // The child's standard error is this process's, where Node's warnings about an inherited permission model are unexpected.
  return ownCopy({ ...found, NODE_NO_WARNINGS: '1' })
}
