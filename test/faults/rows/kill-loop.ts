import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import type { FaultChild, FaultChildPlan } from '../harness/fault-child.ts'
import { wrongAfterKill } from '../harness/killed-file.ts'
import { randomFrom } from '../harness/random.ts'
import type { Row, RowBench } from './row.ts'

const latestMillis = 300
/** How many are killed at the same time, each with a file of its own. */
const chains = 4

/** Processes that are killed whenever a seed says, each restarted on the file that the one before has left. */
export function killLoop(kills: number, seed: number): Row {
  return {
    row: 18,
    fault: `${kills} processes are killed at random times`,
    how: `SIGKILL ${latestMillis} ms or less after the logger was opened; a seed says when`,
    async run(bench) {
      const random = randomFrom(seed)
      const moments = Array.from({ length: kills }, () => random() * latestMillis)
      const wrong = await Promise.all(
        Array.from({ length: chains }, (_, chain) =>
          killAll(
            bench,
            bench.path(`chain-${chain}`),
            moments.filter((_moment, index) => index % chains === chain).map((millis) => ({ after: millis })),
          ),
        ),
      )
      return wrong.flat().map((text) => `seed ${seed}: ${text}`)
    },
  }
}

/** The moments that chance does not find. */
export const killedAtPoints: Row = {
  row: 18,
  fault: 'processes are killed at the points where it matters',
  how: 'strace kills at the entry of a write or fsync of the file; a write that returns late is killed once the file has grown',
  needs: {
    what: 'strace',
    isThere: () => spawnSync('strace', ['-e', 'inject=write:delay_enter=1', 'true']).status === 0,
  },
  async run(bench) {
    const [first, second] = [bench.path('points-1'), bench.path('points-2')]
    const wrong = await Promise.all([
      killAll(bench, first, [
        { wrap: injecting(first, 'write:signal=KILL:when=1') },
        { wrap: injecting(first, 'write:signal=KILL:when=4') },
        { wrap: injecting(first, 'fsync:signal=KILL:when=2'), options: { exporter: { fsync: 'shutdown' } } },
      ]),
      killAll(bench, second, [
        { wrap: injecting(second, 'write:delay_exit=2000000:when=3'), whenGrownTimes: 3 },
        // A disk so slow that writes leave the event loop: nothing is confirmed before they are done.
        { wrap: injecting(second, 'write:delay_enter=150000'), after: 500 },
        { wrap: injecting(second, 'write:signal=KILL:when=2') },
      ]),
    ])
    return wrong.flat()
  },
}

/** A file at its size limit takes a part of a line; then the process is killed. */
export const killedInsideLine: Row = {
  row: 18,
  fault: 'a process is killed with half a line in its file',
  how: 'prlimit --fsize cuts a write short, and the process is killed while it tries again',
  needs: { what: 'prlimit', isThere: () => spawnSync('prlimit', ['--version']).status === 0 },
  async run(bench) {
    const path = bench.path('inside')
    const wrong = await killAll(bench, path, [
      { wrap: ['prlimit', '--fsize=10000'], after: 300 },
      { after: 200 },
      { wrap: ['prlimit', '--fsize=1000000'], after: 200 },
    ])
    const torn = readFileSync(path, 'latin1')
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith('}')).length
    return torn > 0 ? wrong : [...wrong, 'no line was torn: the fault was not made']
  },
}

/** One life: when it ends, and what it is started with. */
interface Life extends Pick<FaultChildPlan, 'wrap' | 'options'> {
  /** Killed so many ms after it was opened. */
  readonly after?: number
  /** Killed when its file has grown so often. */
  readonly whenGrownTimes?: number
}

function injecting(path: string, what: string): string[] {
  return ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', 'trace=write,fsync', '-e', `inject=${what}`]
}

/** Lets processes live and die with one file, one after the other; the last one lives in peace. */
async function killAll(bench: RowBench, path: string, lives: readonly Life[]): Promise<string[]> {
  const wrong: string[] = []
  for (const [index, life] of [...lives, undefined].entries()) {
    const before = sizeOf(path)
    const last = textFrom(path, Math.max(0, before - 1))
    const { wrap, options } = life ?? {}
    const child = await bench.start({
      sink: { to: 'file', path },
      ...(wrap === undefined ? {} : { wrap }),
      ...(options === undefined ? {} : { options }),
    })
    const confirmed = await live(child, life, path, before)
    const { code, signal } = await child.ended
    const added = textFrom(path, before)
    const { pid } = child
    // strace ends as what it runs has ended.
    const ended = life === undefined ? code === 0 : signal === 'SIGKILL'
    wrong.push(
      ...(ended ? [] : [`life ${index}: it ended with ${code ?? signal}: ${child.stderr}`]),
      ...wrongAfterKill(last, added, { run: bench.run, pid, confirmed }).map((text) => `life ${index}: ${text}`),
    )
  }
  return wrong
}

/** Logs and flushes until the process is gone. Returns how many records were confirmed. */
async function live(child: FaultChild, life: Life | undefined, path: string, from: number): Promise<number> {
  if (life?.after !== undefined) setTimeout(() => child.kill('SIGKILL'), life.after)
  const stopWatching =
    life?.whenGrownTimes === undefined ? undefined : killWhenGrown(child, path, from, life.whenGrownTimes)
  let confirmed = 0
  let unexpected: unknown
  try {
    for (let rounds = life === undefined ? 3 : Infinity; rounds > 0; rounds--) {
      await child.ask({ do: 'log', count: 100, perTurn: 20, everyMillis: 1 })
      const { ok, next } = await child.ask<'flushed'>({ do: 'flush' })
      if (ok) confirmed = next
    }
    child.tell({ do: 'end' })
  } catch (error) {
    unexpected = error
  }
  stopWatching?.()
  if (life === undefined && unexpected !== undefined) throw unexpected
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

/** A file that many have logged to is long: only what is new is read. */
function textFrom(path: string, position: number): string {
  if (!existsSync(path)) return ''
  const fd = openSync(path, 'r')
  const bytes = Buffer.alloc(sizeOf(path) - position)
  readSync(fd, bytes, 0, bytes.length, position)
  closeSync(fd)
  return bytes.toString('latin1')
}
