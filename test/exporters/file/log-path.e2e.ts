import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fileExporter } from '../../../src/exporters/file/file-exporter.ts'
import { processExporter } from '../../../src/exporters/process/process-exporter.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { createLogger as createBunyanLogger, RotatingFileStream } from '../../../src/entries/bunyan.ts'
import { destination, type Destination } from '../../../src/compat/shared/destination/destination.ts'
import { openForAppending } from '../../../src/exporters/fd/descriptor.ts'
import { withLogLocation } from '../../../src/exporters/file/log-path.ts'
import { destination as pinoDestination } from '../../../src/compat/pino/destination.ts'
import { createLogger as createWinstonLogger, transports } from '../../../src/entries/winston.ts'
import { importOf, runChild } from '../../support/processes/child.ts'
import { needs } from '../../support/needs.ts'
import { actingAsOtherUser, asOtherUser, canBeOtherUser, otherUser, twoUsers } from '../../support/files/other-user.ts'
import { stallingPipe } from '../../support/files/pipes.ts'
import { waitUntil } from '../../support/wait-until.ts'

jest.setTimeout(30_000)

let folder: string
/** A file of this user that logs must not modify. */
let target: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-log-path-'))
  fs.chmodSync(folder, 0o755)
  target = join(folder, 'target')
  fs.writeFileSync(target, 'precious')
})
// A writer process may create its file once more before it exits.
afterEach(() => fs.rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 50 }))

/** A directory with this mode. */
function directory(mode: number): string {
  const path = join(folder, `mode-${mode.toString(8)}`)
  fs.mkdirSync(path)
  fs.chmodSync(path, mode)
  return path
}

async function logTo(exporter: Exporter): Promise<Diagnostic[]> {
  const problems: Diagnostic[] = []
  const log = createLogger({ exporter, handleExit: false, onDiagnostic: (problem) => problems.push(problem) })
  log.info('line')
  // A writer process has to start first.
  await waitUntil(() => problems.length > 0, 20_000)
  await log.shutdown({ timeoutMillis: 0 })
  return problems
}

const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND
const append = (path: string): void => {
  const fd = withLogLocation(path, { mkdir: false }, (place) => place.open(flags, 0o600))
  fs.writeSync(fd, ' more')
  fs.closeSync(fd)
}

describe('log paths that are symbolic links', () => {
  it.each(['0755', '0775', '0777', '1777'])('a link of this user is followed in a directory with mode %s', (mode) => {
    const link = join(directory(Number.parseInt(mode, 8)), 'app.log')
    fs.symlinkSync(target, link)
    append(link)
    expect(fs.readFileSync(target, 'utf8')).toBe('precious more')
  })

  it('creates the missing target file of a link', () => {
    const link = join(directory(0o755), 'app.log')
    fs.symlinkSync(join(folder, 'new'), link)
    append(link)
    expect(fs.readFileSync(join(folder, 'new'), 'utf8')).toBe(' more')
  })

  it('follows links in parent directories, including relative links and ..', () => {
    fs.mkdirSync(join(folder, 'real', 'logs'), { recursive: true })
    fs.symlinkSync('real', join(folder, 'alias'))
    fs.symlinkSync('../logs/../logs', join(folder, 'real', 'logs', 'again'))
    append(join(folder, 'alias', 'logs', 'again', 'app.log'))
    expect(fs.readFileSync(join(folder, 'real', 'logs', 'app.log'), 'utf8')).toBe(' more')
  })

  it('fails with ELOOP for a link to itself', () => {
    const link = join(directory(0o755), 'app.log')
    fs.symlinkSync(link, link)
    expect(() => append(link)).toThrow(expect.objectContaining({ code: 'ELOOP' }))
  })

  it.each(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])('%s writes to the standard output', async (path) => {
    const text =
      importOf('{ createLogger }', 'src/entries/index.ts') +
      importOf('{ fileExporter }', 'src/entries/exporters.ts') +
      `createLogger({ exporter: fileExporter({ path: ${JSON.stringify(path)} }) }).info('there')`
    const program = '"$0" --input-type=module --eval "$1"'
    // Node connects a child with sockets, which cannot be opened by path.
    for (const script of [`${program} | cat`, `${program} >> "$2"; cat "$2"`]) {
      const { stdout } = await runChild({
        command: 'sh',
        args: ['-c', script, process.execPath, text, join(folder, 'out')],
      })
      expect(stdout).toContain('"message":"there"')
    }
  })
})

