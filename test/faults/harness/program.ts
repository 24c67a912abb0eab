// A process that logs and has faults. Argument: a Plan as JSON. Commands come as lines on the standard input, what it says
// leaves by descriptor 3: a pipe of its own, which no fault is made for.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { OpenSubject } from '../subjects/subject.ts'
import type { Command, Death, Plan, Reply } from './commands.ts'
import { faultRecord } from './records.ts'

const plan = JSON.parse(process.argv[2]!) as Plan
const { open } = (await import(new URL(`../subjects/${plan.subject}.ts`, import.meta.url).href)) as {
  open: OpenSubject
}
const subject = await open(plan.sink, plan.options ?? {}, plan.beside)
let next = 0

const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => void obey(JSON.parse(line) as Command))
// Listeners run in their order: by now the logger has drained.
process.on('exit', tellLast)
const kill = process.kill.bind(process)
// A signal that is raised again ends the process without `exit`.
process.kill = (pid, signal) => {
  tellLast()
  return kill(pid, signal)
}
say({ said: 'hello', pid: process.pid })

async function obey(command: Command): Promise<void> {
  switch (command.do) {
    case 'log':
      say(await logAll(command))
      return command.then === undefined ? undefined : die(command.then)
    case 'flush':
      return say({ said: 'flushed', ...(await flushed(command.timeoutMillis ?? 5_000)) })
    case 'ledger':
      return say(ledger('ledger'))
    case 'block':
      for (const end = performance.now() + command.millis; performance.now() < end;) continue
      return say({ said: 'blocked' })
    case 'shutdown':
      await subject.shutdown()
      return say({ said: 'shut down' })
    case 'reopen':
      return say({ said: 'reopened', can: subject.reopen !== undefined, threw: throws(() => subject.reopen?.()) })
    case 'overlap':
      return say(await overlap(command))
    case 'end':
      await subject.beforeEnd?.()
      commands.close()
      process.stdin.destroy()
      return
    case 'exit':
      return process.exit(command.code ?? 0)
    case 'throw':
    case 'reject':
      return void setImmediate(() => die(command.do as Death))
    case 'abort':
      return process.abort()
  }
}

function die(how: Death): void {
  switch (how) {
    case 'exit':
      return process.exit(3)
    case 'throw':
      // Inside a promise it would be a rejection.
      return process.nextTick(() => {
        throw new Error('mine')
      })
    case 'reject':
      return void Promise.reject(new Error('mine'))
    default:
      // Not ours: whoever listens is to be asked first.
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
    say({ said: 'flushed', ok: await second, next: before })
    kill(process.pid, 'SIGKILL')
  }
  burst()
  const closed = subject.shutdown()
  const last = next
  burst()
  const ok = [await first, await second] as const
  await closed
  return { said: 'overlapped', ok, before: last, next }
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
  return { said: 'logged', next, longestCall, longestTurn, elapsed: performance.now() - begin, threw }
}

/** Whether the call returned. */
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

function tellLast(): void {
  say(ledger('last ledger'))
}

function ledger(said: 'ledger' | 'last ledger'): Reply {
  const ledger = subject.ledger()
  const beside = plan.beside === undefined ? undefined : subject.besides?.()
  return { said, ledger, beside, told: subject.told?.() ?? [], rss: process.memoryUsage.rss() }
}

function say(reply: Reply): void {
  writeSync(3, `${JSON.stringify(reply)}\n`)
}
