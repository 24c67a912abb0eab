// A process that logs while faults are injected. Argument: a ProcessPlan as JSON. Commands are lines on standard input. Replies
// are written to descriptor 3, a separate pipe that no fault affects.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { OpenSubject } from '../subjects/subject.ts'
import type { Command, ExitCause, ProcessPlan, Reply } from './commands.ts'
import { faultRecord } from './records.ts'

const plan = JSON.parse(process.argv[2]!) as ProcessPlan
const { open } = (await import(new URL(`../subjects/${plan.subject}.ts`, import.meta.url).href)) as {
  open: OpenSubject
}
const subject = await open(plan.sink, plan.options ?? {}, plan.secondSink)
let next = 0

const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => void run(JSON.parse(line) as Command))
// Listeners run in order of registration, so the logger has drained before this one runs.
process.on('exit', sendFinalStats)
const kill = process.kill.bind(process)
// A signal that is raised again ends the process without an `exit` event.
process.kill = (pid, signal) => {
  sendFinalStats()
  return kill(pid, signal)
}
send({ type: 'ready', pid: process.pid })

async function run(command: Command): Promise<void> {
  switch (command.do) {
    case 'log':
      send(await logAll(command))
      return command.then === undefined ? undefined : exitBy(command.then)
    case 'flush':
      return send({ type: 'flushed', ...(await flushed(command.timeoutMillis ?? 5_000)) })
    case 'stats':
      return send(statsReply('stats'))
    case 'block':
      for (const end = performance.now() + command.millis; performance.now() < end;) continue
      return send({ type: 'blocked' })
    case 'shutdown':
      await subject.shutdown()
      return send({ type: 'shut down' })
    case 'reopen':
      return send({
        type: 'reopened',
        isSupported: subject.reopen !== undefined,
        threw: throws(() => subject.reopen?.()),
      })
    case 'overlap':
      return send(await overlap(command))
    case 'end':
      await subject.beforeEnd?.()
      commands.close()
      process.stdin.destroy()
      return
    case 'exit':
      return process.exit(command.code ?? 0)
    case 'throw':
    case 'reject':
      return void setImmediate(() => exitBy(command.do as ExitCause))
    case 'abort':
      return process.abort()
  }
}

function exitBy(how: ExitCause): void {
  switch (how) {
    case 'exit':
      return process.exit(3)
    case 'throw':
      // A throw inside a promise would be a rejection.
      return process.nextTick(() => {
        throw new Error('mine')
      })
    case 'reject':
      return void Promise.reject(new Error('mine'))
    default:
      // Use the original function, so that signal listeners run first.
      kill(process.pid, how)
  }
}

async function overlap({ count, kill: killed = false }: Command & { do: 'overlap' }): Promise<Reply> {
  const burst = () => {
    for (let done = 0; done < count; done++) logNext(100)
  }
  burst()
  const first = subject.flush(5_000)
  burst()
  const before = next
  const second = subject.flush(5_000)
  if (killed) {
    burst()
    send({ type: 'flushed', ok: await second, next: before })
    kill(process.pid, 'SIGKILL')
  }
  burst()
  const closed = subject.shutdown()
  const last = next
  burst()
  const ok = [await first, await second] as const
  await closed
  return { type: 'overlapped', ok, before: last, next }
}

async function logAll(command: Command & { do: 'log' }): Promise<Reply> {
  const { count, perTurn = count, everyMillis = 0, padding = 100 } = command
  let longestCall = 0
  let longestTurn = 0
  let threw = 0
  let turn = performance.now()
  const begin = turn
  for (let done = 0; done < count;) {
    for (const end = Math.min(done + perTurn, count); done < end; done++) {
      const start = performance.now()
      if (!logNext(padding)) threw++
      longestCall = Math.max(longestCall, performance.now() - start)
    }
    if (done === count) break
    await new Promise((resolve) => (everyMillis > 0 ? setTimeout(resolve, everyMillis) : setImmediate(resolve)))
    longestTurn = Math.max(longestTurn, performance.now() - turn - everyMillis)
    turn = performance.now()
  }
  return { type: 'logged', next, longestCall, longestTurn, elapsed: performance.now() - begin, threw }
}

/** Logs the next record. Returns whether the call returned without throwing. */
function logNext(padding: number): boolean {
  const record = faultRecord(plan.run, process.pid, next++, padding)
  return !throws(() => subject.log(record.seq % 10 === 0 ? 'warn' : 'info', record))
}

async function flushed(timeoutMillis: number): Promise<{ ok: boolean; next: number }> {
  const upTo = next
  return { ok: await subject.flush(timeoutMillis), next: upTo }
}

function throws(action: () => void): boolean {
  try {
    action()
    return false
  } catch {
    return true
  }
}

function sendFinalStats(): void {
  send(statsReply('final stats'))
}

function statsReply(type: 'stats' | 'final stats'): Reply {
  const stats = subject.stats()
  const secondStats = plan.secondSink === undefined ? undefined : subject.secondStats?.()
  return { type, stats, secondStats, errors: subject.errors?.() ?? [], rss: process.memoryUsage.rss() }
}

function send(reply: Reply): void {
  writeSync(3, `${JSON.stringify(reply)}\n`)
}