describe('log files that are hard links', () => {
  it('writes to a hard link in a directory where only this user can create files', () => {
    fs.linkSync(target, join(directory(0o755), 'app.log'))
    append(join(folder, 'mode-755', 'app.log'))
    expect(fs.readFileSync(target, 'utf8')).toBe('precious more')
  })

  it.each(['0775', '0777', '1777'])(
    'a hard link is neither written to nor truncated in a directory with mode %s',
    (mode) => {
      const path = join(directory(Number.parseInt(mode, 8)), 'app.log')
      fs.linkSync(target, path)
      expect(() => append(path)).toThrow(`${path} has 2 hard links`)
      expect(() => destination({ dest: path, sync: true, append: false })).toThrow(`${path} has 2 hard links`)
      expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    },
  )
})

describe('links that replace a log file after its path was resolved', () => {
  it('does not open a link that replaced the log file', () => {
    const path = join(folder, 'app.log')
    fs.writeFileSync(path, '')
    withLogLocation(path, { mkdir: false }, (place) => {
      fs.unlinkSync(path)
      fs.symlinkSync(target, path)
      expect(() => place.open(flags)).toThrow(expect.objectContaining({ code: 'ELOOP' }))
      expect(place.stats().isSymbolicLink()).toBe(true)
    })
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
  })
})

needs('a /proc', fs.existsSync('/proc/self'))(
  'the stats of an open file are read through its path in /proc/self/fd',
  () => {
    const fd = fs.openSync(target, 'a')
    expect(withLogLocation(`/proc/self/fd/${fd}`, { mkdir: false }, (place) => place.stats().ino)).toBe(
      fs.statSync(target).ino,
    )
    fs.closeSync(fd)
  },
)

const openDescriptors = (): number => fs.readdirSync('/dev/fd').length

it('leaves no descriptor open except that of the log file', () => {
  fs.linkSync(target, join(folder, 'app.log'))
  fs.chmodSync(folder, 0o777)
  const before = openDescriptors()
  for (let call = 0; call < 20; call++) {
    append(join(folder, 'new.log'))
    expect(() => append(join(folder, 'app.log'))).toThrow('has 2 hard links')
  }
  expect(openDescriptors() - before).toBeLessThan(15)
})

it('truncates a file with append: false, and writes to a named pipe without truncation', () => {
  const path = join(folder, 'app.log')
  fs.writeFileSync(path, 'old')
  destination({ dest: path, sync: true, append: false }).end()
  expect(fs.readFileSync(path, 'utf8')).toBe('')
  const pipe = stallingPipe(join(folder, 'pipe'))
  const to = destination({ dest: join(folder, 'pipe'), sync: true, append: false })
  to.write('line\n')
  to.end()
  expect(pipe.read()).toContain('line')
  pipe.close()
})

it('creates missing directories only with mkdir', async () => {
  const path = join(folder, 'new', 'app.log')
  const problems = await logTo(fileExporter({ path }))
  expect(problems[0]).toEqual({
    code: 'SLUICE_WRITE_FAILED',
    message: `file:${path}: cannot open (ENOENT); retrying`,
  })
  expect(() => destination({ dest: path, sync: true })).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  expect(fs.existsSync(join(folder, 'new'))).toBe(false)
  destination({ dest: path, sync: true, mkdir: true }).end()
  expect(fs.statSync(join(folder, 'new')).mode & 0o777).toBe(0o777 & ~process.umask())
})

const twoUsersIt = needs(twoUsers, canBeOtherUser)

