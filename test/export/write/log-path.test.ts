import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLogger } from '../../../src/create-logger.ts'
import { fileExporter } from '../../../src/export/file.ts'
import { processExporter } from '../../../src/export/process.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import type { Problem } from '../../../src/record/problems.ts'
import { destination } from '../../../src/bridges/destination/destination.ts'
import { openLogPath } from '../../../src/export/write/log-path.ts'
import { createLogger as createWinstonLogger, transports } from '../../../src/winston.ts'
import { importOf, runChild } from '../../support/child.ts'
import { needs } from '../../support/needs.ts'
import { asOtherUser, canBeOtherUser, twoUsers } from '../../support/other-user.ts'
import { until } from '../../support/until.ts'

let folder: string
/** A file of this user that no log may reach. */
let target: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-log-path-'))
  fs.chmodSync(folder, 0o755)
  target = join(folder, 'target')
  fs.writeFileSync(target, 'precious')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** A directory with this mode. */
function directory(mode: number): string {
  const path = join(folder, `mode-${mode.toString(8)}`)
  fs.mkdirSync(path)
  fs.chmodSync(path, mode)
  return path
}

async function logTo(exporter: Exporter): Promise<Problem[]> {
  const problems: Problem[] = []
  const log = createLogger({ exporter, handleExit: false, onProblem: (problem) => problems.push(problem) })
  log.info('line')
  await until(() => problems.length > 0)
  await log.shutdown({ timeoutMillis: 0 })
  return problems
}

const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND
const append = (path: string): void => {
  const fd = openLogPath(path, flags, 0o600)
  fs.writeSync(fd, ' more')
  fs.closeSync(fd)
}

describe('a log path that is a link', () => {
  it.each(['0755', '0775', '0777', '1777'])('of this user is followed in a directory with mode %s', (mode) => {
    const link = join(directory(Number.parseInt(mode, 8)), 'app.log')
    fs.symlinkSync(target, link)
    append(link)
    expect(fs.readFileSync(target, 'utf8')).toBe('precious more')
  })

  it('to a file that does not exist creates it', () => {
    const link = join(directory(0o755), 'app.log')
    fs.symlinkSync(join(folder, 'new'), link)
    append(link)
    expect(fs.readFileSync(join(folder, 'new'), 'utf8')).toBe(' more')
  })

  it('may lead through links above it, relative ones and .. included', () => {
    fs.mkdirSync(join(folder, 'real', 'logs'), { recursive: true })
    fs.symlinkSync('real', join(folder, 'alias'))
    fs.symlinkSync('../logs/../logs', join(folder, 'real', 'logs', 'again'))
    append(join(folder, 'alias', 'logs', 'again', 'app.log'))
    expect(fs.readFileSync(join(folder, 'real', 'logs', 'app.log'), 'utf8')).toBe(' more')
  })

  it('to itself fails as the system says', () => {
    const link = join(directory(0o755), 'app.log')
    fs.symlinkSync(link, link)
    expect(() => openLogPath(link, flags)).toThrow(expect.objectContaining({ code: 'ELOOP' }))
  })

  it.each(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])('%s leads to the standard output', async (path) => {
    const text =
      importOf('{ createLogger }', 'src/index.ts') +
      importOf('{ fileExporter }', 'src/exporters.ts') +
      `createLogger({ exporter: fileExporter({ path: ${JSON.stringify(path)} }) }).info('there')`
    const program = '"$0" --input-type=module --eval "$1"'
    // Node's own pipes to a child are sockets, which have no name that can be opened.
    for (const script of [`${program} | cat`, `${program} >> "$2"; cat "$2"`]) {
      const { stdout } = await runChild({
        command: 'sh',
        args: ['-c', script, process.execPath, text, join(folder, 'out')],
      })
      expect(stdout).toContain('"message":"there"')
    }
  })
})

const twoUsersIt = needs(twoUsers, canBeOtherUser)

/** A directory that no log may reach. */
function outside(): string {
  const path = join(folder, 'outside')
  fs.mkdirSync(path)
  return path
}

/** A link of another user to the target, in a directory with this mode. */
function plant(mode: number): string {
  const path = join(directory(mode), 'app.log')
  asOtherUser('ln -s "$2" "$1"', path, target)
  return path
}

