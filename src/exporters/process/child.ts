import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { readSync, writevSync } from 'node:fs'
import type { Socket } from 'node:net'
import { JsonWalk } from '../../encode/json/json-walk.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'
import { errorCode, writeFailureKind } from '../fd/write-errors.ts'
import { FrameReader, type Frame } from './writer-frames.ts'
import type { WriterSettings } from './writer-settings.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/** What becomes known of a writer process. */
export interface ChildEvents {
  /** The state of who listens need not be whole: no user code may run. */
  frame(frame: Frame): void
  /** Frames have come in the event loop. */
  heard(): void
  /** Everything it said has been told; it says nothing more. Called once. */
  ended(child: WriterChild): void
  /** Why it ended, a signal or an exit code, or, with `isStarted` false, the system's code of why it could not be started. */
  died(why: string, isStarted: boolean): void
}

/** For how long whoever closes it waits for its end, in ms. */
const mostClosingMillis = 2_000
/** What it says is short, in bytes. */
const longestAnswer = 65_536

/**
 * One writer process and the socket to it, which is read and written with system calls that do not wait: so it works where no
 * event loop turns. In the event loop what it says comes by itself.
 *
 * Invariant: frames leave whole. What is left of one that was given up goes out before anything else.
 */
export class WriterChild {
  /** It takes frames. What it said before its end may still be unread. */
  isAlive = true
  private readonly running: ChildProcess
  private readonly socket: Socket
  private readonly fd: number
  private readonly events: ChildEvents
  private readonly reader: FrameReader
  private readonly startedAt = monotonic()
  private readonly buffer = Buffer.allocUnsafe(4096)
  private owed: Uint8Array | undefined
  private hasEnded = false

  private constructor(running: ChildProcess, socket: Socket, fd: number, events: ChildEvents) {
    this.running = running
    this.socket = socket
    this.fd = fd
    this.events = events
    this.reader = new FrameReader((frame) => events.frame(frame), longestAnswer)
    socket.on('data', (bytes) => {
      this.read(bytes)
      events.heard()
    })
    for (const event of ['end', 'error', 'close']) socket.on(event, () => this.end())
    running.unref()
    socket.unref()
  }

  /**
   * Starts one. It is in a session of its own, so that no terminal and nobody who ends a process group reaches it; it has no
   * descriptor of ours but the destination, `fd`, and the standard error for its last words; and nothing of our environment.
   *
   * @returns undefined when it cannot be started: then `died` has been told, or will be.
   */
  static start(
    program: string,
    settings: WriterSettings,
    fd: number | undefined,
    events: ChildEvents,
  ): WriterChild | undefined {
    try {
      // Loaded here only: it would cost each program that uses another exporter.
      const { spawn } = process.getBuiltinModule('node:child_process')
      const options = ownCopy<SpawnOptions>({
        cwd: '/',
        detached: true,
        env: loaderEnvironment(),
        stdio: ['ignore', fd ?? 'ignore', 2, 'pipe'],
        windowsHide: true,
      })
      const child = spawn(process.execPath, [program, new JsonWalk().json(settings)!], options)
      child.on('error', (error) => events.died(errorCode(error), false))
      child.on('exit', (code, signal) => events.died(signal ?? `exit code ${code}`, true))
      // Types say that it is there; where the system has no descriptor left it is not.
      const socket = (member(child, 'stdio') as readonly unknown[] | undefined)?.[3] as Socket | undefined
      const handle = socket === undefined ? undefined : handleOf(socket)
      const hasStarted = member(child, 'pid') !== undefined
      if (hasStarted && handle !== undefined) return new WriterChild(child, socket!, handle, events)
      socket?.on('error', () => {}).destroy()
      if (hasStarted) events.died('its socket has no descriptor', false)
    } catch (error) {
      events.died(errorCode(error), false)
    }
    return undefined
  }

  /** How long it has lived, in ms. */
  get age(): number {
    return monotonic() - this.startedAt
  }

  /** Writes what the socket takes at once. Returns how many bytes that were. */
  write(parts: readonly Uint8Array[]): number {
    if (!this.isAlive || !this.isOpen()) return 0
    try {
      while (this.owed !== undefined) {
        const written = writevSync(this.fd, [this.owed])
        this.owed = written < this.owed.length ? this.owed.subarray(written) : undefined
      }
      return parts.length === 0 ? 0 : writevSync(this.fd, parts)
    } catch (error) {
      // What it said is still to be read.
      if (writeFailureKind(error) !== 'busy') this.isAlive = false
      return 0
    }
  }

  /** Sends whole frames, or the end of one, before anything else. The bytes must stay as they are. */
  post(bytes: Uint8Array): void {
    this.owed = this.owed === undefined ? bytes : Buffer.concat([this.owed, bytes])
    this.write([])
  }

  /** Reads what is there without the event loop. */
  receive(): void {
    while (!this.hasEnded) {
      if (!this.isOpen()) return this.end()
      try {
        const length = readSync(this.fd, this.buffer)
        if (length === 0) return this.end()
        this.read(this.buffer.subarray(0, length))
      } catch (error) {
        if (writeFailureKind(error) !== 'busy') this.end()
        return
      }
    }
  }

  /**
   * Whether the number still is the socket's. When the other end is gone Node closes it, and tells so later in the turn: until
   * then somebody else may have got the number.
   */
  private isOpen(): boolean {
    if (handleOf(this.socket) === this.fd) return true
    this.isAlive = false
    return false
  }

  /** Whether the process must stay alive for what it says. */
  keepAlive(alive: boolean): void {
    if (alive) this.socket.ref()
    else this.socket.unref()
  }

  /** Lets it write what it has and end. Resolves when it has ended, or stands still. */
  async close(): Promise<void> {
    const { running } = this
    this.isAlive = false
    this.hasEnded = true
    this.socket.destroy()
    if (running.exitCode !== null || running.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    running.once('exit', () => resolve())
    running.ref()
    const timer = delay(mostClosingMillis, resolve)
    timer.keepAlive(true)
    await promise
    timer.cancel()
    running.unref()
  }

  /** What it says has to make sense: whoever names a program of his own may name a wrong one. */
  private read(bytes: Uint8Array): void {
    try {
      this.reader.push(bytes)
    } catch {
      this.running.kill('SIGKILL')
      this.end()
    }
  }

  private end(): void {
    this.isAlive = false
    if (this.hasEnded) return
    this.hasEnded = true
    this.socket.destroy()
    this.events.ended(this)
  }
}

/** Node has no other name for the descriptor of a socket. */
function handleOf(socket: Socket): number | undefined {
  const handle = member(socket as { _handle?: { readonly fd?: unknown } | null }, '_handle')
  const fd = handle ? member(handle, 'fd') : undefined
  return typeof fd === 'number' && fd >= 0 ? fd : undefined
}

/** What Node itself may need to be found by the system's loader, and nothing else. */
function loaderEnvironment(): NodeJS.ProcessEnv {
  const names = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot']
  const found = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(process.env, name) ? [[name, process.env[name]]] : [])),
  )
  // Its standard error is ours, where nobody expects what Node says of a permission model that it inherits.
  return ownCopy({ ...found, NODE_NO_WARNINGS: '1' })
}