/** Directories in which the other user can create names. */
const shared: readonly (readonly [string, () => string])[] = [
  ['that is world-writable', () => directory(0o777)],
  ['that is sticky', () => directory(0o1777)],
  ['that is group-writable', () => owned(0o2775, 0)],
  ['of another user', () => owned(0o755, otherUser)],
  ['of another user that is world-writable', () => owned(0o777, otherUser)],
  ['of another user that is sticky', () => owned(0o1777, otherUser)],
]

function owned(mode: number, owner: number): string {
  const path = directory(mode)
  fs.chownSync(path, owner, otherUser)
  fs.chmodSync(path, mode)
  return path
}

const quietLogger = (exporter: Exporter) => createLogger({ exporter, handleExit: false, onDiagnostic: () => {} })

/** Links that the other user creates at the log path, so that records would be written to the target. */
const plants: readonly (readonly [string, string, string])[] = [
  ['a symbolic link', 'ln -s "$2" "$1"', `is a symbolic link of user ${otherUser}`],
  // Even with protected_hardlinks, Linux lets any user create a hard link to a file that everyone can read and write.
  ['a hard link', 'ln "$2" "$1"', 'has 2 hard links'],
]

const mebibyte = 'x'.repeat(2 ** 20)

/** APIs that write to a path. Each reports or throws an error, and can be called again once the path is free. */
const apis: readonly (readonly [string, (path: string) => Promise<string>])[] = [
  ['fileExporter', async (path) => textOf(await logTo(fileExporter({ path })))],
  [
    'fileExporter with mkdir and rotate',
    async (path) => textOf(await logTo(fileExporter({ path, mkdir: true, rotate: { size: 1_000_000, keep: 1 } }))),
  ],
  ['the writer process', async (path) => textOf(await logTo(processExporter({ path, mkdir: true, drainMillis: 50 })))],
  [
    'a file of OTLP/JSON lines',
    async (path) => textOf(await logTo(fileExporter({ path, format: 'otlpJson', fsync: 'batch' }))),
  ],
  ['a synchronous destination of the pino API', async (dest) => thrown(() => destination({ dest, sync: true }))],
  [
    'a synchronous destination that empties the file',
    async (dest) => thrown(() => destination({ dest, sync: true, append: false, mkdir: true })),
  ],
  ['a destination of the pino API', (dest) => errorOf(dest, destination({ dest, append: false, mkdir: true }))],
  ['pino.destination', (dest) => errorOf(dest, pinoDestination({ dest, mkdir: true }))],
  [
    'reopen of a synchronous destination',
    async (dest) => {
      const to = destination({ dest: join(folder, 'first.log'), sync: true })
      const message = thrown(() => to.reopen(dest))
      to.end()
      return message
    },
  ],
  [
    'the file transport of the winston API',
    async (filename) => {
      const problems: Diagnostic[] = []
      const onDiagnostic = (problem: Diagnostic): void => void problems.push(problem)
      const file = new transports.File({ filename, maxsize: 1_000_000, maxFiles: 2, zippedArchive: true })
      const logger = createWinstonLogger({ transports: [file], onDiagnostic })
      logger.info(mebibyte)
      await waitUntil(() => problems.length > 0)
      fs.unlinkSync(filename)
      logger.end()
      await new Promise((resolve) => logger.once('finish', resolve))
      await waitUntil(() => fs.existsSync(filename))
      return textOf(problems)
    },
  ],
  [
    'the rotating file of the bunyan API',
    async (path) => {
      const errors: Error[] = []
      const stream = new RotatingFileStream({ path, count: 2 })
      stream.on('error', (error: Error) => errors.push(error))
      stream.write(`${mebibyte}\n`)
      await waitUntil(() => errors.length > 0)
      stream.rotate()
      fs.unlinkSync(path)
      stream.end()
      await waitUntil(() => fs.statSync(path, { throwIfNoEntry: false })?.size === mebibyte.length + 1)
      return errors.map(({ message }) => message).join()
    },
  ],
  [
    'a stream of the bunyan API',
    async (path) => {
      const log = createBunyanLogger({ name: 'n', streams: [{ path }] })
      const errors: Error[] = []
      log.on('error', (error: Error) => errors.push(error))
      log.info(mebibyte)
      await waitUntil(() => errors.length > 0)
      fs.unlinkSync(path)
      await log.flush()
      return errors.map(({ message }) => message).join()
    },
  ],
]

