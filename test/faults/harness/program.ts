// A process that logs and has faults. Argument: a Plan as JSON. Commands come as lines on the standard input, what it says
// leaves by descriptor 3: a pipe of its own, which no fault is made for.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { OpenSubject } from '../subjects/subject.ts'
import type { Command, Plan, Reply } from './commands.ts'
import { faultRecord } from './records.ts'

const plan = JSON.parse(process.argv[2]!) as Plan
const { open } = (await import(new URL(`../subjects/${plan.subject}.ts`, import.meta.url).href)) as {
  open: OpenSubject
}
const subject = await open(plan.sink, plan.options ?? {})
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
      return say(await logAll(command))
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
    case 'end':
      commands.close()
      process.stdin.destroy()
      return
    case 'exit':
      return process.exit(command.code ?? 0)
    case 'throw':
      return void setImmediate(() => {
        throw new Error('mine')
      })
    case 'reject':
      return void setImmediate(() => void Promise.reject(new Error('mine')))
    case 'abort':
      return process.abort()
  }
}

async function logAll(command: Command & { do: 'log' }): Promise<Reply> {
  const { count, perTurn = count, everyMillis = 0, padding = 100 } = command
  let longestCall = 0
  let longestTurn = 0
  let threw = 0
  let turn = performance.now()
  for (let done = 0; done < count;) {
    for (const end = Math.min(done + perTurn, count); done < end; done++) {
      const record = faultRecord(plan.run, process.pid, next++, padding)
      const start = performance.now()
      try {
        subject.log(record.seq % 10 === 0 ? 'warn' : 'info', record)
      } catch {
        threw++
      }
      longestCall = Math.max(longestCall, performance.now() - start)
    }
    if (done === count) break
    await new Promise((resolve) => (everyMillis > 0 ? setTimeout(resolve, everyMillis) : setImmediate(resolve)))
    longestTurn = Math.max(longestTurn, performance.now() - turn - everyMillis)
    turn = performance.now()
  }
  return { said: 'logged', next, longestCall, longestTurn, threw }
}

async function flushed(timeoutMillis: number): Promise<{ ok: boolean; next: number }> {
  const upTo = next
  return { ok: await subject.flush(timeoutMillis), next: upTo }
}

function tellLast(): void {
  say(ledger('last ledger'))
}

function ledger(said: 'ledger' | 'last ledger'): Reply {
  const ledger = subject.ledger()
  return { said, ...(ledger === undefined ? {} : { ledger }), rss: process.memoryUsage.rss() }
}

function say(reply: Reply): void {
  writeSync(3, `${JSON.stringify(reply)}\n`)
}
