import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import type { FaultChild, FaultChildPlan } from '../harness/fault-child.ts'
import { checkFileAfterKill } from '../harness/killed-file.ts'
import { randomFrom } from '../harness/random.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const latestMillis = 300
/** The number of processes at a time, each with its own file. */
const chains = 4

/** Kills processes at times that depend on a seed. Each next process continues the file of the previous one. */
export function killLoop(kills: number, seed: number): FaultRow {
  return {
    row: 18,
    fault: `${kills} processes are killed at random times`,
    how: `SIGKILL ${latestMillis} ms or less after the logger was opened; the times depend on a seed`,
    async run(harness) {
      const random = randomFrom(seed)
      const moments = Array.from({ length: kills }, () => random() * latestMillis)
      const wrong = await Promise.all(
        Array.from({ length: chains }, (_, chain) =>
          killAll(
            harness,
            harness.path(`chain-${chain}`),
            moments.filter((_moment, index) => index % chains === chain).map((millis) => ({ after: millis })),
          ),
        ),
      )
      return wrong.flat().map((text) => `seed ${seed}: ${text}`)
    },
  }
}

/** Kills at critical points that random times rarely hit. */
export const killedAtPoints: FaultRow = {
  row: 18,
  fault: 'processes are killed at critical points',
  how: 'strace kills the process when it enters a write or fsync; a process whose write returns late is killed once the file has grown',
  needs: {
    what: 'strace',
    isAvailable: () => spawnSync('strace', ['-e', 'inject=write:delay_enter=1', 'true']).status === 0,
  },
  async run(harness) {
    const [first, second] = [harness.path('points-1'), harness.path('points-2')]
    const wrong = await Promise.all([
      killAll(harness, first, [
        { wrap: injecting(first, 'write:signal=KILL:when=1') },
        { wrap: injecting(first, 'write:signal=KILL:when=4') },
        { wrap: injecting(first, 'fsync:signal=KILL:when=2'), options: { exporter: { fsync: 'shutdown' } } },
      ]),
      killAll(harness, second, [
        { wrap: injecting(second, 'write:delay_exit=2000000:when=3'), whenGrownTimes: 3 },
        // The disk is so slow that writes leave the event loop. Nothing is confirmed before they complete.
        { wrap: injecting(second, 'write:delay_enter=150000'), after: 500 },
        { wrap: injecting(second, 'write:signal=KILL:when=2') },
      ]),
    ])
    return wrong.flat()
  },
}

/** The file accepts part of a line at its size limit, and then the process is killed. */
export const killedInsideLine: FaultRow = {
  row: 18,
  fault: 'a process is killed with half a line in its file',
  how: 'prlimit --fsize cuts a write short, and the process is killed while it retries',
  needs: { what: 'prlimit', isAvailable: () => spawnSync('prlimit', ['--version']).status === 0 },
  async run(harness) {
    const path = harness.path('inside')
    const wrong = await killAll(harness, path, [
      { wrap: ['prlimit', '--fsize=10000'], after: 300 },
      { after: 200 },
      { wrap: ['prlimit', '--fsize=1000000'], after: 200 },
    ])
    const torn = readFileSync(path, 'latin1')
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith('}')).length
    return torn > 0 ? wrong : [...wrong, 'no line was torn: the fault was not injected']
  },
}

/** The start options of a process and when it is killed. */
interface KilledRun extends Pick<FaultChildPlan, 'wrap' | 'options'> {
  /** The time of the kill, in ms after the start. */
  readonly after?: number
  /** Kill after the file has grown this many times. */
  readonly whenGrownTimes?: number
}

function injecting(path: string, what: string): string[] {
  return ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', 'trace=write,fsync', '-e', `inject=${what}`]
}

/** Starts and kills processes one after the other with the same file. The last one is not killed. */
async function killAll(harness: FaultHarness, path: string, runs: readonly KilledRun[]): Promise<string[]> {
  const wrong: string[] = []
  for (const [index, run] of [...runs, undefined].entries()) {
    const before = sizeOf(path)
    const last = textFrom(path, Math.max(0, before - 1))
    const { wrap, options } = run ?? {}
    const child = await harness.start({
      sink: { to: 'file', path },
      ...(wrap === undefined ? {} : { wrap }),
      ...(options === undefined ? {} : { options }),
    })
    const confirmed = await runUntilExit(child, run, path, before)
    const { code, signal } = await child.ended
    const added = textFrom(path, before)
    const { pid } = child
    // strace exits with the status of the program.
    const ended = run === undefined ? code === 0 : signal === 'SIGKILL'
    wrong.push(
      ...(ended ? [] : [`process ${index}: it ended with ${code ?? signal}: ${child.stderr}`]),
      ...checkFileAfterKill(last, added, { run: harness.run, pid, confirmed }).map(
        (text) => `process ${index}: ${text}`,
      ),
    )
  }
  return wrong
}

/** Logs and flushes until the process has exited. Returns how many records were confirmed. */
async function runUntilExit(
  child: FaultChild,
  run: KilledRun | undefined,
  path: string,
  from: number,
): Promise<number> {
  if (run?.after !== undefined) setTimeout(() => child.kill('SIGKILL'), run.after)
  const stopWatching =
    run?.whenGrownTimes === undefined ? undefined : killWhenGrown(child, path, from, run.whenGrownTimes)
  let confirmed = 0
  let unexpected: unknown
  try {
    for (let rounds = run === undefined ? 3 : Infinity; rounds > 0; rounds--) {
      await child.request({ do: 'log', count: 100, perTurn: 20, everyMillis: 1 })
      const { ok, next } = await child.request<'flushed'>({ do: 'flush' })
      if (ok) confirmed = next
    }
    child.send({ do: 'end' })
  } catch (error) {
    unexpected = error
  }
  stopWatching?.()
  if (run === undefined && unexpected !== undefined) throw unexpected
  return confirmed
}

function killWhenGrown(child: FaultChild, path: string, from: number, times: number): () => void {
  let length = from
  let grown = 0
  const timer = setInterval(() => {
    const now = sizeOf(path)
    if (now > length && ++grown === times) child.kill('SIGKILL')
    length = now
  }, 2)
  return () => clearInterval(timer)
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0
}

/** Reads only the new part, because the file becomes long. */
function textFrom(path: string, position: number): string {
  if (!existsSync(path)) return ''
  const fd = openSync(path, 'r')
  const bytes = Buffer.alloc(sizeOf(path) - position)
  readSync(fd, bytes, 0, bytes.length, position)
  closeSync(fd)
  return bytes.toString('latin1')
}
