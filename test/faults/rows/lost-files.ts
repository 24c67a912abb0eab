import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync, readFileSync } from 'node:fs'
import { command, mountNamespace, prlimit } from '../harness/injection.ts'
import { fileOutlet, openOutlet, type Outlet } from '../harness/outlets.ts'
import { mountedPlace } from '../harness/places.ts'
import { execFileSync } from 'node:child_process'
import { play } from '../harness/scenario.ts'
import type { Row, RowBench } from './row.ts'
import { dirname } from 'node:path'

/** The place of a file goes away, or the file does. */
export const lostPlaces: readonly Row[] = [
  {
    row: 9,
    fault: 'the file system of a file becomes read-only and stays read-only',
    how: 'ext4 on a loop device in a mount namespace; `mount -o remount,abort`, since it may not be remounted read-only while a file is open',
    needs: { what: 'a loop device with ext4', isThere: loopIsThere },
    run: (bench) => readOnly(bench, false),
  },
  {
    row: 9,
    fault: 'the file system of a file becomes read-only, another one replaces it, and the file is reopened',
    how: 'the same; then `mount -t tmpfs` over it, and `reopen()`',
    needs: { what: 'a loop device with ext4', isThere: loopIsThere },
    run: (bench) => readOnly(bench, true),
  },
  {
    row: 9,
    fault: 'the directory of a file is deleted and created again, and the file is reopened',
    how: '`rm -r`; then `mkdir`, and `reopen()`',
    run: removed,
  },
  {
    row: 24,
    fault: 'a file is renamed under load and reopened',
    how: 'rename(2) and `reopen()`, five times while records are logged',
    run: renamed,
  },
  {
    row: 25,
    fault: 'a file cannot be reopened because its directory is missing',
    how: 'rename(2) of the directory, and `reopen()`',
    run: (bench) => notCreatable(bench, (path) => renameSync(dirname(path), `${dirname(path)}.away`), undefined),
  },
  {
    row: 25,
    fault: 'a file cannot be reopened because the process has reached its limit of open files',
    how: '`prlimit --nofile` while the process runs, and `reopen()`',
    needs: prlimit,
    run: (bench) =>
      notCreatable(
        bench,
        () => {},
        (pid, most) => execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${most}:4096`]),
      ),
  },
  {
    row: 25,
    fault: 'the program does not have permission to write to a file (--permission)',
    how: '`node --permission` without `--allow-fs-write`',
    run: forbidden,
  },
]

function loopIsThere(): boolean {
  const script =
    'd=$(mktemp -d) && truncate -s 1M $d/i && mkfs.ext4 -q $d/i && mkdir $d/m && mount -o loop $d/i $d/m; s=$?; umount $d/m; rm -r $d; exit $s'
  return mountNamespace!.isThere() && command('', 'unshare', '--mount', 'sh', '-c', script).isThere()
}

async function readOnly(bench: RowBench, returns: boolean): Promise<readonly string[]> {
  const image = bench.path('image')
  writeFileSync(image, '')
  truncateSync(image, 4_000_000)
  execFileSync('mkfs.ext4', ['-q', image])
  const place = await mountedPlace(bench.path('mounted'), '-o', 'loop', image)
  try {
    const outlet = fileOutlet(place.outside('sink'), { sink: { to: 'file', path: place.inside('sink') } })
    let before = ''
    return await play(bench, {
      outlet: { ...outlet, text: async () => before + (returns ? await outlet.text() : '') },
      start: { wrap: place.enter },
      losses: returns ? 'nothing' : 'told',
      reasons: ['io_error'],
      torn: 1,
      turnMillis: 500,
      story: async ({ log, flush, reopen }) => {
        await log(200, { perTurn: 20 })
        const ok = await flush()
        place.run('mount', '-o', 'remount,abort', place.inside('.'))
        before = readFileSync(place.outside('sink'), 'latin1')
        await log(500, { perTurn: 20, everyMillis: 2 })
        if (!returns) return ok ? [] : ['a flush does not succeed before']
        place.run('mount', '-t', 'tmpfs', 'none', place.inside('.'))
        await reopen()
        return ok && (await flush()) ? [] : ['a flush does not succeed afterwards']
      },
    })
  } finally {
    place.close()
  }
}

async function removed(bench: RowBench): Promise<readonly string[]> {
  mkdirSync(bench.path('deep'))
  const path = bench.path('deep/sink')
  let before = ''
  const outlet = fileOutlet(path, { sink: { to: 'file', path } })
  return play(bench, {
    outlet: { ...outlet, text: async () => before + (await outlet.text()) },
    story: async ({ log, flush, reopen }) => {
      await log(500, { perTurn: 20 })
      await flush()
      before = readFileSync(path, 'latin1')
      rmSync(bench.path('deep'), { recursive: true })
      mkdirSync(bench.path('deep'))
      await reopen()
      await log(500, { perTurn: 20 })
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}

async function renamed(bench: RowBench): Promise<readonly string[]> {
  const outlet = await openOutlet('file', bench.path('sink'))
  const names = [1, 2, 3, 4, 5].map((number) => bench.path(`sink.${number}`))
  return play(bench, {
    outlet: allOf([...names, outlet.path], outlet),
    afterwards: () => {
      const parts = [...names.slice(1), outlet.path].map((path) => readFileSync(path, 'latin1'))
      return parts.includes('') ? ['goes on writing to a file that was renamed'] : []
    },
    story: async ({ log, flush, reopen }) => {
      for (const name of names) {
        await log(500, { perTurn: 20 })
        await flush()
        renameSync(outlet.path, name)
        await log(100, { perTurn: 20 })
        await reopen()
      }
      await log(500, { perTurn: 20 })
    },
  })
}

function allOf(paths: readonly string[], outlet: Outlet): Outlet {
  return { ...outlet, text: async () => paths.map((path) => readFileSync(path, 'latin1')).join('') }
}

/** The old file stays in use. */
async function notCreatable(
  bench: RowBench,
  before: (path: string) => void,
  limit: ((pid: number, most: number) => void) | undefined,
): Promise<readonly string[]> {
  mkdirSync(bench.path('deep'))
  const path = bench.path('deep/sink')
  const outlet = fileOutlet(path, { sink: { to: 'file', path } })
  const away = `${dirname(path)}.away/sink`
  return play(bench, {
    outlet: limit === undefined ? { ...outlet, text: async () => readFileSync(away, 'latin1') } : outlet,
    afterwards: (_, { stderr, told }) => (stderr === '' && told.length === 0 ? ['nobody is told'] : []),
    story: async ({ child, log, flush, reopen }) => {
      await log(500, { perTurn: 20 })
      before(path)
      limit?.(child.pid, 3)
      await reopen()
      limit?.(child.pid, 4_096)
      await log(500, { perTurn: 20 })
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}

async function forbidden(bench: RowBench): Promise<readonly string[]> {
  return play(bench, {
    outlet: await openOutlet('file', bench.path('sink')),
    start: { nodeArgs: ['--permission', '--allow-fs-read=*'] },
    losses: 'told',
    reasons: ['io_error'],
    story: async ({ log }) => void (await log(1_000, { perTurn: 20 })),
  })
}
