import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { identify, nonBlockingDescriptor } from '../../../src/exporters/fd/descriptor.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

const NONBLOCK = 0o4000

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

function flags(fd: number): number {
  return Number.parseInt(/^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))![1]!, 8)
}

test('a pipe is reopened in non-blocking mode, and the flags of the given descriptor do not change', () => {
  const pipe = stallingPipe(directory.path('pipe'))
  const descriptor = nonBlockingDescriptor(pipe.fd)
  expect(descriptor).toMatchObject({ kind: 'fifo', isExclusive: true })
  expect(flags(descriptor.fd) & NONBLOCK).toBe(NONBLOCK)
  expect(flags(pipe.fd) & NONBLOCK).toBe(0)
  descriptor.close()
  expect(identify(pipe.fd).key).toBe(descriptor.key)
  pipe.close()
})

test('a file in append mode is reopened, and a file in another mode is written to through its descriptor', () => {
  const appending = openSync(directory.path('file'), 'a')
  const overwriting = openSync(directory.path('file'), 'r+')
  const descriptor = nonBlockingDescriptor(appending)
  expect(descriptor).toMatchObject({ kind: 'file', isExclusive: true, endsInsideLine: false })
  expect(nonBlockingDescriptor(overwriting)).toMatchObject({ kind: 'file', isExclusive: false, fd: overwriting })
  expect(nonBlockingDescriptor(overwriting).key).toBe(descriptor.key)
  descriptor.close()
  closeSync(appending)
  closeSync(overwriting)
})

test('a device is written to through its descriptor', () => {
  const fd = openSync('/dev/null', 'w')
  expect(nonBlockingDescriptor(fd)).toMatchObject({ kind: 'device', isExclusive: false, fd })
  closeSync(fd)
})

test('nonBlockingDescriptor throws the system error for a descriptor that is not open', () => {
  expect(() => nonBlockingDescriptor(987)).toThrow('EBADF')
})

const program = `
  import { readFileSync, writeSync } from 'node:fs'
  import { nonBlockingDescriptor } from ${JSON.stringify(new URL('../../../src/exporters/fd/descriptor.ts', import.meta.url).href)}
  const fd = Number(process.argv[1])
  const { kind, isExclusive, fd: target } = nonBlockingDescriptor(fd)
  const flags = parseInt(/^flags:\\s*([0-7]+)/m.exec(readFileSync('/proc/self/fdinfo/' + fd, 'latin1'))[1], 8)
  const block = Buffer.alloc(1 << 20)
  let refused
  while (refused === undefined) try { writeSync(target, block) } catch (error) { refused = error.code }
  process.send({ kind, isExclusive, nonblocking: (flags & ${NONBLOCK}) !== 0, refused }, () => process.exit())
`

test.each([1, 2, 4])(
  'a write to a full socket on descriptor %i fails with EAGAIN instead of blocking',
  async (fd) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, String(fd)], {
      stdio: ['ignore', 'pipe', fd === 2 ? 'pipe' : 'inherit', 'ipc', 'pipe'],
    })
    const result = await new Promise((resolve) => child.once('message', resolve))
    expect(result).toEqual({ kind: 'socket', isExclusive: false, nonblocking: true, refused: 'EAGAIN' })
    child.kill('SIGKILL')
  },
  10_000,
)

test('a pipe that cannot be reopened becomes non-blocking through the handle of Node', async () => {
  const pipe = stallingPipe(directory.path('denied'))
  const permission = ['--permission', '--allow-fs-read=*']
  const child = spawn(process.execPath, [...permission, '--input-type=module', '--eval', program, '1'], {
    stdio: ['ignore', pipe.fd, 'inherit', 'ipc'],
  })
  const result = await new Promise((resolve) => child.once('message', resolve))
  expect(result).toEqual({ kind: 'fifo', isExclusive: false, nonblocking: true, refused: 'EAGAIN' })
  child.kill('SIGKILL')
  pipe.close()
}, 10_000)

test('a write to a stalled terminal fails with EAGAIN instead of blocking', async () => {
  const inner = `${process.execPath} --input-type=module --eval '${program.replaceAll("'", '"')}' 1`
  // script(1) of util-linux creates a pseudo-terminal; nothing reads it, because its own output is a stalled pipe.
  const child = spawn('script', ['--quiet', '--command', inner, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const result = await new Promise((resolve) => {
    child.once('message', resolve)
    child.once('error', resolve)
  })
  expect(result).toEqual({ kind: 'tty', isExclusive: true, nonblocking: false, refused: 'EAGAIN' })
  child.kill('SIGKILL')
}, 10_000)

const withSibling = `
  import { spawn } from 'node:child_process'
  import { once } from 'node:events'
  import { readFileSync } from 'node:fs'
  import { nonBlockingDescriptor } from ${JSON.stringify(new URL('../../../src/exporters/fd/descriptor.ts', import.meta.url).href)}
  const nonblocking = () =>
    (parseInt(/^flags:\\s*([0-7]+)/m.exec(readFileSync('/proc/self/fdinfo/1', 'latin1'))[1], 8) & ${NONBLOCK}) !== 0
  const idle = 'process.send(0); process.once("message", () => process.exit())'
  const sibling = spawn(process.execPath, ['--eval', idle], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(sibling, 'message')
  const { setNonBlocking } = nonBlockingDescriptor(1)
  const result = [nonblocking()]
  sibling.send(0)
  await once(sibling, 'exit')
  result.push(nonblocking())
  setNonBlocking()
  result.push(nonblocking())
  process.send(result, () => process.exit())
`

test('a socket is made non-blocking again after another process restored its flags on exit', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', withSibling], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const result = await new Promise((resolve) => child.once('message', resolve))
  expect(result).toEqual([true, false, true])
})
