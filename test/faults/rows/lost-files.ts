import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync, readFileSync } from 'node:fs'
import { commandNeed, mountNamespace, prlimit } from '../harness/injection.ts'
import { fileOutput, openOutput, type Output } from '../harness/outputs.ts'
import { mountDirectory } from '../harness/mounted-directory.ts'
import { execFileSync } from 'node:child_process'
import { runScenario } from '../harness/scenario.ts'
import type { FaultRow, FaultHarness } from './row.ts'
import { dirname } from 'node:path'

/** A file or its directory is lost. */
export const lostFiles: readonly FaultRow[] = [
  {
    row: 9,
    fault: 'the file system of a file becomes read-only and stays read-only',
    how: 'ext4 on a loop device in a mount namespace; `mount -o remount,abort`, since it may not be remounted read-only while a file is open',
    needs: { what: 'a loop device with ext4', isAvailable: hasLoopDevice },
    run: (harness) => readOnly(harness, false),
  },
  {
    row: 9,
    fault: 'the file system of a file becomes read-only, another one replaces it, and the file is reopened',
    how: 'the same; then `mount -t tmpfs` over it, and `reopen()`',
    needs: { what: 'a loop device with ext4', isAvailable: hasLoopDevice },
    run: (harness) => readOnly(harness, true),
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
    run: (harness) => notCreatable(harness, (path) => renameSync(dirname(path), `${dirname(path)}.away`), undefined),
  },
  {
    row: 25,
    fault: 'a file cannot be reopened because the process has reached its limit of open files',
    how: '`prlimit --nofile` while the process runs, and `reopen()`',
    needs: prlimit,
    run: (harness) =>
      notCreatable(
        harness,
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

function hasLoopDevice(): boolean {
  const script =
    'd=$(mktemp -d) && truncate -s 1M $d/i && mkfs.ext4 -q $d/i && mkdir $d/m && mount -o loop $d/i $d/m; s=$?; umount $d/m; rm -r $d; exit $s'
  return mountNamespace!.isAvailable() && commandNeed('', 'unshare', '--mount', 'sh', '-c', script).isAvailable()
}

async function readOnly(harness: FaultHarness, returns: boolean): Promise<readonly string[]> {
  const image = harness.path('image')
  writeFileSync(image, '')
  truncateSync(image, 4_000_000)
  execFileSync('mkfs.ext4', ['-q', image])
  const directory = await mountDirectory(harness.path('mounted'), '-o', 'loop', image)
  try {
    const output = fileOutput(directory.outside('sink'), { sink: { to: 'file', path: directory.inside('sink') } })
    let before = ''
    return await runScenario(harness, {
      output: { ...output, text: async () => before + (returns ? await output.text() : '') },
      start: { wrap: directory.enter },
      losses: returns ? 'nothing' : 'reported',
      reasons: ['io_error'],
      torn: 1,
      turnMillis: 500,
      steps: async ({ log, flush, reopen }) => {
        await log(200, { perTurn: 20 })
        const ok = await flush()
        directory.run('mount', '-o', 'remount,abort', directory.inside('.'))
        before = readFileSync(directory.outside('sink'), 'latin1')
        await log(500, { perTurn: 20, everyMillis: 2 })
        if (!returns) return ok ? [] : ['a flush does not succeed before']
        directory.run('mount', '-t', 'tmpfs', 'none', directory.inside('.'))
        await reopen()
        return ok && (await flush()) ? [] : ['a flush does not succeed afterwards']
      },
    })
  } finally {
    directory.close()
  }
}

async function removed(harness: FaultHarness): Promise<readonly string[]> {
  mkdirSync(harness.path('deep'))
  const path = harness.path('deep/sink')
  let before = ''
  const output = fileOutput(path, { sink: { to: 'file', path } })
  return runScenario(harness, {
    output: { ...output, text: async () => before + (await output.text()) },
    steps: async ({ log, flush, reopen }) => {
      await log(500, { perTurn: 20 })
      await flush()
      before = readFileSync(path, 'latin1')
      rmSync(harness.path('deep'), { recursive: true })
      mkdirSync(harness.path('deep'))
      await reopen()
      await log(500, { perTurn: 20 })
      return (await flush()) ? [] : ['a flush does not succeed afterwards']
    },
  })
}

async function renamed(harness: FaultHarness): Promise<readonly string[]> {
  const output = await openOutput('file', harness.path('sink'))
  const names = [1, 2, 3, 4, 5].map((number) => harness.path(`sink.${number}`))
  return runScenario(harness, {
    output: allOf([...names, output.path], output),
    check: () => {
      const parts = [...names.slice(1), output.path].map((path) => readFileSync(path, 'latin1'))
      return parts.includes('') ? ['continues to write to a renamed file'] : []
    },
    steps: async ({ log, flush, reopen }) => {
      for (const name of names) {
        await log(500, { perTurn: 20 })
        await flush()
        renameSync(output.path, name)
        await log(100, { perTurn: 20 })
        await reopen()
      }
      await log(500, { perTurn: 20 })
    },
  })
}

function allOf(paths: readonly string[], output: Output): Output {
  return { ...output, text: async () => paths.map((path) => readFileSync(path, 'latin1')).join('') }
}

/** The old file must stay in use. */
async function notCreatable(
  harness: FaultHarness,
  before: (path: string) => void,
  limit: ((pid: number, most: number) => void) | undefined,
): Promise<readonly string[]> {
  mkdirSync(harness.path('deep'))
  const path = harness.path('deep/sink')
  const output = fileOutput(path, { sink: { to: 'file', path } })
  const away = `${dirname(path)}.away/sink`
  return runScenario(harness, {
    output: limit === undefined ? { ...output, text: async () => readFileSync(away, 'latin1') } : output,
    check: (_, { stderr, errors }) => (stderr === '' && errors.length === 0 ? ['the failure is not reported'] : []),
    steps: async ({ child, log, flush, reopen }) => {
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

async function forbidden(harness: FaultHarness): Promise<readonly string[]> {
  return runScenario(harness, {
    output: await openOutput('file', harness.path('sink')),
    start: { nodeArgs: ['--permission', '--allow-fs-read=*'] },
    losses: 'reported',
    reasons: ['io_error'],
    steps: async ({ log }) => void (await log(1_000, { perTurn: 20 })),
  })
}