describe('a link that another user has made in a directory that everyone can write to', () => {
  const modes = [0o777, 0o1777]

  for (const mode of modes) {
    const where = `with mode ${mode.toString(8)}`

    twoUsersIt(`is not followed by fileExporter ${where}, which reports it`, async () => {
      const path = plant(mode)
      const problems = await logTo(fileExporter({ path }))
      expect(fs.readFileSync(target, 'utf8')).toBe('precious')
      expect(problems).toContainEqual({
        code: 'SLUICE_PATH_UNTRUSTED',
        message: `file:${path}: cannot open: ${path} is a symbolic link of user 65534 in a directory that everyone can write to: remove it, or log elsewhere; trying again`,
      })
    })

    twoUsersIt(`is not followed by the writer process ${where}`, async () => {
      const problems = await logTo(processExporter({ path: plant(mode), drainMillis: 50 }))
      expect(fs.readFileSync(target, 'utf8')).toBe('precious')
      expect(problems.map(({ code }) => code)).toContain('SLUICE_PATH_UNTRUSTED')
    })

    twoUsersIt(`is neither followed nor emptied by a destination of the pino API ${where}`, async () => {
      const dest = plant(mode)
      expect(() => destination({ dest, sync: true, append: false })).toThrow('is a symbolic link of user 65534')
      const errors: unknown[] = []
      const queued = destination({ dest, append: false })
      queued.on('error', (error) => errors.push(error))
      queued.write('line\n')
      await until(() => errors.length > 0)
      expect(fs.readFileSync(target, 'utf8')).toBe('precious')
      fs.unlinkSync(dest)
      queued.end()
      await new Promise((resolve) => queued.once('close', resolve))
    })

    twoUsersIt(`is not followed by the file transport of the winston API ${where}`, async () => {
      const filename = plant(mode)
      const logger = createWinstonLogger({ transports: [new transports.File({ filename })] })
      logger.info('line')
      await new Promise(setImmediate)
      expect(fs.readFileSync(target, 'utf8')).toBe('precious')
      fs.unlinkSync(filename)
      logger.end()
      await new Promise((resolve) => logger.once('finish', resolve))
      await until(() => fs.readFileSync(filename, 'utf8').includes('line'))
    })
  }

  for (const [what, script] of [
    ['leads to a directory', 'ln -s "$2" "$1/logs"'],
    ['leads to a directory that does not exist', 'ln -s "$2/new" "$1/logs"'],
  ] as const) {
    twoUsersIt(
      `is not followed, and no directory is created, where it is in the middle of a path and ${what}`,
      async () => {
        const writable = directory(0o777)
        const there = outside()
        asOtherUser(script, writable, there)
        const path = join(writable, 'logs', 'deep', 'app.log')
        const problems = await logTo(fileExporter({ path, mkdir: true }))
        expect(problems.map(({ code }) => code)).toContain('SLUICE_PATH_UNTRUSTED')
        expect(() => destination({ dest: path, sync: true, mkdir: true })).toThrow('is a symbolic link of user 65534')
        expect(fs.readdirSync(there)).toEqual([])
      },
    )
  }

  twoUsersIt('is not followed when it is behind a link of this user', () => {
    const path = plant(0o777)
    const first = join(folder, 'first')
    fs.symlinkSync(path, first)
    expect(() => openLogPath(first, flags)).toThrow(`${path} is a symbolic link of user 65534`)
  })

  twoUsersIt('is not followed when it replaces the file while the logger runs', async () => {
    const path = join(directory(0o777), 'app.log')
    const problems: Problem[] = []
    const exporter = fileExporter({ path })
    const log = createLogger({ exporter, handleExit: false, onProblem: (problem) => problems.push(problem) })
    log.info('first')
    await log.flush()
    asOtherUser('mv "$1" "$1.moved" && ln -s "$2" "$1"', path, target)
    exporter.reopen()
    log.info('second')
    await log.flush()
    await log.shutdown()
    expect(fs.readFileSync(target, 'utf8')).toBe('precious')
    expect(fs.readFileSync(`${path}.moved`, 'utf8').split('\n')).toHaveLength(3)
    expect(problems).toContainEqual({
      code: 'SLUICE_WRITE_FAILED',
      message: expect.stringContaining('cannot reopen (SLUICE_PATH_UNTRUSTED)'),
    })
  })
})