const textOf = (problems: readonly Diagnostic[]): string =>
  problems
    .filter(({ code }) => code === 'SLUICE_PATH_UNTRUSTED')
    .map(({ message }) => message)
    .join()

function thrown(action: () => unknown): string {
  try {
    action()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

async function errorOf(path: string, queued: Destination): Promise<string> {
  const errors: Error[] = []
  queued.on('error', (error: Error) => errors.push(error))
  queued.write('line\n')
  await waitUntil(() => errors.length > 0)
  fs.unlinkSync(path)
  queued.end()
  await new Promise((resolve) => queued.once('close', resolve))
  return errors.map(({ message }) => message).join()
}

describe.each(shared)('logging in a directory %s', (_, make) => {
  for (const [plant, script, reason] of plants) {
    for (const [api, use] of apis) {
      twoUsersIt(`${api} does not write through ${plant} of another user, and reports it`, async () => {
        const path = join(make(), 'app.log')
        fs.chmodSync(target, 0o666)
        asOtherUser(script, path, target)
        expect(await use(path)).toContain(`${path} ${reason}`)
        expect(fs.readFileSync(target, 'utf8')).toBe('precious')
        expect(fs.readdirSync(folder).filter((name) => name.includes('target'))).toEqual(['target'])
      })
    }
  }

  twoUsersIt('a logger does not join the queue of another logger through a link of another user', async () => {
    const logs = join(folder, 'logs')
    fs.mkdirSync(logs)
    const writable = make()
    // Directories of the same names, whose targets the other user can choose.
    asOtherUser('ln -s "$2" "$1/logs"; ln -s "$2/app.log" "$1/link.log"', writable, logs)
    const ours = [fileExporter({ path: join(logs, 'app.log') }), processExporter({ path: join(logs, 'process.log') })]
    asOtherUser('ln -s "$2" "$1/process.log"', writable, join(logs, 'process.log'))
    const loggers = ours.map(quietLogger)
    const others = [
      fileExporter({ path: join(writable, 'logs', 'app.log') }),
      fileExporter({ path: join(writable, 'link.log') }),
      processExporter({ path: join(writable, 'process.log'), drainMillis: 50 }),
      processExporter({ path: join(writable, 'logs', 'process.log'), drainMillis: 50 }),
    ].map(quietLogger)
    for (const log of loggers) log.info('ours')
    for (const log of others) log.info('theirs')
    await Promise.all(others.map((log) => log.flush({ timeoutMillis: 200 })))
    await Promise.all(loggers.map((log) => log.flush()))
    await Promise.all(others.map((log) => log.shutdown({ timeoutMillis: 0 })))
    await Promise.all(loggers.map((log) => log.shutdown()))
    for (const name of ['app.log', 'process.log']) {
      const text = fs.readFileSync(join(logs, name), 'utf8')
      expect(text).toContain('ours')
      expect(text).not.toContain('theirs')
    }
  })

  twoUsersIt('neither a file nor a directory is created behind a link of another user inside a path', async () => {
    const outside = join(folder, 'outside')
    fs.mkdirSync(outside)
    const writable = make()
    asOtherUser('ln -s "$2" "$1/logs"; ln -s "$2/new" "$1/new"', writable, outside)
    for (const path of [join(writable, 'logs', 'deep', 'app.log'), join(writable, 'new', 'app.log')]) {
      const problems = await logTo(fileExporter({ path, mkdir: true }))
      expect(problems.map(({ code }) => code)).toContain('SLUICE_PATH_UNTRUSTED')
      expect(() => destination({ dest: path, sync: true, mkdir: true })).toThrow(`of user ${otherUser}`)
    }
    expect(fs.readdirSync(outside)).toEqual([])
  })

  twoUsersIt('a log of this user is created, written to and rotated', async () => {
    const path = join(make(), 'below', 'app.log')
    const problems: Diagnostic[] = []
    const log = createLogger({
      exporter: fileExporter({ path, mkdir: true, rotate: { size: 1_000_000, keep: 1, compress: 'gzip' } }),
      handleExit: false,
      onDiagnostic: (problem) => problems.push(problem),
    })
    for (let count = 0; count < 45; count++) {
      log.info('x'.repeat(100_000))
      await log.flush()
    }
    await waitUntil(() => fs.readdirSync(dirname(path)).length === 2)
    await log.shutdown()
    expect(problems).toEqual([])
  })
})

describe('directories that another user replaces with a link', () => {
  for (const rotate of [undefined, { size: 1_000_000, keep: 1 }]) {
    twoUsersIt(
      `a directory that is replaced with a link is no longer used, and no file behind it changes, with rotate ${rotate?.size}`,
      async () => {
        const parent = owned(0o755, otherUser)
        asOtherUser('mkdir -m 777 "$1/logs"', parent)
        const path = join(parent, 'logs', 'app.log')
        const outside = join(folder, 'outside')
        fs.mkdirSync(outside)
        const old = join(outside, 'app.2026-11-21T12-00-00-000Z.log')
        for (const file of [join(outside, 'app.log'), old]) fs.writeFileSync(file, 'precious')
        const problems: Diagnostic[] = []
        const exporter = fileExporter({ path, ...(rotate ? { rotate } : {}) })
        const log = createLogger({ exporter, handleExit: false, onDiagnostic: (problem) => problems.push(problem) })
        log.info('first')
        await log.flush()
        asOtherUser('mv "$1/logs" "$1/moved" && ln -s "$2" "$1/logs"', parent, outside)
        exporter.reopen()
        for (let count = 0; count < 24; count++) {
          log.info('x'.repeat(100_000))
          await log.flush()
        }
        await waitUntil(() => problems.length > 0)
        await log.shutdown()
        expect(fs.readdirSync(outside)).toEqual(['app.2026-11-21T12-00-00-000Z.log', 'app.log'])
        for (const file of [join(outside, 'app.log'), old]) expect(fs.readFileSync(file, 'utf8')).toBe('precious')
        // The old file stays in use: nothing is lost.
        const text = fs.readFileSync(join(parent, 'moved', 'app.log'), 'utf8')
        expect(text.trimEnd().split('\n')).toHaveLength(25)
        expect(problems).toContainEqual({
          code: 'SLUICE_PATH_UNTRUSTED',
          message: `file:${path}: cannot reopen: ${parent}/logs is a symbolic link of user ${otherUser}: remove it, or choose another path; the old file stays in use`,
        })
      },
    )
  }

  twoUsersIt('a link that replaces only the log file is not written to, with and without rotation', async () => {
    for (const rotate of [undefined, { size: 1_000_000 }]) {
      const path = join(directory(rotate ? 0o1777 : 0o777), 'app.log')
      fs.chmodSync(dirname(path), 0o777)
      const problems: Diagnostic[] = []
      const exporter = fileExporter({ path, ...(rotate ? { rotate } : {}) })
      const log = createLogger({ exporter, handleExit: false, onDiagnostic: (problem) => problems.push(problem) })
      log.info('first')
      await log.flush()
      asOtherUser('mv "$1" "$1.moved" && ln -s "$2" "$1"', path, target)
      // With rotation the path is looked up at each write.
      if (rotate === undefined) exporter.reopen()
      log.info('second')
      await log.flush()
      await log.shutdown()
      expect(fs.readFileSync(target, 'utf8')).toBe('precious')
      expect(fs.readFileSync(`${path}.moved`, 'utf8').split('\n')).toHaveLength(3)
      const reason = `${rotate ? 'cannot be rotated' : 'cannot reopen'}: ${path} is a symbolic link of user ${otherUser}`
      expect(problems).toContainEqual({
        code: 'SLUICE_PATH_UNTRUSTED',
        message: expect.stringContaining(`file:${path}: ${reason}`),
      })
    }
  })

  /** Repeatedly replaces `logs` with a link, as the other user. */
  const swapping = `
    import { renameSync, symlinkSync, unlinkSync } from 'node:fs'
    const [parent, outside] = process.argv.slice(1)
    process.chdir(parent)
    process.setgid(${otherUser})
    process.setuid(${otherUser})
    for (;;) {
      renameSync('logs', 'kept')
      symlinkSync(outside, 'logs')
      unlinkSync('logs')
      renameSync('kept', 'logs')
    }`

  twoUsersIt.each([
    ['of another user', () => owned(0o755, otherUser)],
    ['that is world-writable', () => directory(0o777)],
  ])('a link that repeatedly replaces a directory in a directory %s is never followed', async (_, make) => {
    const parent = make()
    const outside = join(folder, 'outside')
    fs.mkdirSync(outside)
    asOtherUser('mkdir "$1/logs"', parent)
    const path = join(parent, 'logs', 'app.log')
    const swap = spawn(process.execPath, ['--input-type=module', '--eval', swapping, parent, outside], {
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => swap.once('exit', resolve))
    try {
      await waitUntil(() => !fs.existsSync(join(parent, 'logs')))
      const results = { opened: 0, refused: 0 }
      for (let round = 0; round < 5_000; round++) {
        try {
          openForAppending(path, 0o600).close()
          results.opened++
        } catch {
          results.refused++
        }
      }
      expect(results.opened).toBeGreaterThan(0)
      expect(results.refused).toBeGreaterThan(0)
      expect(fs.readdirSync(outside)).toEqual([])
    } finally {
      swap.kill('SIGKILL')
      await ended
    }
  })
})

describe('log directories of common setups', () => {
  const line = 'line\n'
  const write = (path: string): void => {
    const opened = openForAppending(path, 0o640, true)
    fs.writeSync(opened.fd, line)
    opened.close()
  }

  twoUsersIt('root and the user of a service can log through a link of root', () => {
    const data = join(folder, 'data')
    fs.mkdirSync(data)
    fs.chownSync(data, otherUser, otherUser)
    fs.symlinkSync(data, join(folder, 'log'))
    write(join(folder, 'log', 'root.log'))
    actingAsOtherUser(() => write(join(folder, 'log', 'service.log')))
    for (const name of ['root.log', 'service.log']) expect(fs.readFileSync(join(data, name), 'utf8')).toBe(line)
  })

  twoUsersIt('a service can log to a directory of root that its group can write to', () => {
    const logs = owned(0o2775, 0)
    fs.symlinkSync('app.log', join(logs, 'current.log'))
    actingAsOtherUser(() => write(join(logs, 'app.log')))
    write(join(logs, 'current.log'))
    expect(fs.readFileSync(join(logs, 'app.log'), 'utf8')).toBe(line + line)
  })

  twoUsersIt('a service can log to Kubernetes volumes, whose file names are links of root', () => {
    // As the kubelet mounts a projected volume, and an emptyDir in it.
    const volume = directory(0o777)
    fs.mkdirSync(join(volume, '..2026'))
    fs.chownSync(join(volume, '..2026'), otherUser, otherUser)
    fs.symlinkSync('..2026', join(volume, '..data'))
    fs.symlinkSync('..data/app.log', join(volume, 'app.log'))
    actingAsOtherUser(() => write(join(volume, 'app.log')))
    expect(fs.readFileSync(join(volume, '..2026', 'app.log'), 'utf8')).toBe(line)
  })

  twoUsersIt('a log file that another user created in its own directory, such as logrotate, is written to', () => {
    const logs = owned(0o755, otherUser)
    asOtherUser('touch "$1/app.log"', logs)
    write(join(logs, 'app.log'))
    expect(fs.readFileSync(join(logs, 'app.log'), 'utf8')).toBe(line)
  })
})
