// An application that logs continuously to all destinations. Argument: an ApplicationPlan as JSON. Commands are lines on standard
// input. Messages are written to descriptor 3, a separate pipe.
import { readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FileExporter, SpoolExporter } from '../../src/entries/exporters.ts'
import { createLogger } from '../../src/entries/index.ts'
import { writersOf } from '../exporters/process/writers.ts'
import type { ReportedStats } from '../faults/harness/oracle.ts'
import { destinations, variationOf } from './destinations.ts'
import type { ApplicationPlan, Command, Message } from './messages.ts'
import { starvedMillis } from './fair-timeout.ts'
import { randomOf } from './random.ts'
import { childAttributes, redact, soakRecord } from './records.ts'
import { UserCode } from './user-code.ts'

const TURN_MILLIS = 25
const REPORT_MILLIS = 250
const LONG_MILLIS = 4_000

const plan = JSON.parse(process.argv[2]!) as ApplicationPlan
const random = randomOf(plan.seed)
const variation = variationOf(random.fork('variation'))
const exporters = destinations.map(({ name, open }) =>
  open({
    path: join(plan.directory, `${plan.application}.${name}.log`),
    url: `${plan.url}/${plan.application}/${name}/v1/logs`,
    directory: join(plan.directory, plan.application),
    variation,
  }),
)
const log = createLogger({
  name: plan.run,
  level: 'debug',
  exporter: exporters,
  redact,
  limits: { recordBytes: variation.recordBytes },
})
const userCode = new UserCode(random.fork('user code'))
const kill = process.kill.bind(process)
let isShutDown = false
let next = 0
let credit = 0
let before = performance.now()
/** The starved time at the start of the turn. */
let starved = starvedMillis(process.pid)

const logging = setInterval(logSome, TURN_MILLIS)
const reporting = setInterval(() => sendStats('stats'), REPORT_MILLIS)
const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => void run(JSON.parse(line) as Command))
// The parent process has exited, so the output is not read.
commands.on('close', () => isShutDown || kill(process.pid, 'SIGKILL'))
// Listeners run in order of registration, so the logger has drained before this one runs.
process.on('exit', () => sendStats('final stats'))
// A signal that is raised again ends the process without an `exit` event.
process.kill = (pid, signal) => {
  sendStats('final stats')
  return kill(pid, signal)
}
send({ type: 'ready', pid: process.pid })

async function run(command: Command): Promise<void> {
  switch (command.do) {
    case 'block':
      for (const end = performance.now() + command.millis; performance.now() < end;) continue
      return
    case 'burst':
      for (let left = command.records; left > 0; left--) logOne(false)
      return
    case 'misbehave':
      return userCode.misbehave(command.kind, command.millis)
    case 'fatal':
      return logOne(true)
    case 'reopen':
      for (const exporter of exporters) if ('reopen' in exporter) (exporter as FileExporter).reopen()
      return
    case 'kill writer':
      for (const pid of writersOf(process.pid)) kill(pid, 'SIGKILL')
      return
    case 'spooled': {
      const spools = exporters.filter((exporter): exporter is SpoolExporter => 'spoolStats' in exporter)
      return send({ type: 'spooled', queued: spools.reduce((sum, own) => sum + own.spoolStats().waiting, 0) })
    }
    case 'sample':
      return sample()
    case 'flush': {
      const start = performance.now()
      await log.flush({ timeoutMillis: command.timeoutMillis })
      // Some records may have been dropped, which is counted. None may still be queued.
      const inTime = performance.now() - start < command.timeoutMillis
      await userCode.flush(1_000)
      sendErrors()
      return send({ type: 'flushed', inTime })
    }
    case 'exit':
      return process.exit(0)
    case 'shutdown':
      clearInterval(logging)
      clearInterval(reporting)
      await Promise.all([log.shutdown(), userCode.shutdown()])
      sendErrors()
      isShutDown = true
      commands.close()
      process.stdin.destroy()
      setTimeout(
        () => send({ type: 'error', what: `${process.getActiveResourcesInfo().join(', ')} keep the process alive` }),
        5_000,
      ).unref()
  }
}

/** Logs the records that are due since the last turn, after a longer pause only part of them. */
function logSome(): void {
  const now = performance.now()
  starved = starvedMillis(process.pid)
  credit += (Math.min(now - before, 10 * TURN_MILLIS) * plan.recordsPerSecond) / 1_000
  before = now
  userCode.log(next)
  for (; credit >= 1; credit--) logOne(false)
}

function logOne(fatal: boolean): void {
  const { level, message, attributes, error, byChild } = soakRecord(random, plan.run, process.pid, next++, fatal)
  const start = performance.now()
  try {
    const logger = byChild ? log.child(childAttributes) : log
    if (error === undefined) logger[level](attributes, message)
    else logger[level](attributes, message, error)
  } catch (error) {
    send({ type: 'error', what: `a log call threw: ${String(error)}` })
  }
  let took = performance.now() - start
  if (took > LONG_MILLIS) took -= starvedMillis(process.pid) - starved
  // A fatal record may wait for its destinations as long as an exit. Any other record may wait for the first write to a slow disk,
  // which may be split into many parts.
  if (took > LONG_MILLIS) send({ type: 'error', what: `a call of ${level} took ${took.toFixed(0)} ms` })
}

function sample(): void {
  // A last-resort collection releases all unreachable memory, including memory that a burst needed.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const resources: Record<string, number> = {}
  for (const type of process.getActiveResourcesInfo()) resources[type] = (resources[type] ?? 0) + 1
  const listeners = Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]))
  // Subtract the descriptor of the directory itself.
  const fds = readdirSync('/proc/self/fd').length - 1
  send({ type: 'sample', rss, heapTotal, heapUsed, external, arrayBuffers, fds, resources, listeners })
}

function sendStats(type: 'stats' | 'final stats'): void {
  const stats = log.stats().exporters.map((stats): ReportedStats => {
    const { emitted, accepted, filtered, written, queued, unknown, maybeDuplicated, dropped } = stats
    const { total, byReason } = dropped
    return { emitted, accepted, filtered, written, queued, unknown, maybeDuplicated, dropped: { total, byReason } }
  })
  send({ type, next, stats })
}

function sendErrors(): void {
  for (const what of userCode.wrong()) send({ type: 'error', what })
}

function send(message: Message): void {
  writeSync(3, `${JSON.stringify(message)}\n`)
}
