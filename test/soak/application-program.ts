// An application that logs without pause, to every destination at once. Argument: an ApplicationPlan as JSON. Commands come
// as lines on the standard input; what it says leaves by descriptor 3, a pipe of its own.
import { readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FileExporter, SpoolExporter } from '../../src/entries/exporters.ts'
import { createLogger } from '../../src/entries/index.ts'
import { writersOf } from '../exporters/process/writers.ts'
import type { ToldLedger } from '../faults/harness/oracle.ts'
import { destinations, variationOf } from './destinations.ts'
import type { ApplicationPlan, Command, Said } from './messages.ts'
import { starvedMillis } from './patience.ts'
import { randomOf } from './random.ts'
import { childAttributes, redact, soakRecord } from './records.ts'
import { UserCode } from './user-code.ts'

const TURN_MILLIS = 25
const TELL_MILLIS = 250
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
/** As it was when the turn began. */
let starved = starvedMillis(process.pid)

const logging = setInterval(logSome, TURN_MILLIS)
const telling = setInterval(() => tell('ledgers'), TELL_MILLIS)
const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => void obey(JSON.parse(line) as Command))
// Whoever gave the orders is gone, so nobody reads what is written.
commands.on('close', () => isShutDown || kill(process.pid, 'SIGKILL'))
// Listeners run in their order: by now the logger has drained.
process.on('exit', () => tell('last'))
// A signal that is raised again ends the process without `exit`.
process.kill = (pid, signal) => {
  tell('last')
  return kill(pid, signal)
}
say({ said: 'hello', pid: process.pid })

async function obey(command: Command): Promise<void> {
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
      return say({ said: 'spooled', waiting: spools.reduce((sum, own) => sum + own.spoolStats().waiting, 0) })
    }
    case 'sample':
      return sample()
    case 'flush': {
      const start = performance.now()
      await log.flush({ timeoutMillis: command.timeoutMillis })
      // Some may have been given up, which is counted; what must not be is that something waits on.
      const inTime = performance.now() - start < command.timeoutMillis
      await userCode.flush(1_000)
      sayWrong()
      return say({ said: 'flushed', inTime })
    }
    case 'exit':
      return process.exit(0)
    case 'shutdown':
      clearInterval(logging)
      clearInterval(telling)
      await Promise.all([log.shutdown(), userCode.shutdown()])
      sayWrong()
      isShutDown = true
      commands.close()
      process.stdin.destroy()
      setTimeout(
        () => say({ said: 'wrong', what: `${process.getActiveResourcesInfo().join(', ')} keep it alive` }),
        5_000,
      ).unref()
  }
}

/** What the time since the last turn asks for; of a longer pause not all is made up for. */
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
    say({ said: 'wrong', what: `a log call threw: ${String(error)}` })
  }
  let took = performance.now() - start
  if (took > LONG_MILLIS) took -= starvedMillis(process.pid) - starved
  // A fatal record may wait for its destinations as long as an exit may; any other one for the first write that finds the
  // disk slow, which the system may take in many parts.
  if (took > LONG_MILLIS) say({ said: 'wrong', what: `a call of ${level} took ${took.toFixed(0)} ms` })
}

function sample(): void {
  // The thorough way: V8 gives back what a burst had it take, so that what is left is held by somebody.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
  const resources: Record<string, number> = {}
  for (const type of process.getActiveResourcesInfo()) resources[type] = (resources[type] ?? 0) + 1
  const listeners = Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]))
  // The descriptor of the directory itself is one of them.
  const fds = readdirSync('/proc/self/fd').length - 1
  say({ said: 'sample', rss, heapTotal, heapUsed, external, arrayBuffers, fds, resources, listeners })
}

function tell(said: 'ledgers' | 'last'): void {
  const ledgers = log.stats().exporters.map((stats): ToldLedger => {
    const { emitted, accepted, filtered, written, queued, unknown, maybeDuplicated, dropped } = stats
    const { total, byReason } = dropped
    return { emitted, accepted, filtered, written, queued, unknown, maybeDuplicated, dropped: { total, byReason } }
  })
  say({ said, next, ledgers })
}

function sayWrong(): void {
  for (const what of userCode.wrong()) say({ said: 'wrong', what })
}

function say(said: Said): void {
  writeSync(3, `${JSON.stringify(said)}\n`)
}
